import { createHash } from 'node:crypto';
import { rankOf, type StatusEvent } from '../../contract/schema/sms-event.ts';
import { encodeEnvelope } from '../../functions/webhook/envelope.ts';

/** One delivery report of a bench, and its place among those of its message. */
export interface Report {
  /** Makes the ids of one run different from those of another. */
  readonly series: string;
  readonly message: number;
  /** From 0: queued, sent, delivered. */
  readonly step: number;
}

export const statuses = ['queued', 'sent', 'delivered'] as const;
const messagesPerSend = 1000;
const begin = Date.parse('2026-01-15T12:00:00.000Z');

/** Returns the report as an event. Ids and times are as long as real ones. */
export function eventOf({ series, message, step }: Report): StatusEvent {
  const status = statuses[step] ?? 'delivered';
  return {
    kind: 'sms.status',
    eventId: eventId(`${series} report ${message} ${step}`),
    messageId: uuid(`${series} message ${message}`),
    sendId: uuid(`${series} send ${Math.floor(message / messagesPerSend)}`),
    phone: phoneOf(message),
    status,
    rank: rankOf(status),
    occurredAt: timeAfter(message * 37 + step * 2113),
  };
}

/** Returns when the webhook received the report; ISO 8601 in UTC. */
export function receivedAt({ occurredAt }: StatusEvent): string {
  return new Date(Date.parse(occurredAt) + 431).toISOString();
}

/** Returns what the service posts for the report. */
export function contentOf(event: StatusEvent) {
  const { kind, messageId, sendId, phone, status, occurredAt } = event;
  const data = { id: messageId, send_id: sendId, to: phone, status, occurred_at: occurredAt };
  return { type: kind, timestamp: receivedAt(event), data };
}

/** The same as the body of a request. */
export function bodyOf(event: StatusEvent): Buffer {
  return Buffer.from(JSON.stringify(contentOf(event)));
}

/** Returns the queue message with which ingest passes on the report, verified. */
export function envelopeOf(event: StatusEvent, requestId: string): string {
  const { eventId: signedId } = event;
  return encodeEnvelope({ requestId, receivedAt: receivedAt(event), signedId, body: bodyOf(event) });
}

/** Returns a fictitious number. */
export function phoneOf(message: number): string {
  return `+120255501${String(message % 100).padStart(2, '0')}`;
}

/** Returns the time so many milliseconds after the first report; ISO 8601 in UTC. */
export function timeAfter(milliseconds: number): string {
  return new Date(begin + milliseconds).toISOString();
}

/** Returns the id of a request, the same for the same text. */
export function eventId(text: string): string {
  return `msg_${digest(text).slice(0, 27)}`;
}

/** Returns the same id for the same text. */
export function uuid(text: string): string {
  return digest(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
