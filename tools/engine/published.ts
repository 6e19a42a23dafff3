import { createHash } from 'node:crypto';
import { detailSchemas } from '../../functions/bus/details.ts';
import { detailTypes } from '../../functions/bus/event-types.ts';
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
  /** The report in history that it comes from, for facts of messages. */
  readonly reportId?: string | undefined;
}

/** A fact that was published. */
export interface PublishedFact extends Fact {
  /** When its first event came, milliseconds since the epoch. */
  readonly firstAt: number;
  /** The number of its events under each event id. */
  readonly eventIds: Map<string, number>;
  /** The reports that its events come from. */
  readonly reportIds: Set<string>;
}

/** Returns the identity of a fact. */
export function factKey({ type, about }: Pick<Fact, 'type' | 'about'>): string {
  return `${type} ${about}`;
}

const drifts: ReadonlySet<string> = new Set([detailTypes.webhookDrifted, detailTypes.contractDrifted]);

/** What was published: facts by {@link factKey}, without drift, because the pipeline may notice one change several times. */
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

  /** Records what the bus has got since the last call. */
  read(bus: LocalBus): Promise<void> {
    // One after the other: each goes on where the last one that succeeded has ended.
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
    const fact = factOf(event);
    const isNew = !this.facts.has(factKey(fact));
    if (isNew && fact.type === detailTypes.deliveryEvent) this.reports += 1;
    const empty = { eventIds: new Map(), reportIds: new Set<string>() };
    const known = this.facts.get(factKey(fact)) ?? { ...fact, ...empty, firstAt: at };
    countIn(known.eventIds, eventId);
    if (fact.reportId !== undefined) {
      known.reportIds.add(fact.reportId);
      this.messages.add(fact.id);
    }
    this.facts.set(factKey(fact), known);
  }

  /** The number of events under an id that had been published before. */
  get repeats(): number {
    return this.events - this.#contents.size;
  }
}

function factOf({ 'detail-type': type, detail }: PublishedEvent): Fact {
  switch (type) {
    case detailTypes.deliveryEvent: {
      const { messageId, historyEventId } = detailSchemas[type].parse(detail);
      return { type, about: `${messageId} ${historyEventId}`, id: messageId, reportId: historyEventId };
    }
    case detailTypes.statusChanged: {
      const { messageId, status, historyEventId } = detailSchemas[type].parse(detail);
      return { type, about: `${messageId} ${status}`, id: messageId, reportId: historyEventId };
    }
    case detailTypes.replyReceived:
    case detailTypes.optOut: {
      const { replyId } = detailSchemas[type].parse(detail);
      return { type, about: replyId, id: replyId };
    }
    case detailTypes.cardExpiring: {
      const { cardId = 'no card' } = detailSchemas[type].parse(detail);
      return { type, about: cardId, id: cardId };
    }
    default:
      return { type, about: detail.eventId, id: detail.eventId };
  }
}
