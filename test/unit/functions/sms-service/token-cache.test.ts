import { describe, expect, it } from 'vitest';
import type { Result } from '../../../../functions/sms-service/request.ts';
import { createTokenCache, type Grant } from '../../../../functions/sms-service/session.ts';

const refusal: Result<Grant> = {
  kind: 'error',
  error: { kind: 'unauthorized', operation: 'exchange token', status: 401, body: '' },
};

function createCache({ lifetimeMs = 3_600_000, outcomes = [] as Result<Grant>[] } = {}) {
  let now = 0;
  let exchanges = 0;
  const cache = createTokenCache(
    async () => outcomes[exchanges++] ?? { kind: 'ok', value: { token: `token-${exchanges}`, lifetimeMs } },
    () => now,
  );
  return {
    cache,
    exchanges: () => exchanges,
    advance: (ms: number) => {
      now += ms;
    },
  };
}

describe('createTokenCache', () => {
  it('uses a token until a minute before it expires', async () => {
    const { cache, exchanges, advance } = createCache();
    expect(await cache.get()).toEqual({ kind: 'ok', value: 'token-1' });
    advance(3_600_000 - 60_000 - 1);
    expect(await cache.get()).toEqual({ kind: 'ok', value: 'token-1' });
    advance(1);
    expect(await cache.get()).toEqual({ kind: 'ok', value: 'token-2' });
    expect(exchanges()).toBe(2);
  });

  it('uses a short-lived token for nine tenths of its lifetime', async () => {
    const { cache, advance } = createCache({ lifetimeMs: 10_000 });
    await cache.get();
    advance(8_999);
    expect(await cache.get()).toEqual({ kind: 'ok', value: 'token-1' });
    advance(1);
    expect(await cache.get()).toEqual({ kind: 'ok', value: 'token-2' });
  });

  it('shares one exchange among all concurrent callers, and its failure too', async () => {
    const good = createCache();
    const values = await Promise.all(Array.from({ length: 20 }, () => good.cache.get()));
    expect(new Set(values.map((result) => result.kind === 'ok' && result.value))).toEqual(
      new Set(['token-1']),
    );
    expect(good.exchanges()).toBe(1);

    const bad = createCache({ outcomes: [refusal] });
    expect(await Promise.all([bad.cache.get(), bad.cache.get()])).toEqual([refusal, refusal]);
    expect(bad.exchanges()).toBe(1);
    expect(await bad.cache.get()).toEqual({ kind: 'ok', value: 'token-2' });
  });

  it('removes the rejected token, but keeps the one that replaced it', async () => {
    const { cache, exchanges } = createCache();
    expect(cache.peek()).toBeUndefined();
    await cache.get();
    cache.forget('token-1');
    expect(cache.peek()).toBeUndefined();
    await cache.get();
    cache.forget('token-1');
    expect(cache.peek()).toBe('token-2');
    expect(exchanges()).toBe(2);
  });
});
