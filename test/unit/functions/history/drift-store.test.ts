import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { createDriftReader } from '../../../../cli/stores/history-tables.ts';
import { mismatchId, type NotedMismatch } from '../../../../contract/drift/drift-watch.ts';
import { driftDayFromItem } from '../../../../functions/history/drift-item.ts';
import { createDriftRegister } from '../../../../functions/history/drift-store.ts';
import { answers, fails, type Step, scriptedAws } from '../../../support/scripted-aws.ts';

const mismatch: NotedMismatch = {
  kind: 'status',
  field: 'statuses',
  expected: 'a listed word',
  found: 'string',
  word: 'held',
  shape: '{"status":"string"}',
  foundAt: '2026-01-15T23:59:59.999Z',
};
const id = mismatchId(mismatch);

function database(...steps: readonly Step[]) {
  const { settings, inputs } = scriptedAws(...steps);
  return { client: new DynamoDBClient(settings), asked: () => inputs()[0] };
}

it('the drift store accepts a failed write as done only if the day has the mismatch or is full', async () => {
  const refused = (type: string) => fails(`com.amazonaws.dynamodb.v20120810#${type}`);
  const known = database(refused('ConditionalCheckFailedException'));
  await expect(createDriftRegister(known.client, 'history').note(mismatch)).resolves.toBeUndefined();
  const throttled = database(refused('ProvisionedThroughputExceededException'));
  await expect(createDriftRegister(throttled.client, 'history').note(mismatch)).rejects.toThrow();
});

const item = {
  pk: { S: 'drift#2026-01-15' },
  day: { S: '2026-01-15' },
  mismatchCount: { N: '1' },
  expiresAt: { N: '1' },
  [`mismatch#${id}`]: {
    M: Object.fromEntries(Object.entries(mismatch).map(([name, value]) => [name, { S: value }])),
  },
};

it('the drift store reads a day as it was written', () => {
  expect(driftDayFromItem(item)).toEqual({ day: '2026-01-15', mismatches: new Map([[id, mismatch]]) });
});

it('the drift store reads days by their keys, and leaves out empty ones', async () => {
  const { client, asked } = database(answers({ Responses: { history: [item] } }));
  const days = await createDriftReader(client, 'history')(['2026-01-15', '2026-01-14']);
  expect(days.map(({ day }) => day)).toEqual(['2026-01-15']);
  const Keys = ['drift#2026-01-15', 'drift#2026-01-14'].map((S) => ({ pk: { S } }));
  expect(asked()).toMatchObject({ RequestItems: { history: { Keys } } });
});
