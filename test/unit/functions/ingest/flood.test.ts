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
  it.each([
    ['and queues none', {}, [forger], { signals: 13, queued: 0, parked: 0 }],
    [
      'with genuine ones among them, which are all queued',
      {},
      [forger, secret],
      { signals: 1, queued: 3000, parked: 0 },
    ],
    [
      'and parks all while a rotation is marked',
      { rotating },
      [forger],
      { signals: 13, queued: 3000, parked: 3000 },
    ],
  ])(
    'makes 120 reads of the secret at 50 requests a second for a minute, %s',
    async (_, mark, keys, expected) => {
      const { post, pass, figures } = instance(documentWith(secret, mark));
      for (let request = 0; request < 60 * 50; request += 1) {
        for (const key of keys) await post(key);
        pass(20);
      }
      const { counts, ...others } = figures();
      expect({ ...others, parked: counts.get('parked') ?? 0 }).toEqual({ reads: 120, ...expected });
      expect(counts.get('rejectedSignatureMismatch') ?? 0).toBe(3000 - expected.parked);
    },
  );

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
