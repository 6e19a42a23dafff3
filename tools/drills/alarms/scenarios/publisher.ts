import { DeleteItemCommand, GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { PurgeQueueCommand } from '@aws-sdk/client-sqs';
import { localBus } from '../../../support/local-bus.ts';
import { until } from '../../../support/until.ts';
import { statusEvent } from '../event-bodies.ts';
import { expectText, type Scenario } from '../scenario.ts';
import type { Site } from '../site.ts';

/** An item was written into the history table by hand. */
export const recordUnreadable: Scenario = {
  alarms: ['PublisherPublishRefused', 'PublisherPublisherFailuresPresent'],
  how: 'an item in the history table that is none of ours',
  async play({ site, fired, step, fixed, undo }) {
    const { dynamoDb, sqs } = site.pipeline;
    const TableName = site.output('HistoryTableName');
    const pk = { S: 'message#by-hand' };
    const deleteItem = () => dynamoDb.send(new DeleteItemCommand({ TableName, Key: { pk } }));
    const purge = () =>
      sqs.send(new PurgeQueueCommand({ QueueUrl: site.output('PublisherFailuresQueueUrl') }));
    undo(purge);
    undo(deleteItem);
    await dynamoDb.send(new PutItemCommand({ TableName, Item: { pk, messageId: { S: 'by-hand' } } }));
    await fired();
    await step(
      'dlq show PublisherFailuresQueueUrl: unreadable record, with the key of its item',
      async () => {
        const shown = await site.sms('dlq show PublisherFailuresQueueUrl');
        expectText(shown, 'unreadable record');
        expectText(shown, `item ${pk.S}`);
      },
    );
    await step('look at the item by its key, have it deleted', async () => {
      const { Item } = await dynamoDb.send(new GetItemCommand({ TableName, Key: { pk } }));
      if (Item?.messageId?.S !== 'by-hand') throw new Error('there is no such item');
      await deleteItem();
    });
    await step('dlq redrive refuses them', () => site.sms('dlq redrive PublisherFailuresQueueUrl', 1));
    await step('aws sqs purge-queue', purge);
    await fixed();
    await site.post(statusEvent('drill-readable'));
    await untilPublished(site, 'drill-readable');
  },
};

/** Waits until the bus has an event of the message. */
export async function untilPublished(site: Site, messageId: string): Promise<void> {
  const bus = localBus(site.pipeline.port);
  await until(
    `message ${messageId} is on the bus`,
    async () => (await bus.published()).some(({ detail }) => detail.messageId === messageId),
    120_000,
  );
}

/** Waits until the bus has an event of every message in history. */
export async function untilAllPublished(site: Site): Promise<void> {
  const { Items = [] } = await site.pipeline.dynamoDb.send(
    new ScanCommand({ TableName: site.output('HistoryTableName'), ProjectionExpression: 'pk' }),
  );
  for (const { pk } of Items)
    if (pk?.S?.startsWith('message#')) await untilPublished(site, pk.S.slice('message#'.length));
}
