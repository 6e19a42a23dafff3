import { median } from '../../support/statistics.ts';

export interface Sample {
  readonly seconds: number;
  readonly value: number;
}

/** Growth of the peak per half hour, as a share of it, from which memory is not flat. */
const growthLimit = 0.075;
/** A run shorter than this is not judged: a noise of 1 % between the thirds of ten minutes looks like 9 % in half an hour. */
const judgedFromSeconds = 1800;

export const flatnessRule = `flat: from the second third of the time to the last the peak grows by less than ${growthLimit * 100} % per 30 minutes (a leak of 10 % fails; what is collected as garbage falls and rises again below it); judged from ${judgedFromSeconds / 60} minutes on`;

export interface Flatness {
  /** The growth per half hour, as a share of the median; NaN without enough samples. */
  readonly growth: number;
  readonly verdict: 'flat' | 'grows' | 'too short to judge';
}

/** @param seconds how long the whole run took */
export function flatness(samples: readonly Sample[], seconds: number): Flatness {
  const peak = (from: number, to: number) =>
    samples
      .filter((sample) => sample.seconds >= seconds * from && sample.seconds < seconds * to)
      .reduce((highest, { value }) => Math.max(highest, value), Number.NEGATIVE_INFINITY);
  const growth = (peak(2 / 3, 1) / peak(1 / 3, 2 / 3) - 1) * (1800 / (seconds / 3));
  if (seconds < judgedFromSeconds || Number.isNaN(growth)) return { growth, verdict: 'too short to judge' };
  return { growth, verdict: growth < growthLimit ? 'flat' : 'grows' };
}

/**
 * Returns whether a backlog stays: the median of its last third is at most that of the middle third and two seconds' worth of events.
 * A run shorter than two minutes is taken for bounded: in it the functions still start.
 *
 * @param perSecond events
 */
export function isBounded(samples: readonly Sample[], seconds: number, perSecond: number): boolean {
  const medianOf = (from: number, to: number) =>
    median(
      samples
        .filter((sample) => sample.seconds >= seconds * from && sample.seconds < seconds * to)
        .map(({ value }) => value),
    );
  const [middle, last] = [medianOf(1 / 3, 2 / 3), medianOf(2 / 3, 1)];
  return seconds < 120 || Number.isNaN(middle) || Number.isNaN(last) || last <= middle + 2 * perSecond;
}
