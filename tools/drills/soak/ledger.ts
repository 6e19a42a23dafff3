import { detailSchemas } from '../../../functions/bus/details.ts';
import { detailTypes } from '../../../functions/bus/event-types.ts';
import type { PostResult } from '../../../local/sms-service/poster.ts';
import type { PublishedEvent } from '../../support/local-bus.ts';
import { factsOf, type Report } from '../volume/reports.ts';
import { stateOf } from './send-load.ts';

const deliveryEvent = detailSchemas[detailTypes.deliveryEvent];
const statusChanged = detailSchemas[detailTypes.statusChanged];

interface Entry {
  readonly report: Report;
  /** Milliseconds since the epoch. */
  readonly postedAt: number;
  isAcknowledged: boolean;
  /** The `eventId` of each of its events on the bus. */
  readonly published: string[];
}

/** The reports that were sent, their answers, and their events on the bus. */
export class Ledger {
  readonly #entries = new Map<string, Entry>();
  /** The number of events of each status change, by its `eventId`. */
  readonly #changes = new Map<string, number>();
  readonly #deliveredPublished = new Set<string>();
  readonly #strangers: string[] = [];
  /** Answers other than 200, by what they were. */
  readonly otherAnswers = new Map<PostResult, number>();
  acknowledged = 0;
  /** The number of reports with an event on the bus. */
  published = 0;

  get posted(): number {
    return this.#entries.size;
  }

  post(report: Report, postedAt: number): void {
    this.#entries.set(report.eventId, { report, postedAt, isAcknowledged: false, published: [] });
  }

  answer({ eventId }: Report, result: PostResult): void {
    const entry = this.#entries.get(eventId);
    if (result === 200 && entry !== undefined) {
      entry.isAcknowledged = true;
      this.acknowledged += 1;
    } else this.otherAnswers.set(result, (this.otherAnswers.get(result) ?? 0) + 1);
  }

  /** Records an event of the bus. Returns the time its report was posted, if it is the report's first event. */
  recordPublished(event: PublishedEvent): number | undefined {
    if (event['detail-type'] === detailTypes.statusChanged) {
      const { eventId, messageId, status } = statusChanged.parse(event.detail);
      this.#changes.set(eventId, (this.#changes.get(eventId) ?? 0) + 1);
      if (status === 'delivered') this.#deliveredPublished.add(messageId);
      return undefined;
    }
    if (event['detail-type'] !== detailTypes.deliveryEvent) return undefined;
    const { historyEventId, eventId } = deliveryEvent.parse(event.detail);
    const entry = this.#entries.get(historyEventId);
    if (entry === undefined) this.#strangers.push(historyEventId);
    entry?.published.push(eventId);
    if (entry?.published.length !== 1) return undefined;
    this.published += 1;
    return entry.postedAt;
  }

  /** Returns whether the bus has an event of every acknowledged report, and of each message's end. */
  isComplete(): boolean {
    return this.#entries
      .values()
      .every((entry) => !entry.isAcknowledged || (entry.published.length > 0 && this.#isEndPublished(entry)));
  }

  #isEndPublished({ report: { status, messageId } }: Entry): boolean {
    return status !== 'delivered' || this.#deliveredPublished.has(messageId);
  }

  /**
   * Returns the broken promises: each acknowledged report is stored once and published once, under its required `eventId`; each
   * message has the state of its last report; nothing is there that was not sent.
   *
   * @param history as `storedHistory` gives it
   */
  broken(history: ReadonlyMap<string, string>): string[] {
    const stored = new Map([...history].map(([id, text]) => [id, text.split(' ')] as const));
    const storedIds = new Set([...stored.values()].flatMap(([, , ...ids]) => ids));
    const entries = [...this.#entries.values()];
    const expected = factsOf(entries.map(({ report }) => report));
    return [
      ...[...storedIds]
        .filter((id) => !this.#entries.has(id))
        .map((id) => `${id} is stored and was not sent`),
      ...this.#strangers.map((id) => `${id} is on the bus and was not sent`),
      ...[...stored].flatMap(([messageId, [status, count, ...ids]]) => [
        ...(status === stateOf(ids) ? [] : [`${messageId} is ${status}, not ${stateOf(ids)}`]),
        ...(Number(count) === ids.length
          ? []
          : [`${messageId} counts ${count} reports and has ${ids.length}`]),
      ]),
      ...entries.flatMap((entry) => this.#brokenAbout(entry, storedIds, expected)),
      ...[...this.#changes]
        .filter(([, times]) => times > 1)
        .map(([id, times]) => `the status change ${id} is on the bus ${times} times`),
    ];
  }

  #brokenAbout(
    entry: Entry,
    storedIds: ReadonlySet<string>,
    expected: ReadonlyMap<string, string>,
  ): string[] {
    const { report, isAcknowledged, published } = entry;
    const { messageId, eventId } = report;
    const problems = published
      .filter((id) => id !== expected.get(`${messageId} ${eventId}`))
      .map((id) => `${eventId} is on the bus as ${id}`);
    if (published.length > 1) problems.push(`${eventId} is on the bus ${published.length} times`);
    if (!isAcknowledged) return problems;
    if (!storedIds.has(eventId)) problems.push(`${eventId} was acknowledged and is not stored`);
    if (published.length === 0) problems.push(`${eventId} was acknowledged and is not on the bus`);
    if (!this.#isEndPublished(entry))
      problems.push(`${messageId} was delivered, and no status change says so`);
    return problems;
  }
}
