import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMapper } from '../../contract/events/mapping.ts';
import { replayableRequest } from '../../functions/receive/quarantine/replayable-request.ts';
import { shippedContract } from '../../tools/support/contracts.ts';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { type ReceivingHalf, receivingHalf, report, signed } from './support/receiving-half.ts';

/*
 * The promise: an acknowledged event is never lost. What cannot be stored is kept in quarantine.
 *
 * Given are signed events of the service. What is broken: the queue, each call to the database, and the events themselves. What must
 * hold: each event that was answered with 200 is in the history or in quarantine. `npm run drill -- faults` breaks each call of a whole
 * pipeline, every night.
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

describe('an event is acknowledged only once the queue has it', () => {
  it('is not acknowledged if the queue refuses it', async () => {
    pipeline.spoil('queue', 1, 'refused');
    expect(await pipeline.post(report('m', 'delivered'))).toBe(503);
    expect(pipeline.waiting()).toBe(0);
  });

  it('is not acknowledged if the answer of the queue is lost: the service posts it again, and it is stored once', async () => {
    pipeline.spoil('queue', 1, 'answer lost');
    expect(await pipeline.post(report('m', 'delivered'))).toBe(503);
    expect(await pipeline.post(report('m', 'delivered'))).toBe(200);
    expect(pipeline.waiting()).toBe(2);
    await pipeline.work();
    expect(await pipeline.history()).toMatchObject([{ messageId: 'm', status: 'delivered', reportCount: 1 }]);
  });
});

describe('an acknowledged event stays in the queue until it is stored', () => {
  const occurred_at = '2026-01-15T12:00:03.000Z';
  const stop = { type: 'sms.reply', data: { id: 'r', from: '+12025550143', text: 'STOP', occurred_at } };

  /** Posts two reports of a message, a STOP and a body that cannot be read, and works through them. @returns what is stored */
  async function storeAll() {
    const requests = [
      report('m', 'sent', 1),
      report('m', 'delivered', 2),
      signed(stop, 'evt-stop'),
      signed({ type: 'sms.unheard-of' }, 'evt-unread'),
    ];
    for (const request of requests) expect(await pipeline.post(request)).toBe(200);
    // One message an invocation: each event has writes of its own.
    await pipeline.work(1);
    return {
      history: (await pipeline.history())
        .map(({ generation: _, ...item }) => item)
        .sort((a, b) => (a.pk < b.pk ? -1 : 1)),
      quarantine: await pipeline.quarantine(),
    };
  }

  it.each(['refused', 'answer lost'] as const)(
    'whichever call to the database goes wrong: %s',
    async (fault) => {
      const undisturbed = await storeAll();
      expect(undisturbed.history).toMatchObject([
        { messageId: 'm', status: 'delivered', reportCount: 2 },
        { phone: '+12025550143', state: 'out' },
        { replyId: 'r', text: 'STOP' },
      ]);
      expect(undisturbed.quarantine).toMatchObject([{ reason: 'unknown-kind' }]);

      let isSpoiled = true;
      for (let call = 1; isSpoiled; call++) {
        pipeline = receivingHalf(tables);
        await pipeline.forget();
        pipeline.spoil('database', call, fault);
        expect(await storeAll()).toEqual(undisturbed);
        isSpoiled = pipeline.spoiled() > 0;
        // The two reports, the reply, the register and the quarantine make at least one call each.
        if (!isSpoiled) expect(call).toBeGreaterThan(5);
      }
    },
  );
});

it('events of two workers are all stored, before whichever call of one worker the other stores its own', async () => {
  const wish = (text: string, second: number) => {
    const data = { id: text, from: '+12025550143', text, occurred_at: `2026-01-15T12:00:0${second}.000Z` };
    return signed({ type: 'sms.reply', data }, `evt-${text}`);
  };
  const give = async (to: ReceivingHalf, ...requests: ReturnType<typeof signed>[]) => {
    for (const request of requests) expect(await to.post(request)).toBe(200);
  };
  let isMet = true;
  for (let call = 1; isMet; call++) {
    pipeline = receivingHalf(tables);
    await pipeline.forget();
    await give(pipeline, report('m', 'delivered', 2), wish('START', 1));
    await pipeline.work();

    const other = receivingHalf(tables);
    await give(other, report('m', 'read', 3), wish('END', 3));
    await give(pipeline, report('m', 'sent', 1), wish('STOP', 2));
    pipeline.spoil('database', call, () => other.work());
    await pipeline.work(1);
    isMet = pipeline.spoiled() > 0;
    // Each of the three items is read and written.
    if (!isMet) expect(call).toBeGreaterThan(5);
    await other.work();

    const items = await pipeline.history();
    expect(items.find(({ pk }) => pk === 'message#m')).toMatchObject({ status: 'read', reportCount: 3 });
    expect(items.find(({ pk }) => pk.startsWith('optout#'))?.statements).toHaveLength(3);
    expect(items.filter(({ pk }) => pk.startsWith('reply#'))).toHaveLength(3);
  }
});

describe('an event that cannot be stored is kept in quarantine', () => {
  const report = { data: { id: 'm', status: 'delivered', occurred_at: '2026-01-15T12:00:05.000Z' } };

  it('as it was received, and a replay by a corrected contract stores it', async () => {
    const request = signed({ ...report, event: 'sms.status' }, 'evt-1');
    expect(await pipeline.post(request)).toBe(200);
    await pipeline.work();
    expect(await pipeline.history()).toEqual([]);
    const [entry] = await pipeline.quarantine();
    expect(entry).toMatchObject({ reason: 'unknown-kind', raw: Buffer.from(request.body) });
    if (entry === undefined) throw new Error('nothing is in quarantine');

    const { events } = shippedContract;
    const contract = { ...shippedContract, events: { ...events, kind: 'event' } };
    const replay = replayableRequest(entry, { source: 'main', contract, map: createMapper(contract) });
    if (!('envelope' in replay)) throw new Error(replay.stays);
    const corrected = receivingHalf(tables, { contract });
    corrected.enqueue(replay.envelope);
    await corrected.work();
    expect(await corrected.history()).toMatchObject([{ messageId: 'm', status: 'delivered' }]);
  });

  it('without the other events of its body, which are stored', async () => {
    const body = [{ ...report, type: 'sms.status' }, { type: 'sms.unheard-of' }];
    expect(await pipeline.post(signed(body, 'evt-1'))).toBe(200);
    await pipeline.work();
    expect(await pipeline.history()).toMatchObject([{ messageId: 'm', status: 'delivered', reportCount: 1 }]);
    expect(await pipeline.quarantine()).toMatchObject([{ reason: 'unknown-kind', index: 1 }]);
  });
});
