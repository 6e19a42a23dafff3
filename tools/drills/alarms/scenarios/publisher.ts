import { DeleteItemCommand, GetItemCommand, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { PurgeQueueCommand } from '@aws-sdk/client-sqs';
import { localBus } from '../../../support/local-bus.ts';
import { until } from '../../../support/until.ts';
import { statusEvent } from '../event-bodies.ts';
import { expectText, type Scenario } from '../scenario.ts';
import type { Site } from '../site.ts';

export const recordUnreadable: Scenario = {
  alarms: ['PublisherPublisherFailuresPresent'],
  how: 'an item in the history table that is none of ours',
  async play({ site, fired, step, sms, fixed, undo }) {
    const { dynamoDb, sqs } = site.pipeline;
    const TableName = site.output('HistoryTableName');
    const QueueUrl = site.output('PublisherFailuresQueueUrl');
    const pk = { S: 'message#by-hand' };
    const purge = await undo(() => sqs.send(new PurgeQueueCommand({ QueueUrl })));
    const deleteItem = await undo(() => dynamoDb.send(new DeleteItemCommand({ TableName, Key: { pk } })));
    await dynamoDb.send(new PutItemCommand({ TableName, Item: { pk, messageId: { S: 'by-hand' } } }));
    await fired();
    const shown = await sms('dead-letter show PublisherFailuresQueueUrl', 'unreadable record');
    expectText(shown, `item ${pk.S}`);
    await step('look at the item by its key, have it deleted', async () => {
      const { Item } = await dynamoDb.send(new GetItemCommand({ TableName, Key: { pk } }));
      if (Item?.messageId?.S !== 'by-hand') throw new Error('there is no such item');
      await deleteItem();
    });
    await sms('dead-letter redrive PublisherFailuresQueueUrl', '', 1);
    await step('aws sqs purge-queue', purge);
    await fixed();
    await site.post(statusEvent('drill-readable'));
    await untilPublished(site, 'drill-readable');
  },
};

/** Both are waited for five minutes, really. */
export const behind: Scenario = {
  alarms: ['PublisherPublisherBehind', 'EventsQueueBehind', 'EventsNotPublished'],
  how: 'the bus throttles every PutEvents (/local/event-bridge/faults), and SQS refuses to let Lambda receive (/local/faults), as where the role of the worker was changed; really waited',
  async play({ site, fired, step, log, fixed, undo }) {
    const bus = localBus(site.pipeline.port);
    await bus.fail({ throttle: true });
    const recover = await undo(() => bus.recover());
    await site.post(statusEvent('drill-late'));
    await site.untilStored('drill-late');
    const before = site.monitor.countsOf('worker');
    const fix = await undo(site.spoilPoller('worker'));
    await site.post(statusEvent('drill-behind'));
    await fired({ deadlineMs: 420_000 });
    await log('publisher', 'PUBLISH-01', /Throttling/);
    await step('a higher PutEvents quota: the bus takes events again', recover);
    await step('EventsWorker: no errors and no throttles', () => {
      const { errors, throttles } = site.monitor.countsOf('worker');
      if (errors > before.errors || throttles > before.throttles) throw new Error('the worker was started');
    });
    await step('deploy: the role is as it was', fix);
    await step('the age of the oldest event falls, and the publisher catches up by itself', async () => {
      await site.untilStored('drill-behind', 150_000);
      await site.untilEmpty('EventsQueueUrl', 150_000);
      // Messages of other scenarios were delayed as long.
      await untilAllPublished(site);
    });
    await fixed();
    await step('dead-letter list: none', () => site.untilListedEmpty('DeadLetterQueueUrl'));
    await site.post(statusEvent('drill-in-time'));
    await untilPublished(site, 'drill-in-time');
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
async function untilAllPublished(site: Site): Promise<void> {
  const { Items = [] } = await site.pipeline.dynamoDb.send(
    new ScanCommand({ TableName: site.output('HistoryTableName'), ProjectionExpression: 'pk' }),
  );
  for (const { pk } of Items)
    if (pk?.S?.startsWith('message#')) await untilPublished(site, pk.S.slice('message#'.length));
}
