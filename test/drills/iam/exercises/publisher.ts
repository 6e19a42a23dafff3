import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { messageKey } from '../../../../functions/adapters/history-items.ts';
import type { Exercise } from '../exercise.ts';
import { inboxOf } from '../inbox.ts';
import { historyWriter, reported } from './history.ts';

/** Publishes what is new, and sets aside what it cannot read. */
export const exercisePublisher: Exercise = async (stage) => {
  const { pipeline, bus, output, eventually } = stage;
  const message = reported({ status: 'sent' });
  await historyWriter(stage).storeMessage(message);
  const unreadable = messageKey(randomUUID());
  await pipeline.dynamoDb.send(
    new PutItemCommand({ TableName: output('HistoryTableName'), Item: marshall({ pk: unreadable }) }),
  );
  await eventually('the event is on the bus', async () =>
    (await bus.published()).some(({ detail }) => detail.messageId === message.messageId),
  );
  const failures = inboxOf(pipeline.sqs, output('PublisherFailuresQueueUrl'));
  await eventually('the unreadable one is set aside', () => failures.has(unreadable));
};
