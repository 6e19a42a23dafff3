import { randomUUID } from 'node:crypto';
import { CreateTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type ContactLease,
  createContactLease,
  leaseMs,
} from '../../../functions/automations/contact-sync/contact-lease-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';

const phone = '+12025550143';
const now = Date.parse('2026-01-15T12:00:00.000Z');
const day = 86_400_000;
let database: HistoryTables;
let tableName: string;
let lease: ContactLease;

beforeAll(async () => {
  database = await startHistoryTables();
});
afterAll(() => database.stop());

beforeEach(async () => {
  tableName = `contact-lease-${randomUUID()}`;
  await database.client.send(
    new CreateTableCommand({
      TableName: tableName,
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  lease = createContactLease(database.client, tableName);
});

async function items() {
  const { Items = [] } = await database.client.send(new ScanCommand({ TableName: tableName }));
  return Items.map((item) => unmarshall(item));
}

it('one of many concurrent callers gets the lease, and the others learn when it ends', async () => {
  const claims = await Promise.all(
    Array.from({ length: 20 }, (_, index) => lease.claim(phone, `owner-${index}`, now)),
  );
  expect(claims.filter(({ kind: is }) => is === 'claimed')).toHaveLength(1);
  expect(claims.filter(({ kind: is }) => is !== 'claimed')).toEqual(
    Array(19).fill({ kind: 'running', until: now + leaseMs }),
  );
  expect(await lease.claim('+12025550144', 'other', now)).toEqual({ kind: 'claimed' });
});

it('a caller that retries after a lost answer keeps its lease', async () => {
  await lease.claim(phone, 'a', now);
  expect(await lease.claim(phone, 'a', now + 1)).toEqual({ kind: 'claimed' });
});

it('a finished lease lasts until the end of the period', async () => {
  await lease.claim(phone, 'a', now);
  await lease.finish(phone, 'a', now + day);
  expect(await lease.claim(phone, 'b', now + day - 1)).toEqual({ kind: 'done' });
  expect(await lease.claim(phone, 'b', now + day)).toEqual({ kind: 'claimed' });
});

it('a released lease is free at once, and a finished lease cannot be released', async () => {
  await lease.claim(phone, 'a', now);
  await lease.release(phone, 'a');
  expect(await lease.claim(phone, 'b', now)).toEqual({ kind: 'claimed' });
  await lease.finish(phone, 'b', now + day);
  await lease.release(phone, 'b');
  expect(await lease.claim(phone, 'c', now)).toEqual({ kind: 'done' });
});

it('an abandoned lease expires, and its owner cannot end the next lease', async () => {
  await lease.claim(phone, 'a', now);
  expect(await lease.claim(phone, 'b', now + leaseMs - 1)).toMatchObject({ kind: 'running' });
  expect(await lease.claim(phone, 'b', now + leaseMs)).toEqual({ kind: 'claimed' });
  await lease.release(phone, 'a');
  await lease.finish(phone, 'a', now + day);
  expect(await lease.claim(phone, 'c', now + leaseMs)).toEqual({ kind: 'running', until: now + 2 * leaseMs });
});

it('the lease table contains no number, and every item expires', async () => {
  await lease.claim(phone, 'a', now);
  expect(await items()).toMatchObject([{ state: 'running', expiresAt: (now + leaseMs) / 1000 }]);
  await lease.finish(phone, 'a', now + day);
  const stored = await items();
  expect(stored).toMatchObject([{ state: 'done', expiresAt: (now + day) / 1000 }]);
  expect(JSON.stringify(stored)).not.toContain('2025550143');
});
