/**
 * A percentile by nearest rank: the smallest value that so many per cent are not above. NaN where there are no values.
 *
 * @param sorted ascending
 * @param percent above 0, up to 100
 */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}
