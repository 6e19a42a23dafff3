import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { watchStateKey } from '../../../../functions/automations/delivery-watch/watch-state-store.ts';
import { cohortKey } from '../../../../functions/counters/cohort.ts';
import { until } from '../../../support/until.ts';
import { statusEvent } from '../event-bodies.ts';
import type { Scenario } from '../scenario.ts';
import type { Site } from '../site.ts';

export const countersBehind: Scenario = {
  alarms: ['InsightsInsightsBehind'],
  how: 'DynamoDB throttles the transactions of insights (/local/faults); really waited',
  async play({ site, fired, step, log, fixed, undo }) {
    const fix = await undo(
      site.spoil({
        caller: 'insights',
        service: 'dynamodb',
        operation: 'TransactWriteItems',
        kind: 'throttle',
      }),
    );
    await site.post(inSend('drill-count-late'));
    await fired({ deadlineMs: 420_000 });
    await log('insights', 'INSIGHTS-01', /Throughput|Throttl/);
    await step('DynamoDB takes transactions again', fix);
    await step('counting continues where it stopped', () => untilCounted(site, 'drill-count-late'));
    await fixed();
    await site.post(inSend('drill-count-in-time'));
    await untilCounted(site, 'drill-count-in-time');
  },
};

export const deliveryDegraded: Scenario = {
  alarms: ['DeliveryWatchDeliveryDegraded'],
  how: 'the state of the watch is written: a country is degraded. The comparison itself is what `npm run watch-simulation` tries',
  async play({ site, fired, step, sms, fixed, undo }) {
    const { dynamoDb } = site.pipeline;
    const TableName = site.output('InsightsTableName');
    const end = await undo(async () => {
      await dynamoDb.send(new DeleteItemCommand({ TableName, Key: marshall(watchStateKey) }));
    });
    const now = Date.now();
    const subjects = JSON.stringify({ 'country:DE': { degradedSince: now, silent: 0, charts: {} } });
    // An hour ahead, so that no quarter hour without messages is judged meanwhile.
    const state = { ...watchStateKey, version: 1, judgedTo: now + 3_600_000, subjects, unpublished: '[]' };
    await dynamoDb.send(new PutItemCommand({ TableName, Item: marshall(state) }));
    await site.succeed('delivery-watch');
    await fired();
    await sms('insights --since 7d --by country');
    await step('delivery is as usual again', end);
    await fixed();
    await site.succeed('delivery-watch');
  },
};

/** A report of a message in a send of the same name. */
function inSend(name: string) {
  const { type, data } = statusEvent(name);
  return { type, data: { ...data, send_id: name } };
}

async function untilCounted(site: Site, sendId: string): Promise<void> {
  const Key = marshall(cohortKey({ kind: 'send', sendId }));
  const input = { TableName: site.output('InsightsTableName'), Key, ConsistentRead: true };
  await until(
    `the message is in the counters of ${sendId}`,
    async () => (await site.pipeline.dynamoDb.send(new GetItemCommand(input))).Item !== undefined,
    150_000,
  );
}
