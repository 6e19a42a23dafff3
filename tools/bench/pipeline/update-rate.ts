import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { createMapper } from '../../../contract/events/mapping.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import { type Message, messageOf } from '../../../functions/history/message.ts';
import { clientSettings } from '../../../functions/runtime/handler-settings.ts';
import { localClient } from '../../../local/aws-protocol/call.ts';
import { bodyOf, eventsPerMessage, manyReports, type Report } from '../../engine/reports.ts';
import { shippedContract } from '../../support/contracts.ts';
import { startHistoryDatabase } from '../../support/history-database.ts';
import { cpuMsOf } from './cpu-time.ts';

/** As many writes as the worker has under way at once. */
const concurrency = 32;

const map = createMapper(shippedContract);

/** What DynamoDB Local does alone. */
export interface Updates {
  readonly perSecond: number;
  /** Processor time of an UpdateItem, the client's and the server's, in milliseconds. */
  readonly cpuMs: number;
}

/**
 * Measures how many of the worker's UpdateItems a second DynamoDB Local takes alone, one event in each: with the worker's own
 * history writer, in a table like the history, its indexes and stream too. In a process of its own, new each time: one whose
 * streams are read takes the longer for that, the more was written to other tables.
 */
export async function measureUpdates(calls: number, worklistShards: number): Promise<Updates> {
  const database = await startHistoryDatabase();
  const { endpoint, history } = await database.createTables({ hasStreams: true });
  const client = new DynamoDBClient({ ...clientSettings, ...localClient(endpoint) });
  const { storeMessage } = createHistoryWriter(client, history, { retentionDays: 400, worklistShards });
  const storeAll = async (series: string, count: number) => {
    const messages = manyReports('apart', series, Math.ceil(count / eventsPerMessage)).map(messageFrom);
    const startedAt = performance.now();
    const cpuBefore = cpuMsOf(process.pid) + cpuMsOf(database.pid);
    await pMap(messages, storeMessage, { concurrency });
    const cpuMs = cpuMsOf(process.pid) + cpuMsOf(database.pid) - cpuBefore;
    const seconds = (performance.now() - startedAt) / 1000;
    return { perSecond: messages.length / seconds, cpuMs: cpuMs / messages.length };
  };
  try {
    await storeAll('warm', Math.ceil(calls / 4));
    return await storeAll('measured', calls);
  } finally {
    client.destroy();
    await database.stop();
  }
}

function messageFrom(report: Report): Message {
  const body = Buffer.from(JSON.stringify(bodyOf(report)));
  const [mapped] = map(body, report.eventId ?? '', new Date(0).toISOString());
  if (mapped?.kind !== 'event' || mapped.event.kind !== 'sms.status')
    throw new Error('the contract does not read the events of this bench');
  return messageOf(mapped.event, mapped.event.occurredAt);
}
