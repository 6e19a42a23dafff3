import { median, medianAbsoluteDeviation, quantile } from 'simple-statistics';
import type { Measured } from './measure.ts';

/** What is usual for a signal at this hour of the week. */
export interface Baseline {
  /** The median value. */
  readonly value: number;
  /** The variance between quarter hours beyond chance: sends differ in the quality of their numbers. */
  readonly between: number;
  /** The quarter hours that it was computed from. */
  readonly quarters: number;
}

/** Fewer quarter hours with enough messages are no baseline. */
export const minQuarters = 12;

/** The standard deviation of a normal distribution, in median absolute deviations. */
const deviationsOfNormal = 1.4826;

/** The distance from the median that this share of a normal distribution is within, in standard deviations. */
const outer = { share: 0.9, deviations: 1.645 };

/**
 * Computes what is usual from quarter hours of the past. The median ignores up to half of them, so that incidents of the past do not become
 * usual. What varies beyond chance is added to the variance, as in D. J. Spiegelhalter, "Handling over-dispersion of performance indicators",
 * Quality and Safety in Health Care 14 (2005). It is the larger of the deviations that the median and the outer distances from the median have:
 * large sends are rare and differ most.
 *
 * @returns undefined if there are fewer than {@link minQuarters}
 */
export function baselineOf(past: readonly Measured[]): Baseline | undefined {
  if (past.length < minQuarters) return undefined;
  const values = past.map(({ value }) => value);
  const middle = median(values);
  const distances = values.map((value) => Math.abs(value - middle));
  const spread = Math.max(
    deviationsOfNormal * medianAbsoluteDeviation(values),
    quantile(distances, outer.share) / outer.deviations,
  );
  const byChance = median(past.map(({ variance }) => variance));
  return { value: middle, between: Math.max(spread ** 2 - byChance, 0), quarters: past.length };
}

/**
 * Returns how far a quarter hour is above its baseline, in standard deviations: of chance, of what differs between quarter hours, and of the
 * baseline's own median.
 */
export function scoreOf(measured: Measured, baseline: Baseline): number {
  const ofMedian = ((Math.PI / 2) * (baseline.between + measured.variance)) / baseline.quarters;
  const deviation = Math.sqrt(measured.variance + baseline.between + ofMedian);
  return (measured.value - baseline.value) / deviation;
}
