import { type Baseline, baselineOf, scoreOf } from './baseline.ts';
import type { CountersByCountry } from './counters.ts';
import type { Finding } from './finding.ts';
import { slowMeasure } from './measure.ts';
import { horizonsMs } from './same-hours.ts';

// The rule by which GOV.UK Notify finds a slow provider: 15 % of the messages that did not fail took 5 minutes or longer, or have taken so long
// until now (alphagov/notifications-api, app/dao/notifications_dao.py, is_delivery_slow_for_providers). It needs no history.

/** A message is slow if it takes longer to be delivered, milliseconds from its first report. */
export const slowMs = 5 * 60_000;

/** The index of the first horizon at which all messages of a quarter hour are old enough to be slow. */
export const slowLate = horizonsMs.findIndex((ms) => ms >= slowMs);

/** The share of slow messages that is expected of a source without history. */
const assumedShare = 0.05;

/** What is known of a source. */
interface KnownOfSource {
  readonly weeks: readonly CountersByCountry[];
  readonly days: readonly CountersByCountry[];
  /** The quarter hours that are judged. */
  readonly present: readonly CountersByCountry[];
}

/**
 * Compares the share of slow messages of a source with the limit. The score compares it with what is usual, so that a few messages are not out by
 * chance. A source of which no delivery is known seems to have no delivery reports: all of its messages are expected to be slow.
 *
 * @param start the start of the quarter hour, at least {@link slowMs} before which all of its messages were reported
 * @returns undefined if there are too few messages
 */
export function slowFinding(
  current: CountersByCountry,
  { weeks, days, present }: KnownOfSource,
  start: number,
): Finding | undefined {
  const compareWith = (past: readonly CountersByCountry[]) => {
    const measure = slowMeasure(slowMs, past, 0);
    const baseline = baselineOf(past.flatMap((each) => measure.of(each) ?? []));
    return baseline === undefined ? undefined : { measure, baseline };
  };
  const known = compareWith(weeks) ?? compareWith(days);
  const hasDeliveries = [...weeks, ...days, ...present].some((quarter) =>
    [...quarter.values()].some(({ delivered }) => delivered > 0),
  );
  const withoutHistory: Baseline = { value: 0, between: 0, quarters: Number.POSITIVE_INFINITY };
  const { measure, baseline } = known ?? {
    measure: slowMeasure(slowMs, [], hasDeliveries ? assumedShare : 1),
    baseline: withoutHistory,
  };
  const measured = measure.of(current);
  if (measured === undefined) return undefined;
  const distance = measured.value - baseline.value;
  return {
    signal: 'slow-share',
    figure: measured.figure,
    usual: measure.usual(measured, distance),
    score: scoreOf(measured, baseline),
    distance,
    chance: Math.sqrt(measured.variance),
    messages: measured.messages,
    quarter: start,
    comparedWith: 'limit',
    quarters: known === undefined ? 0 : baseline.quarters,
  };
}
