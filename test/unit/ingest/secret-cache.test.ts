import { describe, expect, it } from 'vitest';
import type { SecretDocument } from '../../../functions/core/webhook/secret-document.ts';
import { createSecretCache } from '../../../functions/ingest/secret-cache.ts';
import { recorder } from '../../support/recorder.ts';

const documentWith = (secret: string): SecretDocument => ({
  version: 1,
  current: { secret, since: '2026-01-15T12:00:00.000Z' },
});

function cacheOver(first: SecretDocument | undefined | Error) {
  const state = { now: 0, reads: 0, answer: first };
  const { log, lines } = recorder();
  const cache = createSecretCache(
    async () => {
      state.reads += 1;
      if (state.answer instanceof Error) throw state.answer;
      return state.answer;
    },
    () => Date.UTC(2026, 0, 15, 12) + state.now,
    log,
  );
  return { cache, state, lines };
}

describe('reading', () => {
  it('asks the store once in five minutes', async () => {
    const { cache, state } = cacheOver(documentWith('a'));
    expect(await cache.accepted()).toEqual(['a']);
    state.now = 299_999;
    expect(await cache.accepted()).toEqual(['a']);
    expect(state.reads).toBe(1);
    state.now = 300_000;
    state.answer = documentWith('b');
    expect(await cache.accepted()).toEqual(['b']);
    expect(state.reads).toBe(2);
  });

  it('asks again soon while nothing is registered', async () => {
    const { cache, state } = cacheOver(undefined);
    expect(await cache.accepted()).toBeUndefined();
    state.now = 4_999;
    expect(await cache.accepted()).toBeUndefined();
    expect(state.reads).toBe(1);
    state.now = 5_000;
    state.answer = documentWith('a');
    expect(await cache.accepted()).toEqual(['a']);
  });

  it('lets the previous secret end at its time', async () => {
    const { cache, state } = cacheOver({
      ...documentWith('new'),
      previous: { secret: 'old', validUntil: '2026-01-15T12:01:00.000Z' },
    });
    expect(await cache.accepted()).toEqual(['new', 'old']);
    state.now = 60_001;
    expect(await cache.accepted()).toEqual(['new']);
    expect(state.reads).toBe(1);
  });
});

describe('an outage of the store', () => {
  it('is the caller’s to answer where nothing is cached', async () => {
    const { cache } = cacheOver(new Error('down'));
    await expect(cache.accepted()).rejects.toThrow('down');
  });

  it('is not met with a flood of reads where nothing is cached either', async () => {
    const { cache, state } = cacheOver(new Error('down'));
    for (; state.now < 10_000; state.now += 100) await expect(cache.accepted()).rejects.toThrow('down');
    expect(state.reads).toBe(2);
    state.answer = documentWith('a');
    expect(await cache.accepted()).toEqual(['a']);
  });

  it('does not stop a webhook whose secret is known, and is not met with a flood of reads', async () => {
    const { cache, state, lines } = cacheOver(documentWith('a'));
    await cache.accepted();
    state.answer = new Error('down');
    for (state.now = 300_000; state.now < 310_000; state.now += 100)
      expect(await cache.accepted()).toEqual(['a']);
    expect(state.reads).toBe(3);
    expect(lines).toEqual([
      { name: 'SECRET_STALE', fields: { error: 'Error' } },
      { name: 'SECRET_STALE', fields: { error: 'Error' } },
    ]);
  });
});

describe('a mismatch', () => {
  it('causes at most one read in five seconds, however many come', async () => {
    const { cache, state } = cacheOver(documentWith('a'));
    await cache.accepted();
    state.answer = documentWith('b');
    expect(await cache.reread()).toBeUndefined();
    for (state.now = 5_000; state.now < 65_000; state.now += 1) await cache.reread();
    expect(state.reads).toBe(1 + 12);
    expect(await cache.accepted()).toEqual(['b']);
  });

  it('does not turn an outage into a flood either', async () => {
    const { cache, state } = cacheOver(documentWith('a'));
    await cache.accepted();
    state.now = 5_000;
    state.answer = new Error('down');
    await expect(cache.reread()).rejects.toThrow('down');
    // Nobody knows whether the request was genuine: the fault stays ours until the store has answered.
    await expect(cache.reread()).rejects.toThrow('down');
    expect(state.reads).toBe(2);
    expect(await cache.accepted()).toEqual(['a']);
    state.now = 10_000;
    state.answer = documentWith('b');
    expect(await cache.reread()).toEqual(['b']);
    expect(await cache.reread()).toBeUndefined();
  });

  it('finds a deleted secret gone', async () => {
    const { cache, state } = cacheOver(documentWith('a'));
    await cache.accepted();
    state.now = 5_000;
    state.answer = undefined;
    expect(await cache.reread()).toBeUndefined();
  });
});
