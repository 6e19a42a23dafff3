import { isDeepStrictEqual } from 'node:util';
import { detailSchemas } from '../../../functions/bus/details.ts';
import { detailTypes } from '../../../functions/bus/event-types.ts';
import type { PublishedEvent } from '../../support/local-bus.ts';

/** A fact that events tell of. */
export interface Fact {
  /** The detail type it is told under. */
  readonly type: string;
  /** Of a report the message and the report, of a change the message and the status, else {@link Fact.id}. */
  readonly about: string;
  /** The message, reply or card it belongs to. */
  readonly id: string;
}

/** A fact that was told, and the ids of the events that told it. */
interface ToldFact extends Fact {
  readonly eventIds: ReadonlySet<string>;
}

/** What makes facts the same. */
export function factKey({ type, about }: Fact): string {
  return `${type} ${about}`;
}

const drifts: ReadonlySet<string> = new Set([detailTypes.webhookDrifted, detailTypes.contractDrifted]);

/** The facts that events told, by {@link factKey}. What was changed at the service is none: how often it is noticed is not promised. */
export function toldFacts(events: readonly PublishedEvent[]): ReadonlyMap<string, ToldFact> {
  const facts = new Map<string, ToldFact>();
  for (const event of events) {
    if (drifts.has(event['detail-type'])) continue;
    const fact = factOf(event);
    const eventIds = facts.get(factKey(fact))?.eventIds ?? [];
    facts.set(factKey(fact), { ...fact, eventIds: new Set([...eventIds, event.detail.eventId]) });
  }
  return facts;
}

/** Ids of events that came again and said something else. */
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
