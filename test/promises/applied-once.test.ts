import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { type ReceivingHalf, receivingHalf, report, signed } from './support/receiving-half.ts';

/*
 * The promise: an event is applied once, however often it is delivered.
 *
 * Given are signed events. What is broken: the service posts them again, SQS delivers them again, and workers store them at the same
 * time. What must hold: the history is as if each event had arrived once. `npm run drill -- volume` does the same with 10,000 reports and a
 * whole pipeline, whose worker and publisher are killed.
 */

let tables: HistoryTables;
let pipeline: ReceivingHalf;
beforeAll(async () => {
  tables = await startHistoryTables();
});
beforeEach(async () => {
  pipeline = receivingHalf(tables);
  await pipeline.forget();
});
afterAll(() => tables.stop());

const data = { id: 'r', from: '+12025550143', text: 'STOP', occurred_at: '2026-01-15T12:00:03.000Z' };
const events = [
  report('m', 'sent', 1),
  report('m', 'delivered', 2),
  report('other', 'failed', 2),
  signed({ type: 'sms.reply', data }, 'evt-stop'),
];

async function postAll(): Promise<void> {
  for (const event of events) expect(await pipeline.post(event)).toBe(200);
}

/** The latest receipt of a wish is kept: what arrives again after an erasure is not what was erased. */
const withoutReceipts = (items: Awaited<ReturnType<typeof pipeline.history>>) =>
  items.map(({ statements, ...item }) => ({
    ...item,
    statements: z
      .array(z.looseObject({ receivedAt: z.string() }))
      .optional()
      .parse(statements)
      ?.map(({ receivedAt: _, ...statement }) => statement),
  }));

describe('an event that is delivered again', () => {
  /** Stores each event once. @returns the items, with the generation that changes whenever an item is written */
  async function storeOnce() {
    await postAll();
    await pipeline.work(1);
    const items = await pipeline.history();
    expect(items.map(({ pk, reportCount }) => [pk, reportCount]).sort()).toEqual([
      ['message#m', 2],
      ['message#other', 1],
      ['optout#+12025550143', undefined],
      ['reply#r', undefined],
    ]);
    return items;
  }

  it('by the service writes nothing but the receipt of a STOP, alone or together with others', async () => {
    const items = await storeOnce();
    for (const batchSize of [1, events.length]) {
      await postAll();
      await pipeline.work(batchSize);
      expect(withoutReceipts(await pipeline.history())).toEqual(withoutReceipts(items));
    }
  });

  it('by SQS writes nothing but the receipt of a STOP', async () => {
    await postAll();
    pipeline.deliverTwice();
    // The first invocation has each event once, and the second has the copies.
    await pipeline.work(events.length);
    const items = await pipeline.history();
    expect(items.find(({ pk }) => pk === 'message#m')).toMatchObject({ reportCount: 2 });
    await postAll();
    pipeline.deliverTwice();
    await pipeline.work();
    expect(withoutReceipts(await pipeline.history())).toEqual(withoutReceipts(items));
  });

  it('with a new event writes only the new one', async () => {
    await storeOnce();
    await postAll();
    await pipeline.post(report('m', 'read', 3));
    await pipeline.work();
    const message = (await pipeline.history()).find(({ pk }) => pk === 'message#m');
    expect(message).toMatchObject({ status: 'read', reportCount: 3 });
  });
});

it('an event that two workers store at the same time is applied once', async () => {
  for (let attempt = 0; attempt < 10; attempt++) {
    await pipeline.forget();
    await postAll();
    await Promise.all([pipeline.invokeWorker(), pipeline.invokeWorker()]);
    const items = await pipeline.history();
    expect(items.find(({ pk }) => pk === 'message#m')).toMatchObject({
      status: 'delivered',
      reportCount: 2,
    });
    expect(items.find(({ pk }) => pk === 'optout#+12025550143')?.statements).toHaveLength(1);
  }
});
