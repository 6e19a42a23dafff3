import { rankOf } from '../statuses.ts';
import type { Message, StatusEntry } from './message.ts';

/** Id of the report that the pipeline itself makes; a message has one at most. */
export const staleEventId = 'pipeline:stale';

const hourMs = 3_600_000;

/**
 * A message that was first seen before this time and has no final report is stale; ISO 8601 in UTC.
 *
 * @param now milliseconds since the epoch
 */
export function staleBefore(now: number, staleAfterHours: number): string {
  return new Date(now - staleAfterHours * hourMs).toISOString();
}

/**
 * The report that ends the wait for a final one. Every final report of the service outranks it, whenever it comes, except
 * one of `unknown`, which says the same.
 *
 * @param now milliseconds since the epoch
 */
export function staleReport(message: Message, staleAfterHours: number, now: number): StatusEntry {
  return {
    eventId: staleEventId,
    status: 'unknown',
    rank: rankOf('unknown'),
    occurredAt: new Date(Date.parse(message.firstSeenAt) + staleAfterHours * hourMs).toISOString(),
    receivedAt: new Date(now).toISOString(),
    errorText: `no final report within ${staleAfterHours} h`,
  };
}
