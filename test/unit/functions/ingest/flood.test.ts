import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SecretDocument } from '../../../../functions/webhook/secret-document.ts';
import { createSecretCache } from '../../../../functions/webhook/webhook-secret-store.ts';
import { recorder } from '../../../../tools/support/recorder.ts';
import { assertProperty } from '../../../support/property.ts';
import { documentWith, ingest, now, rotating, secret, signed } from './ingest-under-test.ts';

/** One instance of ingest, with its own cache over a store that counts how often it was asked. */
function instance(document: SecretDocument, readMs = 0) {
  const time = { now };
  let reads = 0;
  const read = async () => {
    reads += 1;
    time.now += readMs;
    return { document };
  };
  const clock = () => time.now;
  const { post, sent, signals, counts } = ingest({
    cache: createSecretCache(read, { wall: clock, monotonic: clock }, recorder().log),
    clock,
  });
  return {
    post: (key: string) => post(signed('{}', key, time.now)),
    pass: (ms: number) => {
      time.now += ms;
    },
    seconds: () => (time.now - now) / 1000,
    figures: () => ({ reads, signals: signals.length, queued: sent.length, counts }),
  };
}

const forger = 'whsec_Zm9yZ2Vk';

describe('during a flood of forged requests, an instance of ingest', () => {
  it('makes 120 reads of the secret and sends 13 signals at 50 requests a second for a minute, and queues none', async () => {
    const { post, pass, figures } = instance(documentWith(secret));
    for (let request = 0; request < 60 * 50; request += 1) {
      expect(await post(forger)).toMatchObject({ statusCode: 401 });
      pass(20);
    }
    const { counts, ...figuresAlone } = figures();
    expect(figuresAlone).toEqual({ reads: 120, signals: 13, queued: 0 });
    expect(counts.get('rejectedSignatureMismatch')).toBe(3000);
  });

  it('makes no more reads and signals with genuine requests among them, and queues all genuine ones', async () => {
    const { post, pass, figures } = instance(documentWith(secret));
    for (let request = 0; request < 60 * 50; request += 1) {
      await post(forger);
      await post(secret);
      pass(20);
    }
    expect(figures()).toMatchObject({ reads: 120, signals: 1, queued: 3000 });
  });

  it('makes no more reads and signals while a rotation is marked, and parks what it queues', async () => {
    const { post, pass, figures } = instance(documentWith(secret, { rotating }));
    for (let request = 0; request < 60 * 50; request += 1) {
      await post(forger);
      pass(20);
    }
    const { counts, ...figuresAlone } = figures();
    expect(figuresAlone).toEqual({ reads: 120, signals: 13, queued: 3000 });
    expect([...counts]).toEqual([['parked', 3000]]);
  });

  it('makes at most 1 + 2T reads and sends at most 2 + T/5 + T/60 signals in T seconds, in any order of requests', async () => {
    const step = fc.record({
      gapMs: fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: 0, max: 600 }) },
        fc.constantFrom(499, 500, 501, 5000, 60_000),
        fc.integer({ min: 0, max: 90_000 }),
      ),
      key: fc.constantFrom(forger, forger, forger, secret),
    });
    await assertProperty(
      fc.asyncProperty(
        fc.array(step, { maxLength: 200, size: 'max' }),
        fc.constantFrom(0, 40, 1900, 4500),
        async (steps, readMs) => {
          const { post, pass, seconds, figures } = instance(documentWith(secret), readMs);
          for (const { gapMs, key } of steps) {
            pass(gapMs);
            await post(key);
          }
          const { reads, signals, queued } = figures();
          const passed = seconds();
          expect(reads).toBeLessThanOrEqual(1 + Math.floor(2 * passed));
          expect(signals).toBeLessThanOrEqual(2 + Math.floor(passed / 5) + Math.floor(passed / 60));
          expect(queued).toBe(steps.filter(({ key }) => key === secret).length);
        },
      ),
    );
  });
});
