import { describe, expect, it } from 'vitest';
import type { SecretDocument } from '../../../../functions/webhook/secret-document.ts';
import { createSecretCache } from '../../../../functions/webhook/webhook-secret-store.ts';
import { recorder } from '../../../../tools/support/recorder.ts';

const documentWith = (secret: string): SecretDocument => ({
  version: 1,
  current: { secret, since: '2026-01-15T12:00:00.000Z' },
});
const [a, b] = [documentWith('a'), documentWith('b')];

/**
 * A cache over a store, with both clocks showing `now`. The wall clock was set back by `setBackMs`; the monotonic clock stood still for `frozenMs`.
 *
 * @param readMs how long the store takes to answer
 */
function cacheOver(first: SecretDocument | undefined | Error, readMs = 0) {
  const state = { now: 0, setBackMs: 0, frozenMs: 0, reads: 0, answer: first };
  const { log, lines } = recorder();
  const cache = createSecretCache(
    async () => {
      const { answer } = state;
      state.reads += 1;
      state.now += readMs;
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

describe('a read at cold start', () => {
  it('serves the first minute', async () => {
    const { cache, state } = cacheOver(a);
    await cache.readAhead();
    state.now = 59_999;
    expect(await cache.read()).toBe(a);
    expect(state.reads).toBe(1);
  });

  it.each([
    ['nothing is registered', undefined],
    ['the store fails', new Error('down')],
  ])('leaves the read to the first request if %s', async (_, answer) => {
    const { cache, state } = cacheOver(answer);
    await cache.readAhead();
    state.answer = a;
    expect(await cache.read()).toBe(a);
    expect(state.reads).toBe(2);
  });
});

it('a request during the read at cold start reads the secret itself if that read fails', async () => {
  const { cache, state } = cacheOver(new Error('down'));
  const [, known] = await Promise.allSettled([cache.readAhead(), cache.read()]);
  expect(known).toMatchObject({ status: 'rejected', reason: { message: 'down' } });
  expect(state.reads).toBe(2);
});

describe('reading the secret', () => {
  it('calls the store once a minute', async () => {
    const { cache, state } = cacheOver(a);
    expect(await cache.read()).toBe(a);
    state.now = 59_999;
    expect(await cache.read()).toBe(a);
    expect(state.reads).toBe(1);
    state.now = 60_000;
    state.answer = b;
    expect(await cache.read()).toBe(b);
    expect(state.reads).toBe(2);
  });

  it('calls the store once for all concurrent callers', async () => {
    const { cache, state } = cacheOver(a);
    expect(await Promise.all([cache.read(), cache.read(), cache.reread()])).toEqual([a, a, a]);
    expect(state.reads).toBe(1);
  });

  it('fails all concurrent reads when the store failed, and reads again later', async () => {
    const { cache, state } = cacheOver(new Error('down'));
    const outcomes = await Promise.allSettled([cache.read(), cache.read()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(state.reads).toBe(1);
    state.now = 2_000;
    state.answer = a;
    expect(await cache.read()).toBe(a);
  });

  it('counts the minute from before the call: the answer may be as old as that', async () => {
    const { cache, state } = cacheOver(a, 1_500);
    await cache.read();
    state.now = 59_999;
    expect(await cache.read()).toBe(a);
    state.now = 60_000;
    state.answer = b;
    expect(await cache.read()).toBe(b);
  });

  it('calls the store again soon while nothing is registered', async () => {
    const { cache, state } = cacheOver(undefined);
    expect(await cache.read()).toBeUndefined();
    state.now = 499;
    expect(await cache.read()).toBeUndefined();
    expect(state.reads).toBe(1);
    state.now = 500;
    state.answer = a;
    expect(await cache.read()).toBe(a);
  });
});

describe('an outage of the store', () => {
  it('reaches the caller if nothing is cached', async () => {
    const { cache } = cacheOver(new Error('down'));
    await expect(cache.read()).rejects.toThrow('down');
  });

  it('causes few reads even if nothing is cached', async () => {
    const { cache, state } = cacheOver(new Error('down'));
    for (; state.now < 1_000; state.now += 100) await expect(cache.read()).rejects.toThrow('down');
    expect(state.reads).toBe(2);
    state.answer = a;
    expect(await cache.read()).toBe(a);
  });

  it('leaves the cached secret in use, and causes few reads', async () => {
    const { cache, state, lines } = cacheOver(a);
    await cache.read();
    state.answer = new Error('down');
    for (state.now = 60_000; state.now < 61_000; state.now += 100) expect(await cache.read()).toBe(a);
    expect(state.reads).toBe(3);
    expect(lines).toEqual([
      { name: 'SECRET_STALE', fields: { error: 'Error' } },
      { name: 'SECRET_STALE', fields: { error: 'Error' } },
    ]);
  });
});

describe('a mismatch', () => {
  it('causes at most one read in half a second, in any number', async () => {
    const { cache, state } = cacheOver(a);
    await cache.read();
    state.answer = b;
    expect(await cache.reread()).toBe(a);
    for (state.now = 500; state.now < 6_500; state.now += 1) await cache.reread();
    expect(state.reads).toBe(1 + 12);
    expect(await cache.read()).toBe(b);
  });

  it('may cause a read half a second after the last one began, however long that took', async () => {
    const { cache, state } = cacheOver(a, 400);
    await cache.read();
    state.now = 499;
    expect(await cache.reread()).toBe(a);
    expect(state.reads).toBe(1);
    state.now = 500;
    state.answer = b;
    expect(await cache.reread()).toBe(b);
  });

  it('renews the cached secret', async () => {
    const { cache, state } = cacheOver(a);
    await cache.read();
    state.now = 50_000;
    await cache.reread();
    state.now = 109_999;
    await cache.read();
    expect(state.reads).toBe(2);
  });

  it('causes few reads during an outage too', async () => {
    const { cache, state } = cacheOver(a);
    await cache.read();
    state.now = 2_000;
    state.answer = new Error('down');
    await expect(cache.reread()).rejects.toThrow('down');
    // Whether the request was genuine stays unknown until the store has answered, which is the pipeline's fault.
    await expect(cache.reread()).rejects.toThrow('down');
    expect(state.reads).toBe(2);
    expect(await cache.read()).toBe(a);
    state.now = 4_000;
    state.answer = b;
    expect(await cache.reread()).toBe(b);
    expect(await cache.reread()).toBe(b);
    expect(state.reads).toBe(3);
  });

  it('is verified with the result of the newest read, in any order of answers', async () => {
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

  it('removes a deleted secret from the cache', async () => {
    const { cache, state } = cacheOver(a);
    await cache.read();
    state.now = 2_000;
    state.answer = undefined;
    expect(await cache.reread()).toBeUndefined();
  });
});

describe('a wall clock that was set back', () => {
  it('by less than the time since the last read leaves a mismatch able to cause a read', async () => {
    const { cache, state } = cacheOver(a);
    await cache.read();
    state.now = 5_000;
    state.setBackMs = 4_800;
    state.answer = b;
    expect(await cache.reread()).toBe(b);
  });

  it('does not extend the minute for which a revoked secret is accepted', async () => {
    const { cache, state } = cacheOver(a);
    await cache.read();
    state.setBackMs = 3_600_000;
    state.now = 60_000;
    state.answer = b;
    expect(await cache.read()).toBe(b);
  });

  it('by less than a minute does not extend that minute either', async () => {
    const { cache, state } = cacheOver(a);
    await cache.read();
    state.setBackMs = 30_000;
    state.now = 60_000;
    state.answer = b;
    expect(await cache.read()).toBe(b);
  });

  it('to before the last read causes one read at once, and then no more than usual', async () => {
    const { cache, state } = cacheOver(a);
    await cache.read();
    state.setBackMs = 1;
    state.answer = b;
    expect(await cache.reread()).toBe(b);
    for (state.now = 0; state.now < 1_000; state.now += 100) await cache.reread();
    expect(state.reads).toBe(1 + 2);
  });
});

describe('a monotonic clock that stopped while the process was frozen', () => {
  it('leaves a mismatch able to cause a read', async () => {
    const { cache, state } = cacheOver(a);
    await cache.read();
    state.now = state.frozenMs = 500;
    state.answer = b;
    expect(await cache.reread()).toBe(b);
  });

  it('does not extend the minute for which a revoked secret is accepted', async () => {
    const { cache, state } = cacheOver(a);
    await cache.read();
    state.now = state.frozenMs = 60_000;
    state.answer = b;
    expect(await cache.read()).toBe(b);
  });
});
