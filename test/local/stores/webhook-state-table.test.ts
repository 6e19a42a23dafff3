import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createWebhookStateTable,
  type WebhookState,
  type WebhookStateTable,
} from '../../../functions/registration/webhook-state-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { resource, templatesFor } from '../../infra/support/built-app.ts';

let database: HistoryTables;
let declared: Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema' | 'BillingMode'>;
let tableName: string;
let table: WebhookStateTable;

beforeAll(async () => {
  database = await startHistoryTables();
  declared = resource(templatesFor().pipeline, 'AWS::DynamoDB::Table', 'WebhookState')
    .Properties as typeof declared;
});
afterAll(() => database.stop());

/** Creates a table for each test, as the stack declares it. */
beforeEach(async () => {
  tableName = `webhook-state-${randomUUID()}`;
  const { AttributeDefinitions, KeySchema, BillingMode } = declared;
  await database.client.send(
    new CreateTableCommand({ TableName: tableName, AttributeDefinitions, KeySchema, BillingMode }),
  );
  table = createWebhookStateTable(database.client, tableName);
});

const minute = 60_000;
const now = Date.parse('2026-01-15T12:34:30.000Z');
const at = (second: number) => new Date(now + second * 1000).toISOString();

const whole: WebhookState = {
  wanted: 'registered',
  lastReconcile: { at: at(0) },
  confirmed: { at: at(1), versionId: 'v1' },
  drift: { kinds: ['url-changed'], since: at(0) },
  lastVerifiedAt: at(2),
};

async function writeWhole(): Promise<void> {
  await table.setWanted('registered');
  await table.recordReconcile({ at: at(0) });
  await table.noteDrift(whole.drift, at(-1), at(0));
  await table.recordConfirmed({ at: at(1), versionId: 'v1' });
  await table.recordVerified(at(2));
}

describe('the state', () => {
  it('is empty at first', async () => {
    expect(await table.read()).toEqual({});
  });

  it('holds exactly the written values', async () => {
    await writeWhole();
    expect(await table.read()).toEqual(whole);
  });

  it.each<[string, () => Promise<unknown>, WebhookState]>([
    ['what is wanted', () => table.setWanted('deactivated'), { ...whole, wanted: 'deactivated' }],
    [
      'a reconcile that failed',
      () => table.recordReconcile({ at: at(9), failure: 'timeout' }),
      { ...whole, lastReconcile: { at: at(9), failure: 'timeout' } },
    ],
    [
      'a confirmation',
      () => table.recordConfirmed({ at: at(9), versionId: 'v1' }),
      { ...whole, confirmed: { at: at(9), versionId: 'v1' } },
    ],
    [
      'an older confirmation, which changes nothing',
      () => table.recordConfirmed({ at: at(0), versionId: 'v1' }),
      whole,
    ],
    ['a verified request', () => table.recordVerified(at(9)), { ...whole, lastVerifiedAt: at(9) }],
    ['an older verified request, which changes nothing', () => table.recordVerified(at(1)), whole],
    ['a turn', () => table.takeTurn('reconcileForMismatches', minute, now), whole],
    ['mismatches', () => table.addMismatches(3, now), whole],
  ])('keeps all other values with %s', async (_, write, expected) => {
    await writeWhole();
    await write();
    expect(await table.read()).toEqual(expected);
  });

  it('drops the reason of a failed reconcile when one succeeds', async () => {
    await table.recordReconcile({ at: at(0), failure: 'server' });
    expect(await table.read()).toEqual({ lastReconcile: { at: at(0), failure: 'server' } });
    await table.recordReconcile({ at: at(1) });
    expect(await table.read()).toEqual({ lastReconcile: { at: at(1) } });
  });

  it('keeps turns when other values are written', async () => {
    expect(await table.takeTurn('reconcileForRotation', minute, now)).toBe(true);
    await writeWhole();
    await table.recordReconcile({ at: at(9) });
    expect(await table.takeTurn('reconcileForRotation', minute, now)).toBe(false);
  });

  it('keeps the newest of concurrent confirmations', async () => {
    await Promise.all(
      [3, 7, 1, 9, 5].map((second) => table.recordConfirmed({ at: at(second), versionId: 'v1' })),
    );
    expect(await table.read()).toEqual({ confirmed: { at: at(9), versionId: 'v1' } });
  });

  it('keeps the values of concurrent writers', async () => {
    await Promise.all([
      table.setWanted('registered'),
      table.recordReconcile({ at: at(0) }),
      table.noteDrift(whole.drift, at(-1), at(0)),
      table.recordConfirmed({ at: at(1), versionId: 'v1' }),
      table.recordVerified(at(2)),
    ]);
    expect(await table.read()).toEqual(whole);
  });
});

describe('noteDrift', () => {
  const urlChanged = { kinds: ['url-changed'], since: at(0) } as const;
  const rotated = { kinds: ['secret-rotated'], since: at(60) } as const;

  it('replaces the noted drift, and removes it if none is left', async () => {
    expect(await table.noteDrift(urlChanged, at(-1), at(0))).toBe(true);
    expect(await table.noteDrift(rotated, at(59), at(60))).toBe(true);
    expect(await table.read()).toEqual({ drift: rotated });
    expect(await table.noteDrift(undefined, at(61), at(62))).toBe(true);
    expect(await table.read()).toEqual({});
  });

  it.each([
    ['left', urlChanged],
    ['repaired', undefined],
  ])('writes nothing for a run that began before the last drift note (%s)', async (_, noted) => {
    await table.noteDrift(noted, at(-1), at(0));
    const before = await table.read();
    for (const startedAt of [at(-1), at(0)])
      expect(await table.noteDrift(rotated, startedAt, at(1))).toBe(false);
    expect(await table.read()).toEqual(before);
    expect(await table.noteDrift(rotated, at(0.001), at(1))).toBe(true);
  });

  it.each([
    ['left', urlChanged],
    ['repaired', undefined],
  ])('lets one of many concurrent runs write (%s)', async (_, left) => {
    const notes = Array.from({ length: 10 }, (_, number) => table.noteDrift(left, at(-1), at(number)));
    expect((await Promise.all(notes)).filter(Boolean)).toHaveLength(1);
  });

  it('counts a retry of the same note after a lost answer as written', async () => {
    const note = () => table.noteDrift(undefined, at(-1), at(0));
    expect([await note(), await note()]).toEqual([true, true]);
  });

  it('reads and extends an item of an earlier version, which kept events to publish', async () => {
    const pending = { version: 1, eventId: 'a', kind: 'url-changed', isRepaired: false, foundAt: at(0) };
    await database.client.send(
      new PutItemCommand({
        TableName: tableName,
        Item: marshall({
          pk: 'webhook',
          sk: 'state',
          wanted: 'registered',
          drift: urlChanged,
          told_url_changed: at(0),
          pendingDrift_a: pending,
        }),
      }),
    );
    expect(await table.read()).toEqual({ wanted: 'registered', drift: urlChanged });
    expect(await table.noteDrift(undefined, at(1), at(2))).toBe(true);
    expect(await table.read()).toEqual({ wanted: 'registered' });
  });
});

describe('mismatches', () => {
  it('are none at first', async () => {
    expect(await table.mismatchesLastHour(now)).toBe(0);
  });

  it('add up within the last hour, minute by minute', async () => {
    await table.addMismatches(1, now);
    await table.addMismatches(2, now + 29_000);
    await table.addMismatches(10, now - 30 * minute);
    await table.addMismatches(100, now - 60 * minute);
    await table.addMismatches(1000, now - 61 * minute);
    // What comes after the moment that is asked about does not count either.
    await table.addMismatches(10_000, now + 2 * minute);
    expect(await table.mismatchesLastHour(now)).toBe(113);
    expect(await table.mismatchesLastHour(now + minute)).toBe(13);
    expect(await table.mismatchesLastHour(now + 180 * minute)).toBe(0);
  });

  it('add up across midnight', async () => {
    const midnight = Date.parse('2026-02-01T00:00:00.000Z');
    await table.addMismatches(1, midnight - minute);
    await table.addMismatches(2, midnight);
    expect(await table.mismatchesLastHour(midnight + minute)).toBe(3);
  });

  it('are all counted when reported concurrently', async () => {
    await Promise.all(Array.from({ length: 20 }, () => table.addMismatches(3, now)));
    expect(await table.mismatchesLastHour(now)).toBe(60);
  });

  it('of a whole hour are read in one page', async () => {
    for (let minutes = 0; minutes < 90; minutes++) await table.addMismatches(1, now - minutes * minute);
    expect(await table.mismatchesLastHour(now)).toBe(61);
  });

  it('expire after the hour in which they are counted, by the attribute that the table declares', async () => {
    await table.addMismatches(1, now);
    const { Items = [] } = await database.client.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: 'webhook' } },
      }),
    );
    expect(Items).toEqual([
      {
        pk: { S: 'webhook' },
        sk: { S: 'mismatches#2026-01-15T12:34' },
        count: { N: '1' },
        expiresAt: { N: String(Math.ceil(now / 1000) + 2 * 3600) },
      },
    ]);
    expect(declared).toMatchObject({
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });
});

describe('captured requests', () => {
  const [first, second] = [at(5), at(6)];

  it('add up for each capture, and expire a day after it', async () => {
    expect(await table.captured(first)).toEqual({ captured: 0, leftOut: 0 });
    await table.addCaptured({ captured: 3, leftOut: 0 }, first);
    await table.addCaptured({ captured: 4, leftOut: 5 }, first);
    await table.addCaptured({ captured: 1, leftOut: 0 }, second);
    expect(await table.captured(first)).toEqual({ captured: 7, leftOut: 5 });
    expect(await table.captured(second)).toEqual({ captured: 1, leftOut: 0 });
    expect([await table.mismatchesLastHour(now), await table.read()]).toEqual([0, {}]);
    const { Item } = await database.client.send(
      new GetItemCommand({
        TableName: tableName,
        Key: { pk: { S: 'webhook' }, sk: { S: `captured#${first}` } },
      }),
    );
    expect(Item).toMatchObject({ expiresAt: { N: String(Math.ceil(Date.parse(first) / 1000) + 86_400) } });
  });
});

describe('a turn', () => {
  it('is free again after the interval, to the millisecond', async () => {
    const take = (ms: number) => table.takeTurn('reconcileForMismatches', minute, now + ms);
    expect([await take(0), await take(0), await take(minute - 1)]).toEqual([true, false, false]);
    expect([await take(minute), await take(minute + 1), await take(2 * minute)]).toEqual([true, false, true]);
  });

  it('of one name does not affect another name', async () => {
    expect(await table.takeTurn('reconcileForMismatches', minute, now)).toBe(true);
    expect(await table.takeTurn('reconcileForRotation', minute, now)).toBe(true);
  });

  it.each([1, 2, 3])('goes to one of many concurrent callers (round %i)', async () => {
    const takeAll = (ms: number) =>
      Promise.all(Array.from({ length: 20 }, () => table.takeTurn('reconcileForRotation', 10_000, now + ms)));
    expect((await takeAll(0)).filter(Boolean)).toHaveLength(1);
    expect((await takeAll(10_000)).filter(Boolean)).toHaveLength(1);
  });
});

it.each<[string, (elsewhere: WebhookStateTable) => Promise<unknown>]>([
  ['reading', (elsewhere) => elsewhere.read()],
  ['writing', (elsewhere) => elsewhere.setWanted('registered')],
  ['writing what may be older', (elsewhere) => elsewhere.recordConfirmed({ at: at(0), versionId: 'v1' })],
  ['taking a turn', (elsewhere) => elsewhere.takeTurn('reconcileForRotation', minute, now)],
])('the table throws errors other than a lost race: %s', async (_, call) => {
  const elsewhere = createWebhookStateTable(database.client, 'no-such-table');
  await expect(call(elsewhere)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});
