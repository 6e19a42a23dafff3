import { randomUUID } from 'node:crypto';
import { allEntries, createClient } from '../../../../client/index.ts';
import { type CanonicalStatus, rankOf } from '../../../../contract/schema/sms-event.ts';
import {
  decidingEntry,
  type HistoryWriter,
  type Message,
  messageOf,
} from '../../../../functions/history/index.ts';
import { createHistoryReader, createHistoryWriter } from '../../../../functions/history/io.ts';
import { createQuarantine } from '../../../../functions/receive/io.ts';
import { quarantineId } from '../../../../functions/receive/shapes.ts';
import { anotherPhone } from '../another-phone.ts';
import { demand, type Exercise } from '../exercise.ts';
import type { TestBed } from '../test-bed.ts';

/** Writes history past the worker. */
export function historyWriter({ pipeline, output }: Pick<TestBed, 'pipeline' | 'output'>): HistoryWriter {
  return createHistoryWriter(pipeline.dynamoDb, output('HistoryTableName'), {
    retentionDays: 400,
    listShards: listShards(output),
  });
}

export const listShards = (output: TestBed['output']): number => Number(output('ListShards'));

interface Reported {
  readonly status: CanonicalStatus;
  /** ISO 8601. */
  readonly at?: string;
  readonly phone?: string;
  readonly sendId?: string;
}

/** A message with one report. */
export function reported({ status, at = new Date().toISOString(), ...about }: Reported): Message {
  const event = { kind: 'sms.status', eventId: randomUUID(), messageId: randomUUID(), status } as const;
  return messageOf({ ...event, ...about, rank: rankOf(status), occurredAt: at }, at);
}

/** Answers a question of each kind: by key, by each index, and about quarantine. */
export const exerciseQuery: Exercise = async (stage) => {
  const { pipeline, output, eventually } = stage;
  const about = { phone: anotherPhone(), sendId: randomUUID() };
  const failed = reported({ status: 'failed', ...about });
  const open = reported({ status: 'sent' });
  await historyWriter(stage).storeMessage(open);
  const kept = { receivedAt: new Date().toISOString(), requestId: randomUUID() };
  await historyWriter(stage).storeMessage(failed);
  const settings = { retentionDays: 1, listShards: listShards(output) };
  await createQuarantine(pipeline.dynamoDb, output('QuarantineTableName'), settings, 'rules').keep({
    ...kept,
    reason: 'not-json',
    raw: Buffer.from('{'),
  });

  const ask = createClient({
    baseUrl: output('QueryUrl'),
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const { messageId } = failed;
  const message = await ask.getMessage({ messageId });
  demand('the message is found', message.messageId === messageId);
  const timeline = await ask.getTimeline({ phone: about.phone });
  demand('it is in the timeline', timeline.entries.length === 1);
  const send = await ask.listSend({ sendId: about.sendId });
  demand('it is in its send', send.entries.length === 1);
  const failures = allEntries((page) => ask.listMessages({ state: 'failed', ...page }));
  demand('it is among the failed', await holds(failures, (entry) => entry.messageId === messageId));
  const listed = allEntries((page) => ask.listMessages({ state: 'pending', ...page }));
  demand(
    'the open one is among the pending',
    await holds(listed, (entry) => entry.messageId === open.messageId),
  );
  const id = quarantineId(kept);
  const quarantine = allEntries((page) => ask.listQuarantine({ ...page }));
  demand('the entry is in quarantine', await holds(quarantine, (entry) => entry.id === id));
  const entry = await ask.getQuarantineEntry({ entryId: id });
  demand('the entry is found', entry.id === id);
  // The list reads the counters of sends that are counted already, which takes 15 seconds. It throws if the function may not answer.
  await eventually('the send is counted', async () => (await ask.listSends()).entries.length > 0);
  await ask.getInsights();
};

async function holds<T>(entries: AsyncIterable<T>, isIt: (entry: T) => boolean): Promise<boolean> {
  for await (const entry of entries) if (isIt(entry)) return true;
  return false;
}

/** Longer than sms:staleAfterHours. */
const staleForMs = 100 * 3_600_000;

/** Marks a message that has waited for too long. */
export const exerciseSweep: Exercise = async (stage) => {
  const { pipeline, output, invoke } = stage;
  const stale = reported({ status: 'sent', at: new Date(Date.now() - staleForMs).toISOString() });
  await historyWriter(stage).storeMessage(stale);
  await invoke(output('SweepFunctionName'), {});
  const reader = createHistoryReader(pipeline.dynamoDb, output('HistoryTableName'));
  const swept = await reader.message(stale.messageId);
  demand('the message is marked', swept !== undefined && decidingEntry(swept).status === 'unknown');
};
