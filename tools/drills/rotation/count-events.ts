import { rereadIntervalMs } from '../../../functions/webhook/secret-document.ts';
import type { DrillEvent, SendSummary } from '../../support/sandbox.ts';
import type { RotationElsewhere } from './incidents.ts';
import type { Refusal } from './pass-result.ts';

/** Makes three events for each message, one after the other. */
export function drillEvents(count: number): DrillEvent[] {
  const statuses = ['queued', 'sent', 'delivered'];
  return Array.from({ length: count }, (_, index) => ({
    kind: 'sms.status',
    fields: {
      messageId: `drill-${Math.floor(index / 3)}`,
      recipient: '+12025550143',
      status: statuses[index % 3] ?? '',
      occurredAt: new Date(Date.UTC(2026, 0, 15, 12, 0, index % 3)).toISOString(),
    },
  }));
}

/** Returns the name of an event in {@link import('./stored.ts').Stored}. */
export function nameOf({ fields }: DrillEvent): string {
  return `${fields.messageId} ${fields.status}`;
}

export interface EventCounts {
  readonly acknowledged: number;
  readonly stored: number;
  readonly storedUnacknowledged: number;
  readonly unexpected: number;
}

/**
 * Compares what was sent with what is in history.
 *
 * @param history the count of each event, by name
 */
export function countEvents(
  events: readonly DrillEvent[],
  failed: SendSummary['failed'],
  history: ReadonlyMap<string, number>,
): EventCounts {
  const answers = new Map(failed.map(({ event, status }) => [event, status]));
  const toBeJudged = new Map(history);
  const counts = { acknowledged: 0, stored: 0, storedUnacknowledged: 0, unexpected: 0 };
  for (const [index, event] of events.entries()) {
    const name = nameOf(event);
    const times = toBeJudged.get(name) ?? 0;
    toBeJudged.delete(name);
    const failure = answers.get(index);
    if (failure === undefined) counts.acknowledged += 1;
    // After a 401 nothing was queued. After any other answer, or none, the event may have been queued.
    if (times > 1 || (times === 1 && failure === 401)) counts.unexpected += times;
    else if (failure === undefined) counts.stored += times;
    else counts.storedUnacknowledged += times;
  }
  for (const times of toBeJudged.values()) counts.unexpected += times;
  return counts;
}

/** @param elsewhere the rotations elsewhere, in order */
export function refusals(
  { startedAt, failed }: SendSummary,
  elsewhere: readonly RotationElsewhere[],
): Refusal[] {
  return failed.map(({ status, at }) => {
    const time = Date.parse(startedAt) + at;
    const before = elsewhere.findLast(({ rotatedAt }) => rotatedAt <= time);
    if (before === undefined) return { status, isSecretUnknown: false, afterRotationElsewhereMs: undefined };
    // An instance of ingest may have read the secret just before it was stored, and reads again only after this interval.
    const isSecretUnknown = time < before.storedBy + rereadIntervalMs;
    return { status, isSecretUnknown, afterRotationElsewhereMs: time - before.rotatedAt };
  });
}
