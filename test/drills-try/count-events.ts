import { nameOf } from './drill-events.ts';
import type { Refusal } from './pass-result.ts';
import type { DrillEvent, SendSummary } from './sandbox.ts';

export interface EventCounts {
  readonly acknowledged: number;
  readonly stored: number;
  readonly storedUnacknowledged: number;
  readonly unexpected: number;
}

/**
 * Compares what was sent with what is in history.
 *
 * @param history how often each event is there, by name
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
    // 401 says that nothing was queued; after any other answer, or none, it may have been.
    if (times > 1 || (times === 1 && failure === 401)) counts.unexpected += times;
    else if (failure === undefined) counts.stored += times;
    else counts.storedUnacknowledged += times;
  }
  for (const times of toBeJudged.values()) counts.unexpected += times;
  return counts;
}

/** @param elsewhereAt when the secret was rotated elsewhere, milliseconds since the epoch, in order */
export function refusals({ startedAt, failed }: SendSummary, elsewhereAt: readonly number[]): Refusal[] {
  return failed.map(({ status, at }) => {
    const time = Date.parse(startedAt) + at;
    const before = elsewhereAt.findLast((rotatedAt) => rotatedAt <= time);
    return { status, afterRotationElsewhereMs: before === undefined ? undefined : time - before };
  });
}
