import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks again and again until the answer is something other than undefined or false.
 *
 * @param deadlineMs ends a wait that would never end; it judges no speed. By default it is long enough for a message that the worker
 *   receives again after 121 seconds, and too short for one of an automation: six minutes
 * @throws when that has not come within the deadline
 */
export async function until<T>(
  what: string,
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = 240_000,
): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await delay(20);
  }
}
