/** `npm run bench:query`: how long one message with its history takes over HTTP on this machine, and what reading it costs. */
import pMap from 'p-map';
import { createQueryClient } from '../../cli/stores/query-client.ts';
import { rankOf } from '../../contract/schema/sms-event.ts';
import { createHistoryWriter } from '../../functions/history/history-write-store.ts';
import { foldMessages, type Message, messageOf } from '../../functions/history/message.ts';
import { createHistoryReader } from '../../functions/lists/history-list-store.ts';
import { startLocalPipeline, updateThrottle } from '../support/local-pipeline.ts';
import { type Read, recordReads } from './read-recorder.ts';

const messages = 1000;
const warmUp = 500;
const requests = 5000;
const concurrency = 4;

const idOf = (number: number) => `msg-${number % messages}`;

/** A message that was queued, sent and delivered. */
function messageNumber(number: number): Message {
  const at = (second: number) => new Date(Date.UTC(2026, 0, 15, 12, 0, second)).toISOString();
  const [queued, sent, delivered] = (['queued', 'sent', 'delivered'] as const).map((status, second) =>
    messageOf(
      {
        kind: 'sms.status',
        eventId: `evt-${number}-${status}`,
        messageId: idOf(number),
        sendId: 'send-1',
        phone: `+120255501${String(number % 100).padStart(2, '0')}`,
        status,
        rank: rankOf(status),
        occurredAt: at(second),
      },
      at(second + 1),
    ),
  );
  if (queued === undefined || sent === undefined || delivered === undefined) throw new Error('three reports');
  return foldMessages([queued, sent, delivered]);
}

/** The value that so many percent of the values are not above. */
function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}

const pipeline = await startLocalPipeline();
try {
  const { HistoryTableName = '', QueryUrl = '', WorklistShards } = pipeline.outputs;
  const writer = createHistoryWriter(pipeline.dynamoDb, HistoryTableName, {
    retentionDays: 400,
    worklistShards: Number(WorklistShards),
  });
  const numbers = Array.from({ length: messages }, (_, number) => number);
  await pMap(numbers, (number) => writer.storeMessage(messageNumber(number)), { concurrency: 16 });
  console.log(`stored ${messages} messages of 3 reports each`);
  // The bench measures the cost of a query, not the limit of queries.
  const unlimited = { throttlingRateLimit: 100_000, throttlingBurstLimit: 100_000 };
  await updateThrottle(pipeline, { routeSettings: { 'ANY /v1/{proxy+}': unlimited } });

  const client = createQueryClient({
    baseUrl: QueryUrl,
    region: 'us-east-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  });
  const taken: number[] = [];
  async function ask(number: number): Promise<void> {
    const begun = performance.now();
    const { events } = await client.message(idOf(number));
    taken.push(performance.now() - begun);
    if (events.length !== 3) throw new Error(`${idOf(number)} has ${events.length} reports`);
  }
  const drive = (count: number) => pMap(Array.from({ length: count }).keys(), ask, { concurrency });

  await drive(warmUp);
  taken.length = 0;
  const begun = performance.now();
  await drive(requests);
  const seconds = (performance.now() - begun) / 1000;
  taken.sort((a, b) => a - b);
  const [p50, p95, p99] = [50, 95, 99].map((percent) => percentile(taken, percent).toFixed(1));
  console.log(
    `GET /v1/messages/{messageId}, ${requests} requests, ${concurrency} at a time, client and services on this machine:`,
  );
  console.log(
    `  p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms; ${Math.round(requests / seconds)} requests a second`,
  );

  // The function's own adapter, with a client that records what each read consumed.
  const reads = recordReads(pipeline.dynamoDb);
  const reader = createHistoryReader(pipeline.dynamoDb, HistoryTableName);
  await pMap(numbers, (number) => reader.message(idOf(number)), { concurrency: 16 });
  const mean = (value: (read: Read) => number) =>
    reads().reduce((sum, read) => sum + value(read), 0) / reads().length;
  console.log(
    `  one GetItem, strongly consistent, of ${mean(({ bytes }) => bytes).toFixed(0)} bytes on average: ${mean(({ reported }) => reported)} read units as DynamoDB Local says, ${mean(({ computed }) => computed)} by the documented rule (one for each 4 KB begun)`,
  );
} finally {
  await pipeline.stop();
}
