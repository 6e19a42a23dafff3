import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
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

/** A report of a message in a send of the same name. */
function inSend(name: string) {
  const { type, data } = statusEvent(name);
  return { type, data: { ...data, send_id: name } };
}

async function untilCounted(site: Site, sendId: string): Promise<void> {
  const Key = marshall(cohortKey('1', { kind: 'send', sendId }));
  const input = { TableName: site.output('InsightsTableName'), Key, ConsistentRead: true };
  await until(
    `the message is in the counters of ${sendId}`,
    async () => (await site.pipeline.dynamoDb.send(new GetItemCommand(input))).Item !== undefined,
    150_000,
  );
}
