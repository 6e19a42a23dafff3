/**
 * A percentile by nearest rank: the smallest value that so many per cent are not above. NaN if there are no values.
 *
 * @param sorted ascending
 * @param percent above 0, up to 100
 */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}

/** The middle value, or the mean of the two in the middle; NaN if there is none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const low = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  const high = sorted[Math.floor(middle)] ?? Number.NaN;
  return (low + high) / 2;
}
