import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { PurgeQueueCommand } from '@aws-sdk/client-sqs';
import { localBus } from '../../../support/local-bus.ts';
import { until } from '../../../support/until.ts';
import { expectText } from '../expect-text.ts';
import type { Scenario } from '../scenario.ts';
import type { Site } from '../site.ts';
import { statusEvent } from '../webhook-caller.ts';

/** The function publisher cannot start. */
export const publisherBroken: Scenario = {
  alarms: ['PublisherPublisherErrors'],
  how: 'a deployment of the publisher that does not start',
  async play({ site, fired, step, mended, undo }) {
    const deploy = site.breakCode('publisher');
    undo(deploy);
    await site.post(statusEvent('drill-unpublished'));
    await fired();
    await step('its log names the error: mend it and deploy again', () => {
      if (site.logged('publisher', 'does not start').length === 0) throw new Error('no error in the log');
      deploy();
    });
    await step('it catches up by itself', () => untilPublished(site, 'drill-unpublished'));
    await mended();
    await site.post(statusEvent('drill-published'));
    await untilPublished(site, 'drill-published');
  },
};

/** Lambda does not start the function publisher. */
export const publisherThrottled: Scenario = {
  alarms: ['PublisherPublisherThrottled'],
  how: 'reserved concurrency 0 for the publisher (PutFunctionConcurrency)',
  async play({ site, fired, step, mended, undo }) {
    await site.throttle('publisher');
    undo(() => site.unthrottle('publisher'));
    await site.post(statusEvent('drill-not-started'));
    await fired();
    await step('aws lambda delete-function-concurrency', () => site.unthrottle('publisher'));
    await step('it catches up by itself', () => untilPublished(site, 'drill-not-started'));
    await mended();
    await site.post(statusEvent('drill-started'));
    await untilPublished(site, 'drill-started');
  },
};

/** Somebody wrote into the history table by hand. */
export const recordUnreadable: Scenario = {
  alarms: ['PublisherPublishRefused', 'PublisherPublisherFailuresPresent'],
  how: 'an item in the history table that is none of ours',
  async play({ site, fired, step, mended }) {
    const { dynamoDb, sqs } = site.pipeline;
    const TableName = site.output('HistoryTableName');
    const pk = { S: 'message#by-hand' };
    await dynamoDb.send(new PutItemCommand({ TableName, Item: { pk, messageId: { S: 'by-hand' } } }));
    await fired();
    await step('dlq show PublisherFailuresQueueUrl: unreadable record', async () =>
      expectText(await site.sms('dlq show PublisherFailuresQueueUrl'), 'unreadable record'),
    );
    await step('look at the item by its key, have it deleted', () =>
      dynamoDb.send(new DeleteItemCommand({ TableName, Key: { pk } })),
    );
    await step('dlq redrive refuses them', () => site.sms('dlq redrive PublisherFailuresQueueUrl', 1));
    await step('aws sqs purge-queue', () =>
      sqs.send(new PurgeQueueCommand({ QueueUrl: site.output('PublisherFailuresQueueUrl') })),
    );
    await mended();
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
