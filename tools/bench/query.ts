/** `npm run bench:query`: how long one message with its history takes over HTTP on this machine, and what reading it costs. */
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { createQueryClient } from '../../cli/stores/query-client.ts';
import { messageKey } from '../../functions/history/history-item-store.ts';
import { createHistoryWriter } from '../../functions/history/history-write-store.ts';
import { foldMessages, messageOf } from '../../functions/history/message.ts';
import { updateThrottle, withPipeline } from '../support/local-pipeline.ts';
import { runScript } from '../support/run-script.ts';
import { percentile } from '../support/statistics.ts';
import { eventOf, receivedAt, statuses } from './reports.ts';
import { sizeOf } from './write-units/rules.ts';

const messages = 1000;
const warmUp = 500;
const requests = 5000;
const concurrency = 4;
/** A strongly consistent read costs a unit for each 4 KB begun. */
const readUnitBytes = 4096;

/** A message that was queued, sent and delivered. */
function messageNumber(message: number) {
  const [first, ...others] = statuses.map((_status, step) => {
    const event = eventOf({ series: 'query', message: message % messages, step });
    return messageOf(event, receivedAt(event));
  });
  if (first === undefined) throw new Error('a message without a report');
  return foldMessages([first, ...others]);
}

await runScript(() =>
  withPipeline({}, async (pipeline) => {
    const { HistoryTableName = '', QueryUrl = '', WorklistShards } = pipeline.outputs;
    const writer = createHistoryWriter(pipeline.dynamoDb, HistoryTableName, {
      retentionDays: 400,
      worklistShards: Number(WorklistShards),
    });
    const all = Array.from({ length: messages }, (_, number) => messageNumber(number));
    await pMap(all, (message) => writer.storeMessage(message), { concurrency: 16 });
    console.log(`stored ${messages} messages of 3 reports each`);
    // The bench measures the cost of a query, not the limit of queries.
    const unlimited = { throttlingRateLimit: 100_000, throttlingBurstLimit: 100_000 };
    await updateThrottle(pipeline, { routeSettings: { 'ANY /v1/{proxy+}': unlimited } });

    const client = createQueryClient({
      baseUrl: QueryUrl,
      region: 'us-east-1',
      credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
    });
    const ask = async (number: number): Promise<number> => {
      const { messageId } = messageNumber(number);
      const begun = performance.now();
      const { events } = await client.message(messageId);
      if (events.length !== 3) throw new Error(`${messageId} has ${events.length} reports`);
      return performance.now() - begun;
    };
    const drive = (count: number) => pMap(Array.from({ length: count }).keys(), ask, { concurrency });

    await drive(warmUp);
    const begun = performance.now();
    const taken = (await drive(requests)).sort((a, b) => a - b);
    const seconds = (performance.now() - begun) / 1000;
    const [p50, p95, p99] = [50, 95, 99].map((percent) => percentile(taken, percent).toFixed(1));
    console.log(
      `GET /v1/messages/{messageId}, ${requests} requests, ${concurrency} at a time, client and services on this machine:`,
    );
    console.log(
      `  p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms; ${Math.round(requests / seconds)} requests a second`,
    );

    const Key = { pk: { S: messageKey(messageNumber(0).messageId) } };
    const { Item = {} } = await pipeline.dynamoDb.send(
      new GetItemCommand({ TableName: HistoryTableName, Key, ConsistentRead: true }),
    );
    const bytes = sizeOf(Item);
    console.log(
      `  one GetItem, strongly consistent, of ${bytes} bytes: ${Math.ceil(bytes / readUnitBytes)} read units`,
    );
    return 0;
  }),
);
