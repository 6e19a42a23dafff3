/** How many there were of something at a moment. */
export interface Progress {
  /** Since whenever. */
  readonly seconds: number;
  readonly count: number;
}

/**
 * How many came a second, from the first look that saw any to the first that saw all. What was seen by then does not count: it
 * came in a time that nobody knows. NaN where all came between two looks.
 *
 * @param samples in order
 */
export function rateOf(samples: readonly Progress[]): number {
  const first = samples.find(({ count }) => count > 0);
  const all = samples.at(-1)?.count;
  const last = samples.find(({ count }) => count === all);
  if (first === undefined || last === undefined || last === first) return Number.NaN;
  return (last.count - first.count) / (last.seconds - first.seconds);
}
