/** What was received fewer times may have been tried once, or not at all, when its schedule is over. */
const leastReceives = 3;

/**
 * How long something that just failed waits for its next try. What counts is the time since it first came, not how often
 * it failed: a try that takes long, or comes late, leaves out those whose time has passed. What first came so long ago that
 * the schedule is over, but came fewer than three times, waits its first waits.
 *
 * @param delaysSeconds the waits between tries that fail at once
 * @param ageSeconds since it first came
 * @param receives how often it came, with this time
 * @returns seconds; undefined where it is to be given up
 */
export function retryWait(
  delaysSeconds: readonly number[],
  ageSeconds: number,
  receives: number,
): number | undefined {
  let next = 0;
  for (const delay of delaysSeconds) {
    next += delay;
    if (next > ageSeconds) return Math.ceil(next - ageSeconds);
  }
  return receives < leastReceives ? delaysSeconds[receives - 1] : undefined;
}
