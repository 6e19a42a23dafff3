import type { BusEvent } from '../bus/bus-event.ts';

/** What a receiver gets as JSON (Standard Webhooks, "Webhook payload"). */
export interface ForwardedEvent {
  /** The detail type. */
  readonly type: BusEvent['detailType'];
  /** When what it tells came about, or when it was published where the event has no time; ISO 8601. */
  readonly timestamp: string;
  readonly data: BusEvent['detail'];
}

/** @param publishedAt ISO 8601 */
export function forwardedEvent({ detailType, detail }: BusEvent, publishedAt: string): ForwardedEvent {
  return { type: detailType, timestamp: timeOf(detail) ?? publishedAt, data: detail };
}

function timeOf(detail: BusEvent['detail']): string | undefined {
  if ('occurredAt' in detail) return detail.occurredAt;
  if ('staleAt' in detail) return detail.staleAt;
  return 'foundAt' in detail ? detail.foundAt : undefined;
}
