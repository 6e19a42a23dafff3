import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SecretDocument } from '../../../../../functions/registration/secret/secret-document.ts';
import { createSecretCache } from '../../../../../functions/registration/secret/webhook-secret-store.ts';
import { assertProperty } from '../../../../support/property.ts';
import { recorder } from '../../../../support/recorder.ts';
import { documentWith, ingest, now, secret, signed } from './ingest-under-test.ts';

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
  const { post, sent, signals } = ingest({
    cache: createSecretCache(read, { wall: clock, monotonic: clock }, recorder().log),
    clock,
  });
  return {
    post: (key: string) => post(signed('{}', key, time.now)),
    pass: (ms: number) => {
      time.now += ms;
    },
    seconds: () => (time.now - now) / 1000,
    figures: () => ({ reads, signals: signals.length, queued: sent.length }),
  };
}

const forger = 'whsec_Zm9yZ2Vk';

it('an instance of ingest makes at most 1 + 2T reads and sends at most 2 + T/5 + T/60 signals in T seconds, in any order of genuine and forged requests', async () => {
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
