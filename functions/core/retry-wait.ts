/**
 * How long something that just failed waits for its next try. What counts is the time since it first came, not how often
 * it failed: what hindered a try, or came late, takes none of the tries that are left.
 *
 * @param delaysSeconds the waits between tries that fail at once
 * @param ageSeconds since it first came
 * @returns seconds until the next time of the schedule; undefined where the last one has passed
 */
export function retryWait(delaysSeconds: readonly number[], ageSeconds: number): number | undefined {
  let next = 0;
  for (const delay of delaysSeconds) {
    next += delay;
    if (next > ageSeconds) return Math.ceil(next - ageSeconds);
  }
  return undefined;
}
