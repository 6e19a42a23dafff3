import { randomUUID } from 'node:crypto';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { decidingEntry, messageKey } from '../../../../functions/history/index.ts';
import { createHistoryReader } from '../../../../functions/history/io.ts';
import { demand, type Exercise } from '../exercise.ts';

/** Finds a message that the history does not have, and runs as its schedule would. */
export const exerciseLookups: Exercise = async ({ pipeline, output, invoke, eventually }) => {
  const messageId = randomUUID();
  const fields = { messageId, status: 'delivered', occurredAt: new Date().toISOString() };
  await fetch(`http://127.0.0.1:${pipeline.port + 1}/sandbox/events`, {
    method: 'POST',
    body: JSON.stringify([{ kind: 'sms.status', fields }]),
  });
  const reader = createHistoryReader(pipeline.dynamoDb, output('HistoryTableName'));
  await eventually('the message is stored', () => reader.message(messageId));
  await pipeline.dynamoDb.send(
    new DeleteItemCommand({
      TableName: output('HistoryTableName'),
      Key: { pk: { S: messageKey(messageId) } },
    }),
  );
  await invoke(output('LookupFunctionName'), { action: 'message', messageId });
  const found = await reader.message(messageId);
  demand('the message is found again', found !== undefined && decidingEntry(found).origin === 'lookup');
  await invoke(output('LookupFunctionName'), { source: 'aws.events' });
};
