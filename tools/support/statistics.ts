/**
 * A percentile by nearest rank: the smallest value that so many per cent are not above. NaN where there are no values.
 *
 * @param sorted ascending
 * @param percent above 0, up to 100
 */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}

/** The middle value, or the mean of the two in the middle; NaN where there is none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return (low + high) / 2;
}

/** An estimate with the interval that holds the true value 95 times in 100, whatever the distribution is. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Estimates the median. The interval is that of the sign test: its ends are measured values. With fewer than six values it is their range,
 * which holds the median less often.
 */
export function estimateMedian(values: readonly number[]): Estimate {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  // Both tails together, so each below 0.025 of the 2^count ways to lie on one side of the median.
  let skipped = 0;
  for (let ways = 1, tail = 1; tail / 2 ** count <= 0.025; skipped++) {
    ways = (ways * (count - skipped)) / (skipped + 1);
    tail += ways;
  }
  return interval(median(sorted), sorted, Math.max(skipped, 1));
}

/**
 * Estimates by which factor values differ from others that were measured at another time: the median of all quotients, with the interval of
 * the rank-sum test (Hodges and Lehmann). Both lists hold positive numbers.
 */
export function estimateQuotient(values: readonly number[], others: readonly number[]): Estimate {
  const quotients = values.flatMap((value) => others.map((other) => value / other)).toSorted((a, b) => a - b);
  const [n, m] = [values.length, others.length];
  const rank = Math.floor((n * m) / 2 - 1.96 * Math.sqrt((n * m * (n + m + 1)) / 12));
  return interval(median(quotients), quotients, Math.max(rank, 1));
}

/** @param rank counts from both ends of the sorted values, from 1 */
function interval(value: number, sorted: readonly number[], rank: number): Estimate {
  return { value, low: sorted[rank - 1] ?? Number.NaN, high: sorted.at(-rank) ?? Number.NaN };
}
