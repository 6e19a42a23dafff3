import { DeleteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { optOutKey } from '../../../functions/adapters/history-items.ts';
import { createOptOutReader } from '../../../functions/adapters/opt-out-reader.ts';
import { createOptOutRegister, type OptOutRegister } from '../../../functions/adapters/opt-out-register.ts';
import type { OptOutChange } from '../../../functions/core/opt-out/opt-out.ts';
import { type HistoryTables, startHistoryTables } from '../../support/history-tables.ts';

const phone = '+12025550143';
let tables: HistoryTables;
let register: OptOutRegister;

beforeAll(async () => {
  tables = await startHistoryTables();
  register = createOptOutRegister(tables.client, tables.history, 4);
});
afterAll(() => tables.stop());

async function forget(): Promise<void> {
  await tables.client.send(
    new DeleteItemCommand({ TableName: tables.history, Key: { pk: { S: optOutKey(phone) } } }),
  );
}

async function stored() {
  const { Items = [] } = await tables.client.send(new ScanCommand({ TableName: tables.history }));
  return Items.map((item) => unmarshall(item));
}

// Few moments and replies, so that many changes compete for one.
const change: fc.Arbitrary<OptOutChange> = fc.record({
  phone: fc.constant(phone),
  state: fc.constantFrom('out', 'in'),
  at: fc.integer({ min: 0, max: 4 }).map((second) => `2026-01-15T12:00:0${second}.000Z`),
  replyId: fc.constantFrom('r-1', 'r-2', 'r-3'),
});

/** Some changes, and the same in another order with repeats. */
const twoOrders = fc
  .uniqueArray(change, { minLength: 1, maxLength: 6, selector: (one) => JSON.stringify(one) })
  .chain((changes) =>
    fc.tuple(
      fc.constant(changes),
      fc
        .array(fc.constantFrom(...changes), { maxLength: 4 })
        .chain((repeats) =>
          fc.shuffledSubarray([...changes, ...repeats], { minLength: changes.length + repeats.length }),
        ),
    ),
  );

/** The newest; of one moment that of the greater reply id; of one reply "out". */
function rankOf({ at, replyId, state }: OptOutChange): string {
  return `${at} ${replyId} ${state === 'out' ? 1 : 0}`;
}

it('is the same whatever the order and repetition of STOP and START', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(twoOrders, async ([changes, again]) => {
      await forget();
      for (const one of changes) await register.record(one);
      const first = await stored();
      await forget();
      for (const one of again) await register.record(one);
      expect(await stored()).toEqual(first);

      const [newest] = changes.toSorted((one, other) => (rankOf(one) < rankOf(other) ? 1 : -1));
      expect(first).toMatchObject([
        { number: phone, state: newest?.state, changedAt: newest?.at, replyId: newest?.replyId },
      ]);
      expect(first[0]?.worklist !== undefined).toBe(newest?.state === 'out');
    }),
    { numRuns: 60 },
  );
});

it('is the same when they come all at once', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(twoOrders, async ([, changes]) => {
      await forget();
      await Promise.all(changes.map((one) => register.record(one)));
      const [newest] = changes.toSorted((one, other) => (rankOf(one) < rankOf(other) ? 1 : -1));
      expect(await stored()).toMatchObject([{ state: newest?.state, replyId: newest?.replyId }]);
    }),
    { numRuns: 30 },
  );
});

it('says what a number said last; of one that said nothing or was erased, nothing', async () => {
  const reader = createOptOutReader(tables.client, tables.history);
  await forget();
  expect(await reader.read(phone)).toBeUndefined();
  await register.record({ phone, state: 'out', at: '2026-01-15T12:00:00.000Z', replyId: 'r-1' });
  expect(await reader.read(phone)).toEqual({ state: 'out' });
  await register.record({ phone, state: 'in', at: '2026-01-15T12:00:01.000Z', replyId: 'r-2' });
  expect(await reader.read(phone)).toEqual({ state: 'in' });
});
