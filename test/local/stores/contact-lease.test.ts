import { randomUUID } from 'node:crypto';
import { CreateTableCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createContactLease,
  leaseMs,
} from '../../../functions/automations/contact-sync/contact-lease-store.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { contactLeaseSuite } from '../../support/suites/contact-lease.ts';

const phone = '+12025550143';
const now = Date.parse('2026-01-15T12:00:00.000Z');
const day = 86_400_000;
let database: HistoryTables;
let tableName: string;

beforeAll(async () => {
  database = await startHistoryTables();
});
afterAll(() => database.stop());

async function newLease() {
  tableName = `contact-lease-${randomUUID()}`;
  await database.client.send(
    new CreateTableCommand({
      TableName: tableName,
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  return createContactLease(database.client, tableName);
}

async function items() {
  const { Items = [] } = await database.client.send(new ScanCommand({ TableName: tableName }));
  return Items.map((item) => unmarshall(item));
}

contactLeaseSuite('in DynamoDB', newLease);

it('the lease table contains no number, and every item expires', async () => {
  const lease = await newLease();
  await lease.claim(phone, 'a', now);
  expect(await items()).toMatchObject([{ state: 'running', expiresAt: (now + leaseMs) / 1000 }]);
  await lease.finish(phone, 'a', now + day);
  const stored = await items();
  expect(stored).toMatchObject([{ state: 'done', expiresAt: (now + day) / 1000 }]);
  expect(JSON.stringify(stored)).not.toContain('2025550143');
});
