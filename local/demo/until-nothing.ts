import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 60_000;

/** Asks until nothing is missing; what still is at the deadline comes back. */
export async function untilNothing(ask: () => Promise<string[]>): Promise<string[]> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const missing = await ask();
    if (missing.length === 0 || Date.now() > deadline) return missing;
    await delay(100);
  }
}
