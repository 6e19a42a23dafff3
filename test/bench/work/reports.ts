import type { StatusEvent } from '../../../functions/core/events/event.ts';
import { rankOf } from '../../../functions/core/statuses.ts';
import { digest, uuid } from '../made-ids.ts';

/** One delivery report of a run, and its place among its message's. */
export interface Report {
  /** Different from that of any other message. */
  readonly message: number;
  /** From 0: queued, sent, delivered. */
  readonly step: number;
}

/** How many reports of one message stand beside each other. */
export type PerMessage = 1 | 3;

const statuses = ['queued', 'sent', 'delivered'] as const;
const messagesPerSend = 1000;
const begin = Date.parse('2026-01-15T12:00:00.000Z');

/**
 * Reports in the order in which they come: of another message each, or all three of a message before those of the next.
 *
 * @param first the first message's number
 */
export function reportsOf(count: number, perMessage: PerMessage, first: number): Report[] {
  return Array.from({ length: count }, (_, index) => ({
    message: first + Math.floor(index / perMessage),
    step: index % 3,
  }));
}

/** The report as an event; ids and times are as long as real ones. */
export function statusEvent({ message, step }: Report): StatusEvent {
  const status = statuses[step] ?? 'delivered';
  return {
    kind: 'sms.status',
    eventId: `msg_${digest(`event ${message} ${step}`).slice(0, 27)}`,
    messageId: uuid(`message ${message}`),
    sendId: uuid(`send ${Math.floor(message / messagesPerSend)}`),
    phone: `+120255501${String(message % 100).padStart(2, '0')}`,
    status,
    rank: rankOf(status),
    occurredAt: new Date(begin + message * 37 + step * 2113).toISOString(),
  };
}

/** When the webhook received it; ISO 8601 in UTC. */
export function receivedAt({ occurredAt }: StatusEvent): string {
  return new Date(Date.parse(occurredAt) + 431).toISOString();
}
