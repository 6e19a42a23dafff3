import {
  DeleteItemCommand,
  type DynamoDBClient,
  type PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOptOutReader as createStateOfMain } from '../../../functions/automations/opt-out/opt-out-read-store.ts';
import { createHistoryLists } from '../../../functions/history/lists/history-list-store.ts';
import { createOptOutReader } from '../../../functions/history/lists/opt-out-read-store.ts';
import { type OptOutStatement, optOutKey } from '../../../functions/history/opt-out/opt-out.ts';
import {
  createOptOutRegister,
  type OptOutRegister,
} from '../../../functions/history/opt-out/opt-out-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';

const phone = '+12025550143';
let tables: HistoryTables;
let register: OptOutRegister;

beforeAll(async () => {
  tables = await startHistoryTables();
  register = createOptOutRegister(tables.client, tables.history, { listShards: 4 });
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

const at = (second: number) => `2026-01-15T12:00:0${second}.000Z`;
const out = (second: number, eventId: string): OptOutStatement => ({
  phone,
  state: 'out',
  at: at(second),
  by: 'person',
  replyId: `r-${eventId}`,
  eventId,
});

/** The register, with a count of its writes that the table took, and something to do before each. */
function watched(before: (write: number) => Promise<unknown> = async () => {}) {
  let tried = 0;
  let written = 0;
  const send = async (command: PutItemCommand) => {
    await before(++tried);
    const answer = await tables.client.send(command);
    written += 1;
    return answer;
  };
  const client = { send } as unknown as DynamoDBClient;
  return { ...createOptOutRegister(client, tables.history, { listShards: 4 }), written: () => written };
}

it('the register writes nothing to table and stream when nothing changes', async () => {
  await forget();
  const { record, written } = watched();
  await record(out(1, 'a'), out(2, 'b'));
  await record(out(1, 'a'));
  await record({ ...out(3, 'b'), receivedAt: at(2) }, { ...out(2, 'a'), receivedAt: at(1) });
  await record();
  expect(written()).toBe(1);
  // What arrives again after an erasure must be known as such.
  for (const _ of [1, 2]) await record({ ...out(1, 'a'), receivedAt: at(9) });
  expect(written()).toBe(2);
});

it('the register keeps the failure at the provider, which a redelivery does not change, and a START only after it', async () => {
  await forget();
  const { record, written } = watched();
  const failed: OptOutStatement = {
    phone,
    state: 'out',
    at: at(3),
    by: 'provider',
    messageId: 'm-1',
    eventId: 'e-1',
  };
  const start = (second: number): OptOutStatement => ({
    phone,
    state: 'in',
    at: at(second),
    by: 'person',
    replyId: `r-${second}`,
    eventId: `s-${second}`,
  });
  await record(failed);
  await record({ ...failed, at: at(9), receivedAt: at(3) });
  await record(failed);
  expect(written()).toBe(1);
  const [item] = await stored();
  expect(item).toMatchObject({ state: 'out', changedAt: at(3), by: 'provider', messageId: 'm-1' });
  expect(item).not.toHaveProperty('replyId');
  await record(start(2));
  expect(await stored()).toMatchObject([{ state: 'out', by: 'provider' }]);
  await record(start(4));
  const [again] = await stored();
  expect(again).toMatchObject({ state: 'in', by: 'person', replyId: 'r-4' });
  expect(again).not.toHaveProperty('messageId');
});

it('the register keeps a statement when the item is deleted or replaced between read and write', async () => {
  await forget();
  await register.record(out(1, 'a'));
  const eraseOnce = watched(async (write) => write === 2 && (await forget()));
  await eraseOnce.record(out(2, 'b'));
  expect(await stored()).toMatchObject([{ changedAt: at(2), statements: [{ eventId: 'b' }] }]);

  const writeAgain = watched(async (write) => {
    if (write !== 2) return;
    await forget();
    await register.record(out(4, 'c'));
  });
  await writeAgain.record(out(3, 'd'));
  expect(await stored()).toMatchObject([
    { changedAt: at(4), statements: [{ eventId: 'c' }, { eventId: 'd' }] },
  ]);
});

it('the register throws when the item keeps changing, so that the caller retries', async () => {
  await forget();
  await register.record(out(1, 'a'));
  const contended = watched((write) => register.record(out(2, `e-${write}`)));
  await expect(contended.record(out(3, 'b'))).rejects.toMatchObject({ name: 'ContentionError' });
});

it('the register keeps the newest hundred statements, also with long ids', async () => {
  await forget();
  const long = (index: number) => '€'.repeat(1000) + String(index).padStart(3, '0');
  for (let start = 0; start < 120; start += 40) {
    const some = Array.from({ length: 40 }, (_, index) => start + index);
    await register.record(
      ...some.map(
        (index): OptOutStatement => ({
          phone,
          state: index % 2 === 0 ? 'out' : 'in',
          at: new Date(Date.UTC(2026, 0, 15) + index).toISOString(),
          by: 'person',
          replyId: long(index),
          eventId: `e-${index}`,
        }),
      ),
    );
  }
  const [item] = await stored();
  expect(item).toMatchObject({ state: 'in', replyId: long(119) });
  expect(item?.statements).toHaveLength(100);
});

it('where opt-outs count by source, the item and its readers know each source, and the list has who is out of any', async () => {
  await forget();
  const { client, history } = tables;
  const bySource = createOptOutRegister(client, history, { listShards: 4, optOutsBySource: true });
  const states = async () => [
    (await stored()).map(({ state, outOf, listName }) => ({
      state,
      outOf,
      isListed: listName !== undefined,
    })),
    (await createOptOutReader(client, history).number(phone))?.outOf,
    await createStateOfMain(client, history).read(phone),
  ];
  const lists = createHistoryLists(client, history, 4);
  const listed = async (source: string) => (await lists.optOuts({ source }, { limit: 10 })).entries.length;
  await bySource.record({ ...out(1, 'a'), source: 'backup' });
  // The service of `main` must not get a contact that wants messages again.
  expect(await createStateOfMain(client, history).read(phone)).toBeUndefined();
  await bySource.record({ ...out(2, 'b'), state: 'in' });
  expect(await states()).toEqual([
    [{ state: 'out', outOf: ['backup'], isListed: true }],
    ['backup'],
    { state: 'in' },
  ]);
  expect([await listed('main'), await listed('backup')]).toEqual([0, 1]);
  await bySource.record({ ...out(3, 'c'), state: 'in', source: 'backup' }, out(4, 'd'));
  expect(await states()).toEqual([
    [{ state: 'out', outOf: ['main'], isListed: true }],
    ['main'],
    { state: 'out' },
  ]);
  await bySource.record({ ...out(5, 'e'), state: 'in' });
  expect(await states()).toEqual([[{ state: 'in', isListed: false }], undefined, { state: 'in' }]);
});
