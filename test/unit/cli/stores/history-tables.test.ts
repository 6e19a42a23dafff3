import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { createHistoryExport, type ExportBatch } from '../../../../cli/stores/history-tables.ts';
import { answering, anyAccount } from '../support/aws.ts';

const key = { pk: { S: 'message#m' }, phone: { S: '+12025550143' } };
const range = { since: '2026-01-15T00:00:00.000Z', until: '2026-01-16T00:00:00.000Z' };

it('an export can continue after a page of keys of which none is in its range', async () => {
  const asked: unknown[] = [];
  const pages = [
    { Items: [], ScannedCount: 500, LastEvaluatedKey: key },
    { Items: [], ScannedCount: 20 },
  ];
  const client = answering(new DynamoDBClient(anyAccount), (_, { ExclusiveStartKey }) => {
    asked.push(ExclusiveStartKey);
    return pages[asked.length - 1] ?? {};
  });
  const batches: ExportBatch[] = [];
  for await (const batch of createHistoryExport(client, 'history').batches(range)) batches.push(batch);
  expect(batches).toEqual([
    { entries: [], keys: 500, next: JSON.stringify(key) },
    { entries: [], keys: 20 },
  ]);
  expect(asked).toEqual([undefined, key]);
});
