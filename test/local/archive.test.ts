import { randomUUID } from 'node:crypto';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPersonalData } from '../../cli/personal-data/eraser.ts';
import { createClient } from '../../client/index.ts';
import { rankOf } from '../../contract/schema/sms-event.ts';
import { createArchive } from '../../functions/archive/archive.ts';
import { openArchiveObjects } from '../../functions/archive/archive-objects-store.ts';
import { createHistoryWriter } from '../../functions/history/history-write-store.ts';
import { messageOf, replyOf } from '../../functions/history/message.ts';
import { createOpenBatches } from '../../functions/history/open-batch-store.ts';
import { localClient } from '../../local/aws-protocol/call.ts';
import { type LocalPipeline, startLocalPipeline } from '../../tools/support/local-pipeline.ts';

const afterDays = 7;
const dayMs = 86_400_000;
const phone = '+12025550143';
const other = '+12025550199';

let pipeline: LocalPipeline;
beforeAll(async () => {
  pipeline = await startLocalPipeline({ 'sms:archiveAfterDays': afterDays });
});
afterAll(async () => {
  expect(await pipeline.stop()).toBe(0);
});

it('queries answer from the archive after messages have left the table, and an erasure reaches it', async () => {
  const { outputs, dynamoDb, port } = pipeline;
  const output = (name: string) => outputs[name] ?? '';
  const stored = Date.now() - (afterDays + 2) * dayMs;
  const at = new Date(stored).toISOString();
  const [own, others, late] = [randomUUID(), randomUUID(), randomUUID()];
  const view = (messageId: string, status: 'sent' | 'delivered', number: string, seen = at) =>
    messageOf(
      {
        kind: 'sms.status',
        ...{ eventId: randomUUID(), messageId, status, phone: number },
        ...{ rank: rankOf(status), occurredAt: seen },
      },
      seen,
    );
  const reply = replyOf(
    {
      kind: 'sms.reply',
      ...{ eventId: randomUUID(), replyId: late, from: phone, text: 'thanks', occurredAt: at },
    },
    at,
  );
  const messages = [view(own, 'delivered', phone), view(others, 'sent', other)];
  const writer = createHistoryWriter(dynamoDb, output('HistoryTableName'), {
    retentionDays: 400,
    worklistShards: Number(output('WorklistShards')),
  });
  await createOpenBatches(dynamoDb, output('OpenBatchesTableName'), () => stored, afterDays).note(messages, [
    reply,
  ]);
  for (const message of messages) await writer.storeMessage(message);
  await writer.storeReply(reply);

  const lambda = new LambdaClient(localClient(`http://127.0.0.1:${port + 4}`));
  const archiveAll = async () => {
    const FunctionName = output('ArchiverFunctionName');
    const { FunctionError } = await lambda.send(new InvokeCommand({ FunctionName, Payload: '{}' }));
    expect(FunctionError).toBeUndefined();
  };
  await archiveAll();
  // What TTL does some weeks later.
  for (const pk of [`message#${own}`, `message#${others}`, `reply#${late}`])
    await dynamoDb.send(
      new DeleteItemCommand({ TableName: output('HistoryTableName'), Key: { pk: { S: pk } } }),
    );

  const ask = createClient({
    baseUrl: output('QueryUrl'),
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const { data: message } = await ask.getMessage({ messageId: own });
  expect(message).toMatchObject({ messageId: own, status: 'delivered', phone });
  const { data: timeline } = await ask.getTimeline({ phone });
  expect(timeline?.entries).toHaveLength(2);

  // A late report makes a new item. The state stays that of all reports.
  await writer.storeMessage(view(own, 'sent', phone, new Date().toISOString()));
  const { data: joined } = await ask.getMessage({ messageId: own });
  expect([joined?.status, joined?.events.length]).toEqual(['delivered', 2]);
  expect((await ask.getTimeline({ phone })).data?.entries).toHaveLength(2);

  const objects = openArchiveObjects(
    output('ArchiveBucketName'),
    localClient(`http://127.0.0.1:${port + 3}`),
  );
  if (objects === undefined) throw new Error('there is no bucket');
  const tables = {
    history: output('HistoryTableName'),
    quarantine: output('QuarantineTableName'),
    archive: createArchive(objects),
  };
  const person = createPersonalData(dynamoDb, tables, Date.now, 0, () => {});
  const exported = [];
  for await (const record of person.records(phone)) exported.push(record);
  expect(exported.map(({ kind }) => kind).toSorted()).toEqual(['message', 'reply']);

  const receiptId = randomUUID();
  await person.receipts.begin({
    id: receiptId,
    startedAt: at,
    toolVersion: 'test',
    keepOptOut: false,
  });
  const { receipt } = await person.erase({ phone, receiptId });
  expect(receipt).toMatchObject({ state: 'done', counts: { message: 1, reply: 1 } });
  expect((await ask.getTimeline({ phone })).data?.entries).toEqual([]);
  const gone = await ask.getMessage({ messageId: own });
  expect(gone.data).toBeUndefined();
  expect((await ask.getMessage({ messageId: others })).data?.messageId).toBe(others);
});
