import { afterAll, beforeAll, it } from 'vitest';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { sameInAnyOrder } from '../promises/support/registered.ts';
import { presetContracts } from '../support/preset-contracts.ts';

let tables: HistoryTables;
beforeAll(async () => {
  tables = await startHistoryTables();
});
afterAll(() => tables.stop());

it.each(presetContracts)(
  'the register of $name is the same for any order, batching and repetition of replies',
  async ({ contract }) => {
    await sameInAnyOrder(tables, contract);
  },
);
