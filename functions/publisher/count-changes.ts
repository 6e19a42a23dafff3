import type { HistoryChange } from '../core/bus/history-events.ts';
import { compareEntries, decidingEntry, hasConflict, type StatusEntry } from '../core/history/message.ts';
import { staleEventId } from '../core/history/stale.ts';
import { type CanonicalStatus, canonicalStatuses, unmappedRank } from '../core/statuses.ts';
import type { Count, MetricName } from '../runtime/metric-catalogue.ts';

const reportMetrics: Readonly<Record<CanonicalStatus, MetricName>> = {
  accepted: 'reportsAccepted',
  queued: 'reportsQueued',
  sent: 'reportsSent',
  unknown: 'reportsUnknown',
  expired: 'reportsExpired',
  rejected: 'reportsRejected',
  failed: 'reportsFailed',
  undelivered: 'reportsUndelivered',
  delivered: 'reportsDelivered',
  read: 'reportsRead',
};

/**
 * Counts what is new in history: reports by status, those that came too late to decide anything, and messages that became
 * contradictory; not the pipeline's own report that a message is stale. Here and not in the worker, since most of its writes know
 * nothing of what was there before.
 */
export function countChanges(changes: readonly HistoryChange[], count: Count): void {
  for (const change of changes) {
    if (change.kind !== 'message') continue;
    const { before, after } = change;
    const fresh = [...after.events.values()].filter(
      ({ eventId }) => eventId !== staleEventId && before?.events.has(eventId) !== true,
    );
    for (const entry of fresh) count(metricOf(entry));
    if (hasConflict(after) && !(before && hasConflict(before))) count('conflicting');
    if (before === undefined) continue;
    const deciding = decidingEntry(before);
    const late = fresh.filter((entry) => compareEntries(entry, deciding) < 0);
    if (late.length > 0) count('superseded', late.length);
  }
}

function metricOf({ status, rank }: StatusEntry): MetricName {
  const canonical = canonicalStatuses.find((known) => known === status);
  return canonical === undefined || rank === unmappedRank ? 'reportsUnmapped' : reportMetrics[canonical];
}
