import { isDeepStrictEqual } from 'node:util';
import { detailSchemas } from '../../../functions/bus/details.ts';
import { detailTypes } from '../../../functions/bus/event-types.ts';
import type { PublishedEvent } from '../../support/local-bus.ts';

/** A fact that events publish. */
export interface Fact {
  /** The detail type of its events. */
  readonly type: string;
  /** A report's message and event id, a change's message and status, otherwise {@link Fact.id}. */
  readonly about: string;
  /** The message, reply or card it belongs to. */
  readonly id: string;
}

/** A published fact, and the ids of its events. */
interface PublishedFact extends Fact {
  readonly eventIds: ReadonlySet<string>;
}

/** Returns the identity of a fact. */
export function factKey({ type, about }: Fact): string {
  return `${type} ${about}`;
}

const drifts: ReadonlySet<string> = new Set([detailTypes.webhookDrifted, detailTypes.contractDrifted]);

/** Returns the published facts by {@link factKey}, without drift: the pipeline may notice one change several times. */
export function publishedFacts(events: readonly PublishedEvent[]): ReadonlyMap<string, PublishedFact> {
  const facts = new Map<string, PublishedFact>();
  for (const event of events) {
    if (drifts.has(event['detail-type'])) continue;
    const fact = factOf(event);
    const eventIds = facts.get(factKey(fact))?.eventIds ?? [];
    facts.set(factKey(fact), { ...fact, eventIds: new Set([...eventIds, event.detail.eventId]) });
  }
  return facts;
}

/** Returns the ids of events that were repeated with another content. */
export function contradictions(events: readonly PublishedEvent[]): string[] {
  const details = new Map<string, object>();
  const found = new Set<string>();
  for (const { detail } of events) {
    const before = details.get(detail.eventId) ?? detail;
    if (!isDeepStrictEqual(before, detail)) found.add(detail.eventId);
    details.set(detail.eventId, before);
  }
  return [...found];
}

function factOf({ 'detail-type': type, detail }: PublishedEvent): Fact {
  switch (type) {
    case detailTypes.deliveryEvent: {
      const { messageId, historyEventId } = detailSchemas[type].parse(detail);
      return { type, about: `${messageId} ${historyEventId}`, id: messageId };
    }
    case detailTypes.statusChanged: {
      const { messageId, status } = detailSchemas[type].parse(detail);
      return { type, about: `${messageId} ${status}`, id: messageId };
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
