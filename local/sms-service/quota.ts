/**
 * Lets so many calls through in any window of so many milliseconds.
 *
 * @returns takes one call: 0 if it goes through, otherwise the milliseconds until the next one would
 */
export function createQuota(calls: number, windowMs: number, clock: () => number): () => number {
  let taken: number[] = [];
  return () => {
    const now = clock();
    taken = taken.filter((time) => now - time < windowMs);
    const [oldest = now] = taken;
    if (taken.length >= calls) return oldest + windowMs - now;
    taken.push(now);
    return 0;
  };
}
