import { randomUUID } from 'node:crypto';
import { createHistoryWriter, type HistoryWriter } from '../../../../functions/adapters/history-writer.ts';
import { type Message, messageOf } from '../../../../functions/core/history/message.ts';
import { type CanonicalStatus, rankOf } from '../../../../functions/core/statuses.ts';
import type { Bench } from '../bench.ts';

/** Writes history past the worker. */
export function historyWriter({ pipeline, output }: Pick<Bench, 'pipeline' | 'output'>): HistoryWriter {
  return createHistoryWriter(pipeline.dynamoDb, output('HistoryTableName'), {
    retentionDays: 400,
    worklistShards: worklistShards(output),
  });
}

export const worklistShards = (output: Bench['output']): number => Number(output('WorklistShards'));

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
