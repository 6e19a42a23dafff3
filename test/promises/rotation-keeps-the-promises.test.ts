import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { forgersSecret, now, type ReceivingHalf, receivingHalf, report } from './support/receiving-half.ts';

/*
 * The promise: rotating the signing secret under load keeps the other promises true.
 *
 * Given are genuine and forged reports that arrive while the secret changes. What is broken: the service signs with a secret that the
 * pipeline does not have yet, or still with the one before. What must hold: each genuine report is acknowledged and stored, no forged one
 * changes the history. `npm run drill -- rotation` does the same with whole pipelines under load.
 */

describe('while a rotation is under way', () => {
  const newSecret = 'whsec_bmV3LXNlY3JldC1vZi1hLXRlc3Q=';
  let tables: HistoryTables;
  let pipeline: ReceivingHalf;
  beforeAll(async () => {
    tables = await startHistoryTables();
  });
  beforeEach(async () => {
    pipeline = receivingHalf(tables);
    await pipeline.forget();
    const { document } = pipeline.secret;
    const rotating = { since: '2026-01-15T12:00:00.000Z', by: 'a test', overlapMs: 60_000 };
    pipeline.secret.document = { ...document, rotating };
  });
  afterAll(() => tables.stop());

  /** Setup stores the new secret, removes the mark of the rotation, and notes what the service confirmed. */
  function endRotation(): void {
    const { current } = pipeline.secret.document;
    if (current === undefined) throw new Error('there is no secret');
    pipeline.secret.document = {
      version: 1,
      current: { secret: newSecret, since: new Date(now).toISOString() },
      previous: { secret: current.secret, validUntil: new Date(now + 60_000).toISOString() },
    };
    pipeline.secret.confirmedAt = new Date(now + 60_000).toISOString();
  }

  it('a report that is signed with the new secret is acknowledged, and stored once the pipeline has that secret', async () => {
    expect(await pipeline.post(report('m', 'delivered', 5, newSecret))).toBe(200);
    await pipeline.invokeWorker();
    expect([await pipeline.history(), pipeline.waiting()]).toEqual([[], 1]);
    endRotation();
    await pipeline.work();
    expect(await pipeline.history()).toMatchObject([{ messageId: 'm', status: 'delivered', reportCount: 1 }]);
  });

  it('a report that is signed with the old secret is stored, before and after the new secret is', async () => {
    expect(await pipeline.post(report('m', 'sent'))).toBe(200);
    endRotation();
    expect(await pipeline.post(report('m', 'delivered'))).toBe(200);
    await pipeline.work();
    expect(await pipeline.history()).toMatchObject([{ messageId: 'm', status: 'delivered', reportCount: 2 }]);
  });

  it('a forged report never reaches the history', async () => {
    expect(await pipeline.post(report('m', 'delivered', 5, forgersSecret))).toBe(200);
    endRotation();
    expect(await pipeline.post(report('m', 'read', 5, forgersSecret))).toBe(401);
    await pipeline.work();
    expect(await pipeline.history()).toEqual([]);
    expect(await pipeline.quarantine()).toMatchObject([{ reason: 'signature-mismatch' }]);
  });
});
