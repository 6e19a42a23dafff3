export interface Sample {
  readonly seconds: number;
  readonly value: number;
}

/** Growth per half hour, as a share of the median, from which memory is not flat. */
export const growthLimit = 0.075;
/** A run shorter than this is not judged: what is noise in it looks like growth. */
export const judgedFromSeconds = 600;

export const flatnessRule = `flat: the least-squares slope over the last two thirds of the time, per 30 minutes, is below ${growthLimit * 100} % of their median (a leak of 10 % per 30 minutes fails); judged from ${judgedFromSeconds / 60} minutes on`;

export interface Flatness {
  /** Per half hour, as a share of the median; NaN where there is nothing to tell it from. */
  readonly growth: number;
  readonly verdict: 'flat' | 'grows' | 'too short to tell';
}

/** @param seconds how long the whole run took */
export function flatness(samples: readonly Sample[], seconds: number): Flatness {
  const judged = samples.filter((sample) => sample.seconds >= seconds / 3);
  const growth = (slope(judged) * 1800) / median(judged.map(({ value }) => value));
  if (seconds < judgedFromSeconds || Number.isNaN(growth)) return { growth, verdict: 'too short to tell' };
  return { growth, verdict: growth < growthLimit ? 'flat' : 'grows' };
}

/**
 * Whether a backlog stays: the median of its last third is at most that of the middle third and two seconds' worth of events.
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

/** Of the least squares, a second. */
function slope(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, level] = [mean(samples.map(({ seconds }) => seconds)), mean(samples.map(({ value }) => value))];
  const sum = (of: (sample: Sample) => number) => samples.reduce((total, one) => total + of(one), 0);
  return (
    sum(({ seconds, value }) => (seconds - at) * (value - level)) / sum(({ seconds }) => (seconds - at) ** 2)
  );
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle] ?? Number.NaN;
  return ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}
