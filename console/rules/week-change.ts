import type { Period, ReasonCount } from '../../client/types.ts';
import { deliveryRate } from './rates.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];

/** A time as the query API takes it; ISO 8601. */
export interface Span {
  readonly since: string;
  readonly until: string;
}

/** The hours of the tiles, of which the last one has not ended, and the same hours a week before. */
export function comparedSpans(now: number): { readonly current: Span; readonly before: Span } {
  const until = now - (now % hourMs) + hourMs;
  const spanUntil = (end: number) => ({
    since: new Date(end - dayMs).toISOString(),
    until: new Date(end).toISOString(),
  });
  return { current: spanUntil(until), before: spanUntil(until - 7 * dayMs) };
}

type Counted = Pick<Period, 'messages' | 'delivered' | 'failed' | 'failures'>;

/** The figures of one of the compared spans. */
export interface Compared extends Span {
  readonly total: Counted;
  readonly periods: readonly Pick<Period, 'start' | 'messages'>[];
}

/** Adds up the hours that are over: the last one of a span would make its volume look low. */
function volumeOf({ periods, until }: Compared): number {
  const lastStart = Date.parse(until) - hourMs;
  const whole = periods.filter(({ start }) => Date.parse(start) < lastStart);
  return whole.reduce((sum, { messages }) => sum + messages, 0);
}

export type Change =
  | { readonly kind: 'volume'; readonly now: number; readonly before: number }
  /** Rates from 0 to 1. */
  | { readonly kind: 'rate'; readonly now: number; readonly before: number }
  | { readonly kind: 'reason'; readonly reason: string; readonly now: number; readonly before: number };

/** A reason that rose by fewer messages than this is noise. */
const minRise = 5;
/** The share of all failures by which a reason must have risen. */
const minRiseShare = 0.05;
const maxReasons = 3;

/**
 * Returns what changed since a week before: the volume, the delivery rate, and the reasons of failures that rose most. Volume and rate are always
 * among them where they are known, so that "as last week" can be read, too. Without messages a week before there is nothing to compare. The
 * volume is that of whole hours; rate and reasons include the current hour, because an incident may have begun in it.
 */
export function changesSince(inDay: Compared, inWeek: Compared): readonly Change[] {
  const { total: current } = inDay;
  const { total: before } = inWeek;
  if (before.messages === 0) return [];
  const [rate, rateBefore] = [deliveryRate(current), deliveryRate(before)];
  const counts = countsByReason(current.failures);
  const countsBefore = countsByReason(before.failures);
  const risen = [...counts]
    .map(([reason, now]) => ({ kind: 'reason' as const, reason, now, before: countsBefore.get(reason) ?? 0 }))
    .filter((change) => isRise(change, current.failed))
    .toSorted((a, b) => b.now - b.before - (a.now - a.before))
    .slice(0, maxReasons);
  return [
    ...(rate === undefined || rateBefore === undefined
      ? []
      : [{ kind: 'rate' as const, now: rate, before: rateBefore }]),
    { kind: 'volume', now: volumeOf(inDay), before: volumeOf(inWeek) },
    ...risen,
  ];
}

/** Whether the failures of a reason rose by more than noise. @param failed all failures now */
export function isRise({ now, before }: Pick<Change, 'now' | 'before'>, failed: number): boolean {
  return now - before >= Math.max(minRise, failed * minRiseShare);
}

/** Adds up the codes of each reason. The most frequent is first. */
export function countsByReason(failures: readonly ReasonCount[] = []): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { reason, messages } of failures) counts.set(reason, (counts.get(reason) ?? 0) + messages);
  return new Map([...counts].toSorted(([, a], [, b]) => b - a));
}

/** How a value compares with one before. Differences below 1 %, and below 0.1 points of a rate, are none. */
export function directionOf({ kind, now, before }: Change): 'up' | 'down' | 'same' {
  const isSame = kind === 'rate' ? Math.abs(now - before) < 0.001 : Math.abs(now - before) < before * 0.01;
  if (isSame) return 'same';
  return now > before ? 'up' : 'down';
}
