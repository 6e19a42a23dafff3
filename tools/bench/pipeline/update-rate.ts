import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { createMapper } from '../../../contract/events/mapping.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import { foldMessages, type Message, messageOf } from '../../../functions/history/message.ts';
import { clientSettings } from '../../../functions/runtime/handler-settings.ts';
import { freePorts } from '../../../local/run/ports.ts';
import { findJava, startDynamoDb } from '../../../local/services/dynamodb/api.ts';
import {
  type Arrangement,
  bodyOf,
  eventsPerMessage,
  manyReports,
  type Report,
} from '../../engine/reports.ts';
import { shippedContract } from '../../support/contracts.ts';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import { cpuMsOf } from './cpu-time.ts';

/** As many writes as the worker has under way at once. */
const concurrentWrites = 32;
const retentionDays = 400;
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

const map = createMapper(shippedContract);

export interface UpdateRates {
  /** UpdateItems a second, one event in each. */
  readonly direct: number;
  /** The same, three events in each. */
  readonly folded: number;
  /** Cores that each of these had at work. */
  readonly cores: Readonly<Record<'direct' | 'folded', UpdateCores>>;
}

/** A client near 1 bounds the rate itself: its JavaScript has one core. */
interface UpdateCores {
  readonly database: number;
  readonly client: number;
}

/**
 * Measures how many of the worker's UpdateItems a second DynamoDB Local takes alone: with the worker's own history writer, in a
 * table like the history, its indexes and stream too. In a process of its own, new each time: one whose streams are read
 * takes the longer for that, the more was written to other tables.
 *
 * @param calls of each kind
 */
export async function measureUpdates(
  { dynamoDb, outputs }: LocalPipeline,
  calls: number,
): Promise<UpdateRates> {
  const { Table = {} } = await dynamoDb.send(
    new DescribeTableCommand({ TableName: outputs.HistoryTableName }),
  );
  return withDatabase(async (pid, endpoint) => {
    const client = new DynamoDBClient({ ...clientSettings, endpoint, region: 'us-east-1', credentials });
    const TableName = 'updates';
    await client.send(
      new CreateTableCommand({
        TableName,
        AttributeDefinitions: Table.AttributeDefinitions,
        KeySchema: Table.KeySchema,
        BillingMode: 'PAY_PER_REQUEST',
        StreamSpecification: Table.StreamSpecification,
        GlobalSecondaryIndexes: Table.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
          IndexName,
          KeySchema,
          Projection,
        })),
      }),
    );
    const { storeMessage } = createHistoryWriter(client, TableName, {
      retentionDays,
      worklistShards: Number(outputs.WorklistShards),
    });
    async function run(arrangement: Arrangement, series: string, count: number) {
      const messages = messagesOf(arrangement, series, count);
      const databaseBefore = cpuMsOf(pid);
      const clientBefore = process.cpuUsage();
      const startedAt = performance.now();
      await pMap(messages, storeMessage, { concurrency: concurrentWrites });
      const ms = performance.now() - startedAt;
      const { user, system } = process.cpuUsage(clientBefore);
      const cores = { database: (cpuMsOf(pid) - databaseBefore) / ms, client: (user + system) / 1000 / ms };
      return { rate: (messages.length / ms) * 1000, cores };
    }
    try {
      await run('apart', 'warm', Math.ceil(calls / 4));
      const direct = await run('apart', 'direct', calls);
      const folded = await run('together', 'folded', calls);
      return {
        ...{ direct: direct.rate, folded: folded.rate },
        cores: { direct: direct.cores, folded: folded.cores },
      };
    } finally {
      client.destroy();
    }
  });
}

/** Runs a DynamoDB Local of its own for as long as it is used. */
async function withDatabase<T>(use: (pid: number, endpoint: string) => Promise<T>): Promise<T> {
  const [port = 0] = await freePorts(1);
  const folder = mkdtempSync(join(tmpdir(), 'updates-'));
  const java = await findJava(process.env);
  const database = startDynamoDb({
    port,
    java,
    logFile: join(folder, 'dynamodb.log'),
    runId: folder,
  });
  const end = () => {
    process.kill(database.pid, 'SIGKILL');
  };
  // It is a process group of its own, which no Ctrl-C ends.
  process.once('exit', end);
  try {
    await database.ready;
    return await use(database.pid, `http://127.0.0.1:${port}`);
  } finally {
    process.off('exit', end);
    end();
    await database.exited;
    database.client.destroy();
    rmSync(folder, { recursive: true });
  }
}

/** Returns the worker's writes of these events: one message each, or one message with all of them. */
export function messagesOf(arrangement: Arrangement, series: string, calls: number): Message[] {
  if (arrangement === 'apart')
    return manyReports('apart', series, Math.ceil(calls / eventsPerMessage)).map(messageFrom);
  const reports = manyReports('together', series, calls).map(messageFrom);
  return [...Map.groupBy(reports, ({ messageId }) => messageId).values()].map(([first, ...others]) => {
    if (first === undefined) throw new Error('a group of none');
    return foldMessages([first, ...others]);
  });
}

function messageFrom(report: Report): Message {
  const body = Buffer.from(JSON.stringify(bodyOf(report)));
  const [mapped] = map(body, report.eventId ?? '', new Date(0).toISOString());
  if (mapped?.kind !== 'event' || mapped.event.kind !== 'sms.status')
    throw new Error('the contract does not read the events of this bench');
  return messageOf(mapped.event, mapped.event.occurredAt);
}
