import type { Period, ReasonCount } from '../../client/types.ts';
import { deliveryRate, hasFallen, hasGrown, type Part } from './rates.ts';

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
  | { readonly kind: 'rate'; readonly now: number; readonly before: number; readonly isWorse: boolean }
  | { readonly kind: 'reason'; readonly reason: string; readonly now: Part; readonly before: Part };

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
  const volume = { kind: 'volume' as const, now: volumeOf(inDay), before: volumeOf(inWeek) };
  const risen = [...countsByReason(current.failures).keys()]
    .map((reason) => ({
      kind: 'reason' as const,
      reason,
      now: partOf(reason, current),
      before: partOf(reason, before),
    }))
    .filter((change) => hasRisen(change.now, change.before))
    .toSorted((one, other) => growthOf(other) - growthOf(one))
    .slice(0, maxReasons);
  return [
    ...(rate === undefined || rateBefore === undefined
      ? []
      : [{ kind: 'rate' as const, now: rate, before: rateBefore, isWorse: hasFallen(current, before) }]),
    ...(volume.now === 0 && volume.before === 0 ? [] : [volume]),
    ...risen,
  ];
}

/** Returns how many messages failed for a reason, of all with an outcome. */
export function partOf(
  reason: string,
  { delivered, failed, failures }: Pick<Counted, 'delivered' | 'failed' | 'failures'>,
): Part {
  return { part: countsByReason(failures).get(reason) ?? 0, all: delivered + failed };
}

/** The share of messages by which a reason of failures must have risen. */
const minRise = 0.001;

/** Returns whether a reason fails a larger share of messages than before, by more than chance explains. */
export function hasRisen(now: Part, before: Part | undefined): boolean {
  return hasGrown(now, before, minRise);
}

const growthOf = ({ now, before }: { readonly now: Part; readonly before: Part }) =>
  now.part / now.all - before.part / before.all;

/** Adds up the codes of each reason. The most frequent is first. */
export function countsByReason(failures: readonly ReasonCount[] = []): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { reason, messages } of failures) counts.set(reason, (counts.get(reason) ?? 0) + messages);
  return new Map([...counts].toSorted(([, a], [, b]) => b - a));
}

/** How a volume or a rate compares with one before. Differences below 1 %, and below 0.1 points of a rate, are none. */
export function directionOf({
  kind,
  now,
  before,
}: Exclude<Change, { readonly kind: 'reason' }>): 'up' | 'down' | 'same' {
  const isSame = kind === 'rate' ? Math.abs(now - before) < 0.001 : Math.abs(now - before) < before * 0.01;
  if (isSame) return 'same';
  return now > before ? 'up' : 'down';
}
