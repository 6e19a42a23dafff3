import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it, onTestFinished } from 'vitest';
import { createDriftReader } from '../../../../cli/stores/history-tables.ts';
import { mismatchId, type NotedMismatch } from '../../../../contract/drift/drift-watch.ts';
import { createDriftRegister, driftDayFromItem } from '../../../../functions/contract-drift/drift-store.ts';
import { answer, startScriptedServer } from '../sms-service/scripted-server.ts';

const novelty: NotedMismatch = {
  ...{ kind: 'status', field: 'statuses', expected: 'a listed word', found: 'string', word: 'held' },
  ...{ shape: '{"status":"string"}', foundAt: '2026-01-15T23:59:59.999Z' },
};
const id = mismatchId(novelty);

async function database(...answers: ReturnType<typeof answer>[]) {
  const server = await startScriptedServer({ 'POST /': answers }, () => undefined);
  onTestFinished(() => server.close());
  const client = new DynamoDBClient({
    endpoint: server.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
  return { client, asked: () => JSON.parse(server.requests[0]?.body ?? '') };
}

it('the drift store adds a mismatch to its day, unless the day has it already or is full', async () => {
  const { client, asked } = await database(answer(200, {}));
  await createDriftRegister(client, 'history').note(novelty);
  expect(asked()).toMatchObject({
    Key: { pk: { S: 'drift#2026-01-15' } },
    ConditionExpression: 'attribute_not_exists(#novelty) AND (attribute_not_exists(#count) OR #count < :max)',
    ExpressionAttributeNames: { '#novelty': `novelty#${id}` },
    ExpressionAttributeValues: {
      ':novelty': { M: { word: { S: 'held' }, shape: { S: '{"status":"string"}' } } },
      ':expiresAt': { N: String(Math.floor(Date.parse('2026-04-15T23:59:59.999Z') / 1000)) },
    },
  });
  // In an index it would be among the entries of other lists.
  for (const key of ['phone', 'worklist', 'sendKey', 'at', 'listedAt'])
    expect(Object.values(asked().ExpressionAttributeNames)).not.toContain(key);
});

it('the drift store accepts a failed write as done only if the day has the mismatch or is full', async () => {
  const refused = (type: string) => answer(400, { __type: `com.amazonaws.dynamodb.v20120810#${type}` });
  const known = await database(refused('ConditionalCheckFailedException'));
  await expect(createDriftRegister(known.client, 'history').note(novelty)).resolves.toBeUndefined();
  const throttled = await database(refused('ProvisionedThroughputExceededException'));
  await expect(createDriftRegister(throttled.client, 'history').note(novelty)).rejects.toThrow();
});

const item = {
  pk: { S: 'drift#2026-01-15' },
  day: { S: '2026-01-15' },
  noveltyCount: { N: '1' },
  expiresAt: { N: '1' },
  [`novelty#${id}`]: {
    M: Object.fromEntries(Object.entries(novelty).map(([name, value]) => [name, { S: value }])),
  },
};

it('the drift store reads a day as it was written', () => {
  expect(driftDayFromItem(item)).toEqual({ day: '2026-01-15', novelties: new Map([[id, novelty]]) });
});

it('the drift store reads days by their keys, and leaves out empty ones', async () => {
  const { client, asked } = await database(answer(200, { Responses: { history: [item] } }));
  const days = await createDriftReader(client, 'history')(['2026-01-15', '2026-01-14']);
  expect(days.map(({ day }) => day)).toEqual(['2026-01-15']);
  expect(asked().RequestItems.history.Keys).toEqual([
    { pk: { S: 'drift#2026-01-15' } },
    { pk: { S: 'drift#2026-01-14' } },
  ]);
});
