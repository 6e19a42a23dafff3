import { readFileSync } from 'node:fs';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
} from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { clientSettings } from '../../../functions/adapters/client-settings.ts';
import { createHistoryWriter } from '../../../functions/adapters/history-writer.ts';
import { createMapper } from '../../../functions/core/events/mapping.ts';
import { foldMessages, type Message, messageOf } from '../../../functions/core/history/message.ts';
import { shippedContract } from '../../support/contracts.ts';
import type { LocalPipeline } from '../../support/local-pipeline.ts';
import { type Arrangement, type Arrival, arrivalsOf, eventsPerMessage } from './arrivals.ts';
import { benchPart, type CpuUse, cpuBetween, databasePart, readCpuTimes } from './cpu-time.ts';

/** As many writes as the worker has under way at once. */
const concurrentWrites = 32;
const retentionDays = 400;

const map = createMapper(shippedContract);

export interface UpdateRates {
  /** UpdateItems a second straight to DynamoDB Local, one event in each. */
  readonly direct: number;
  /** The same through the gateway. */
  readonly throughGateway: number;
  /** Straight to DynamoDB Local, three events in each. */
  readonly folded: number;
  /** Cores that each of these had at work. */
  readonly cores: Readonly<Record<'direct' | 'throughGateway' | 'folded', UpdateCores>>;
}

/** A client near 1 bounds the rate itself: its JavaScript has one core. */
interface UpdateCores {
  readonly database: number;
  readonly client: number;
}

/**
 * Measures how many of the worker's UpdateItems a second DynamoDB Local takes while nothing else goes on: with the worker's own
 * history writer, in a table like the history, its indexes and stream too, which nobody reads.
 *
 * @param calls of each kind
 */
export async function measureUpdates(
  { dynamoDb, processes, outputs, port, directory }: LocalPipeline,
  calls: number,
): Promise<UpdateRates> {
  const { Table = {} } = await dynamoDb.send(
    new DescribeTableCommand({ TableName: outputs.HistoryTableName }),
  );
  const TableName = `updates-${Date.now()}`;
  await dynamoDb.send(
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
  const run = async (endpointPort: number, arrangement: Arrangement, series: string) => {
    const messages = messagesOf(arrangement, series, calls);
    const client = new DynamoDBClient(clientOf(endpointPort));
    const { storeMessage } = createHistoryWriter(client, TableName, {
      retentionDays,
      worklistShards: Number(outputs.WorklistShards),
    });
    const cpuBefore = readCpuTimes(directory);
    const startedAt = performance.now();
    await pMap(messages, storeMessage, { concurrency: concurrentWrites });
    const seconds = (performance.now() - startedAt) / 1000;
    const cpu = cpuBetween(cpuBefore, readCpuTimes(directory));
    client.destroy();
    return { rate: messages.length / seconds, cores: coresOf(cpu, seconds) };
  };
  try {
    const databasePort = directPort(processes(databasePart)[0]);
    const direct = await run(databasePort, 'apart', 'direct');
    const throughGateway = await run(port + 2, 'apart', 'gateway');
    const folded = await run(databasePort, 'together', 'folded');
    return {
      ...{ direct: direct.rate, throughGateway: throughGateway.rate, folded: folded.rate },
      cores: { direct: direct.cores, throughGateway: throughGateway.cores, folded: folded.cores },
    };
  } finally {
    await dynamoDb.send(new DeleteTableCommand({ TableName }));
  }
}

/** @param seconds between the readings */
export function coresOf({ parts }: CpuUse, seconds: number): UpdateCores {
  const of = (wanted: string) => (parts.find(([name]) => name === wanted)?.[1] ?? 0) / seconds;
  return { database: of(databasePart), client: of(benchPart) };
}

/** What the worker would write of these events: of each one a message, or one of all that a message has. */
export function messagesOf(arrangement: Arrangement, series: string, calls: number): Message[] {
  if (arrangement === 'apart')
    return arrivalsOf('apart', series, Math.ceil(calls / eventsPerMessage)).map(messageFrom);
  const arrivals = arrivalsOf('together', series, calls).map(messageFrom);
  return [...Map.groupBy(arrivals, ({ messageId }) => messageId).values()].map(([first, ...others]) => {
    if (first === undefined) throw new Error('a group of none');
    return foldMessages([first, ...others]);
  });
}

function messageFrom({ body, eventId }: Arrival): Message {
  const [mapped] = map(body, eventId);
  if (mapped?.readable !== true || mapped.event.kind !== 'sms.status')
    throw new Error('the contract does not read the events of this bench');
  return messageOf(mapped.event, mapped.event.occurredAt);
}

function clientOf(port: number): DynamoDBClientConfig {
  return {
    ...clientSettings,
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  };
}

/** Where DynamoDB Local itself listens, behind the gateway: as its command line says. */
function directPort(pid: number | undefined): number {
  const port = portIn(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  if (port === undefined) throw new Error('DynamoDB Local was started without a port');
  return port;
}

/** @param commandLine its arguments parted by NUL, as /proc has it */
export function portIn(commandLine: string): number | undefined {
  const [, port] = /\0-port\0(\d+)\0/.exec(commandLine) ?? [];
  return port === undefined ? undefined : Number(port);
}
