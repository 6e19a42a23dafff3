import { describe, expect, it } from 'vitest';
import type { SecretDocument } from '../../../../../functions/registration/secret/secret-document.ts';
import { createSecretCache } from '../../../../../functions/registration/secret/webhook-secret-store.ts';
import { recorder } from '../../../../support/recorder.ts';

const documentWith = (secret: string): SecretDocument => ({
  version: 1,
  current: { secret, since: '2026-01-15T12:00:00.000Z' },
});
const [a, b] = [documentWith('a'), documentWith('b')];
const down = new Error('down');

/**
 * A cache over a store that takes `readMs` to answer, with both clocks showing `now`. The wall clock was set back by `setBackMs`; the
 * monotonic clock stood still for `frozenMs`.
 */
function cacheOver(answer: SecretDocument | undefined | Error) {
  const state = { now: 0, setBackMs: 0, frozenMs: 0, reads: 0, readMs: 0, answer };
  const { log, lines } = recorder();
  const cache = createSecretCache(
    async () => {
      const { answer } = state;
      state.reads += 1;
      state.now += state.readMs;
      if (answer instanceof Error) throw answer;
      return answer && { document: answer };
    },
    {
      wall: () => Date.UTC(2026, 0, 15, 12) + state.now - state.setBackMs,
      monotonic: () => state.now - state.frozenMs,
    },
    log,
  );
  return { cache, state, lines };
}

type Change = Partial<Omit<ReturnType<typeof cacheOver>['state'], 'now' | 'reads'>>;

/** A call at a time in ms: what it returns or throws, and how many reads of the store began until then. `change` comes before it. */
const call = (
  at: number,
  name: 'readAhead' | 'read' | 'reread',
  outcome: SecretDocument | Error | undefined,
  reads: number,
  change: Change = {},
) => ({ at, name, outcome, reads, change });

describe('the secret cache', () => {
  it.each<[promise: string, ...calls: ReturnType<typeof call>[]]>([
    [
      'serves the first minute from the read at cold start',
      call(0, 'readAhead', undefined, 1),
      call(59_999, 'read', a, 1),
    ],
    [
      'leaves the read to the first request if nothing is registered at cold start',
      call(0, 'readAhead', undefined, 1, { answer: undefined }),
      call(0, 'read', a, 2, { answer: a }),
    ],
    [
      'leaves the read to the first request if the store fails at cold start',
      call(0, 'readAhead', undefined, 1, { answer: down }),
      call(0, 'read', a, 2, { answer: a }),
    ],
    [
      'counts the minute from before the call: the answer may be as old as that',
      call(0, 'read', a, 1, { readMs: 1_500 }),
      call(59_999, 'read', a, 1, { answer: b }),
      call(60_000, 'read', b, 2),
    ],
    [
      'calls the store again soon while nothing is registered',
      call(0, 'read', undefined, 1, { answer: undefined }),
      call(499, 'read', undefined, 1, { answer: a }),
      call(500, 'read', a, 2),
    ],
    [
      'throws the error of the store if nothing is cached, and reads again after half a second',
      call(0, 'read', down, 1, { answer: down }),
      call(499, 'read', down, 1),
      call(500, 'read', down, 2),
      call(1_000, 'read', a, 3, { answer: a }),
    ],
    [
      'reads at once on a mismatch, if the last read began half a second ago, however long it took',
      call(0, 'read', a, 1, { readMs: 400 }),
      call(499, 'reread', a, 1, { answer: b }),
      call(500, 'reread', b, 2),
    ],
    [
      'renews the cached secret on a mismatch',
      call(0, 'read', a, 1),
      call(50_000, 'reread', a, 2),
      call(109_999, 'read', a, 2),
    ],
    [
      'causes few reads by mismatches in an outage, which leaves unknown whether the request was genuine',
      call(0, 'read', a, 1),
      call(2_000, 'reread', down, 2, { answer: down }),
      call(2_000, 'reread', down, 2),
      call(2_000, 'read', a, 2),
      call(4_000, 'reread', b, 3, { answer: b }),
      call(4_000, 'reread', b, 3),
    ],
    [
      'forgets a deleted secret on a mismatch',
      call(0, 'read', a, 1),
      call(2_000, 'reread', undefined, 2, { answer: undefined }),
    ],
    [
      'reads on a mismatch after a wall clock was set back by less than the time since the last read',
      call(0, 'read', a, 1),
      call(5_000, 'reread', b, 2, { answer: b, setBackMs: 4_800 }),
    ],
    [
      'accepts a revoked secret for no more than a minute after a wall clock was set back by an hour',
      call(0, 'read', a, 1),
      call(60_000, 'read', b, 2, { answer: b, setBackMs: 3_600_000 }),
    ],
    [
      'reads once, and then no more than usual, after a wall clock was set back to before the last read',
      call(0, 'read', a, 1),
      call(0, 'reread', b, 2, { answer: b, setBackMs: 1 }),
      call(499, 'reread', b, 2),
      call(500, 'reread', b, 3),
      call(999, 'reread', b, 3),
    ],
    [
      'reads on a mismatch after the monotonic clock stopped while the process was frozen',
      call(0, 'read', a, 1),
      call(500, 'reread', b, 2, { answer: b, frozenMs: 500 }),
    ],
    [
      'accepts a revoked secret for no more than a minute after the monotonic clock stopped',
      call(0, 'read', a, 1),
      call(60_000, 'read', b, 2, { answer: b, frozenMs: 60_000 }),
    ],
  ])('%s', async (_, ...calls) => {
    const { cache, state } = cacheOver(a);
    for (const { at, name, outcome, reads, change } of calls) {
      Object.assign(state, { now: at, ...change });
      if (outcome instanceof Error) await expect(cache[name]()).rejects.toBe(outcome);
      else expect(await cache[name](), `${name} at ${at} ms`).toBe(outcome);
      expect(state.reads, `reads until ${at} ms`).toBe(reads);
    }
  });

  it('reads for the first request itself if the read at cold start fails during it', async () => {
    const { cache, state } = cacheOver(down);
    const [, known] = await Promise.allSettled([cache.readAhead(), cache.read()]);
    expect(known).toMatchObject({ status: 'rejected', reason: down });
    expect(state.reads).toBe(2);
  });

  it('calls the store once for all concurrent callers, whether it answers or fails', async () => {
    const { cache, state } = cacheOver(a);
    expect(await Promise.all([cache.read(), cache.read(), cache.reread()])).toEqual([a, a, a]);
    const failing = cacheOver(down);
    const outcomes = await Promise.allSettled([failing.cache.read(), failing.cache.read()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect([state.reads, failing.state.reads]).toEqual([1, 1]);
  });

  it('keeps the cached secret in use during an outage, causes few reads, and logs each', async () => {
    const { cache, state, lines } = cacheOver(a);
    await cache.read();
    state.answer = down;
    for (state.now = 60_000; state.now < 61_000; state.now += 100) expect(await cache.read()).toBe(a);
    expect(state.reads).toBe(3);
    expect(lines).toEqual(Array(2).fill({ name: 'SECRET_STALE', fields: { error: 'Error' } }));
  });

  it('uses the result of the newest read, in any order of answers', async () => {
    const answers: ((document: SecretDocument) => void)[] = [];
    let now = Date.UTC(2026, 0, 15, 12);
    const cache = createSecretCache(
      () => new Promise((resolve) => answers.push((document) => resolve({ document }))),
      { wall: () => now, monotonic: () => now },
      recorder().log,
    );
    const ahead = cache.readAhead();
    now += 500;
    const reread = cache.reread();
    answers[1]?.(b);
    expect(await reread).toBe(b);
    answers[0]?.(a);
    await ahead;
    expect(await cache.reread()).toBe(b);
    expect(await cache.read()).toBe(b);
  });
});
