import { randomUUID } from 'node:crypto';
import { createQuarantine } from '../../../../functions/adapters/quarantine-table.ts';
import { quarantineId } from '../../../../functions/core/quarantine.ts';
import { createQueryClient } from '../../../../functions/query/client.ts';
import { demand, type Exercise, freshPhone } from '../exercise.ts';
import { historyWriter, reported } from './history.ts';

/** Answers a question of each kind: by key, by each index, and about quarantine. */
export const exerciseQuery: Exercise = async (stage) => {
  const { pipeline, output } = stage;
  const about = { phone: freshPhone(), sendId: randomUUID() };
  const failed = reported({ status: 'failed', ...about });
  const kept = { receivedAt: new Date().toISOString(), requestId: randomUUID() };
  await historyWriter(stage).storeMessage(failed);
  await createQuarantine(pipeline.dynamoDb, output('QuarantineTableName'), 1).keep({
    ...kept,
    reason: 'not-json',
    raw: Buffer.from('{'),
  });

  const ask = createQueryClient({
    baseUrl: output('QueryUrl'),
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const { messageId } = failed;
  demand('the message is found', (await ask.message(messageId)).messageId === messageId);
  demand('it is in the timeline', (await ask.timeline(about.phone)).entries.length === 1);
  demand('it is in its send', (await ask.send(about.sendId)).entries.length === 1);
  demand('it is among the failed', await holds(ask.failed.all(), (entry) => entry.messageId === messageId));
  const id = quarantineId(kept);
  demand('the entry is in quarantine', await holds(ask.quarantine.all(), (entry) => entry.id === id));
  demand('the entry is found', (await ask.quarantineEntry(id)).id === id);
};

async function holds<T>(entries: AsyncIterable<T>, isIt: (entry: T) => boolean): Promise<boolean> {
  for await (const entry of entries) if (isIt(entry)) return true;
  return false;
}
