import { describe, expect, it } from 'vitest';
import { type SenderPorts, sendEvents } from '../../../../local/sms-service/sender.ts';

const begin = Date.parse('2026-01-15T12:00:00.000Z');

/** Time that goes on only where all that is under way waits for it. */
function virtualTime() {
  let now = begin;
  const sleepers: { at: number; wake: (value?: unknown) => void }[] = [];
  const sleep = (ms: number) => new Promise((wake) => sleepers.push({ at: now + ms, wake }));
  const ports: SenderPorts = {
    clock: () => now,
    sleep,
    random: () => 0,
    signal: new AbortController().signal,
  };
  return {
    ports,
    sleep,
    /** Milliseconds since the begin. */
    elapsed: () => now - begin,
    async run<T>(work: Promise<T>): Promise<T> {
      let isDone = false;
      const end = () => {
        isDone = true;
      };
      void work.then(end, end);
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        if (isDone) return work;
        sleepers.sort((one, other) => one.at - other.at);
        const next = sleepers.shift();
        if (next === undefined) throw new Error('nothing goes on any more');
        now = Math.max(now, next.at);
        next.wake();
      }
    },
  };
}

const options = { repeats: 0, shuffle: false, delayMs: 0, attempts: 1 };

describe('sending at a rate', () => {
  it('starts copies at that rate, independent of their answers', async () => {
    const { ports, sleep, elapsed, run } = virtualTime();
    const starts: number[] = [];
    const work = sendEvents(
      10,
      { ...options, ratePerSecond: 10, concurrency: 1_000 },
      async () => {
        starts.push(elapsed());
        await sleep(3_000);
        return 200;
      },
      ports,
    );
    expect(await run(work)).toMatchObject({ sent: 10, accepted: 10, startedAt: '2026-01-15T12:00:00.000Z' });
    expect(starts).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
  });

  it('sends at most the concurrent copies that are allowed, and catches up later', async () => {
    const { ports, sleep, elapsed, run } = virtualTime();
    const starts: number[] = [];
    let slow = true;
    const work = sendEvents(
      6,
      { ...options, ratePerSecond: 10, concurrency: 2 },
      async () => {
        starts.push(elapsed());
        if (slow) await sleep(350 - elapsed());
        slow = false;
        return 200;
      },
      ports,
    );
    await run(work);
    expect(starts).toEqual([0, 100, 350, 350, 400, 500]);
  });

  it('returns the time of the first attempt of each failed copy', async () => {
    const { ports, run } = virtualTime();
    const work = sendEvents(
      5,
      { ...options, attempts: 2, ratePerSecond: 10, concurrency: 1_000 },
      async (event) => (event === 1 || event === 3 ? 401 : 200),
      ports,
    );
    const { failed, attempts } = await run(work);
    expect(failed).toEqual([
      { event: 1, status: 401, at: 100 },
      { event: 3, status: 401, at: 300 },
    ]);
    expect(attempts).toBe(7);
  });
});
