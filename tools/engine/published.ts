import { createHash } from 'node:crypto';
import { detailSchemas, detailTypes } from '../../functions/publish/shapes.ts';
import type { LocalBus, PublishedEvent } from '../support/local-bus.ts';
import { countIn } from './ledger.ts';

/** A fact that events publish. */
export interface Fact {
  /** The detail type of its events. */
  readonly type: string;
  /** A report's message and event id, a change's message and status, otherwise {@link Fact.id}. */
  readonly about: string;
  /** The message, reply or card it belongs to. */
  readonly id: string;
}

/** A fact that was published. */
export interface PublishedFact extends Fact {
  /** When its first event came, milliseconds since the epoch. */
  readonly firstAt: number;
  /** The number of its events under each event id. */
  readonly eventIds: Map<string, number>;
  /** The different contents of its events: {@link contentOfReport} for reports, and otherwise a number or a state. */
  readonly contents: Set<string>;
}

/** Returns the identity of a fact. */
export function factKey({ type, about }: Pick<Fact, 'type' | 'about'>): string {
  return `${type} ${about}`;
}

/** Returns the content of a report's event. The event of a change of status has the meaning of the status, too. */
export function contentOfReport(historyEventId: string, status: string, phone = 'no number'): string {
  return `${status} of ${phone} by the report ${historyEventId}`;
}

const drifts: ReadonlySet<string> = new Set([detailTypes.webhookDrifted, detailTypes.contractDrifted]);

/** The published facts by {@link factKey}. Drift is not among them, because the pipeline may notice one change several times. */
export class Published {
  readonly facts = new Map<string, PublishedFact>();
  /** Ids of events that were repeated with another content. */
  readonly contradictions = new Set<string>();
  /** Ids of messages with a published event. */
  readonly messages = new Set<string>();
  /** Ids of events about drift. */
  readonly drifts = new Set<string>();
  /** The number of reports that are published. */
  reports = 0;
  /** The number of events, repeats too. */
  events = 0;
  readonly #contents = new Map<string, string>();
  #next = 0;
  #reading: Promise<unknown> = Promise.resolve();

  /** Records the events that the bus has received since the last call. */
  read(bus: LocalBus): Promise<void> {
    // Calls wait for each other, because each continues where the last successful call ended.
    const reading = this.#reading.catch(() => {}).then(() => this.#readMore(bus));
    this.#reading = reading;
    return reading;
  }

  async #readMore(bus: LocalBus): Promise<void> {
    const { next, events } = await bus.publishedAfter(this.#next);
    if (next - this.#next !== events.length)
      throw new Error('the bus has dropped events before they were read');
    for (const { at, event } of events) this.record(event, at);
    this.#next = next;
  }

  record(event: PublishedEvent, at: number): void {
    const { eventId } = event.detail;
    this.events += 1;
    const content = createHash('sha256').update(JSON.stringify(event.detail)).digest('base64');
    if ((this.#contents.get(eventId) ?? content) !== content) this.contradictions.add(eventId);
    this.#contents.set(eventId, content);
    if (drifts.has(event['detail-type'])) {
      this.drifts.add(eventId);
      return;
    }
    const { content: said, ...fact } = factOf(event);
    const isNew = !this.facts.has(factKey(fact));
    if (isNew && fact.type === detailTypes.deliveryEvent) this.reports += 1;
    const empty = { eventIds: new Map(), contents: new Set<string>() };
    const known = this.facts.get(factKey(fact)) ?? { ...fact, ...empty, firstAt: at };
    countIn(known.eventIds, eventId);
    known.contents.add(said);
    if (fact.type === detailTypes.deliveryEvent || fact.type === detailTypes.statusChanged)
      this.messages.add(fact.id);
    this.facts.set(factKey(fact), known);
  }

  /** The number of events under an id that had been published before. */
  get repeats(): number {
    return this.events - this.#contents.size;
  }
}

function factOf({ 'detail-type': type, detail }: PublishedEvent): Fact & { readonly content: string } {
  switch (type) {
    case detailTypes.deliveryEvent: {
      const { messageId: id, historyEventId, status, phone } = detailSchemas[type].parse(detail);
      const content = contentOfReport(historyEventId, status, phone);
      return { type, about: `${id} ${historyEventId}`, id, content };
    }
    case detailTypes.statusChanged: {
      const { messageId: id, historyEventId, status, phone, ...change } = detailSchemas[type].parse(detail);
      const report = contentOfReport(historyEventId, status, phone);
      const content = `${report}, ${change.outcome}${change.final ? ' and final' : ''}`;
      return { type, about: `${id} ${status}`, id, content };
    }
    case detailTypes.replyReceived: {
      const { replyId: id, from: content } = detailSchemas[type].parse(detail);
      return { type, about: id, id, content };
    }
    case detailTypes.optOut: {
      const { replyId, entryId, messageId, phone: content } = detailSchemas[type].parse(detail);
      const id = replyId ?? entryId ?? messageId ?? '';
      return { type, about: id, id, content };
    }
    case detailTypes.cardExpiring: {
      const { cardId: id = 'no card', state: content } = detailSchemas[type].parse(detail);
      return { type, about: id, id, content };
    }
    default:
      return { type, about: detail.eventId, id: detail.eventId, content: '' };
  }
}
