import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import pMap from 'p-map';
import { newestDue, quartersOf, sameHoursOfWeeks } from '../../../../functions/automations/index.ts';
import { watchStateKey } from '../../../../functions/automations/io.ts';
import { cohortKey, quarterMs, sendList } from '../../../../functions/insights/index.ts';
import { detailTypes } from '../../../../functions/publish/shapes.ts';
import type { Exercise } from '../exercise.ts';
import { historyWriter, reported } from './history.ts';

/** One of the numbers that are kept for films (Bundesnetzagentur, "Rufnummern für Film- und TV-Produktionen"). */
const phone = '+493023125001';

/** Finds a country in which half of the messages fail, with a failed message as an example. Its send is read, and is no cause. */
export const exerciseDeliveryWatch: Exercise = async (stage) => {
  const { pipeline, bus, output, invoke, eventually, restart } = stage;
  const begun = Date.now();
  const quarter = newestDue(begun);
  const put = (item: object) =>
    pipeline.dynamoDb.send(
      new PutItemCommand({ TableName: output('InsightsTableName'), Item: marshall(item) }),
    );
  const count = (start: number, tally: object) =>
    put({
      ...cohortKey({ kind: 'quarter', start, country: 'DE', source: 'main' }),
      expiresAt: 4_000_000_000,
      ...tally,
    });
  const sendId = 'drill-watch';
  const failed = reported({ status: 'failed', phone, sendId, at: new Date(quarter).toISOString() });
  await historyWriter(stage).storeMessage(failed);
  const usual = quartersOf([
    ...sameHoursOfWeeks(quarter),
    { from: quarter + quarterMs, to: quarter + quarterMs },
  ]);
  await pMap(usual, (start) => count(start, { delivered: 380, failed: 20 }), { concurrency: 8 });
  await restart('delivery-watch');
  await eventually('the event of the watch is published, with an example', async () => {
    // Insights counts the failed message in the same item, at a time of its own.
    await count(quarter, { delivered: 200, failed: 200 });
    const send = {
      listName: sendList,
      sendId,
      firstReportAt: new Date(quarter).toISOString(),
      expiresAt: 4_000_000_000,
      failed: 1,
    };
    await put({ ...cohortKey({ kind: 'send', sendId }), ...send });
    await put({
      ...watchStateKey,
      version: 1,
      judgedTo: new Date(quarter - quarterMs).toISOString(),
      subjects: '{}',
      unpublished: '[]',
    });
    await invoke(output('DeliveryWatchFunctionName'), {});
    return (await bus.published()).some(
      ({ 'detail-type': type, detail }) =>
        type === detailTypes.deliveryDegraded &&
        detail.country === 'DE' &&
        Date.parse(String(detail.foundAt)) >= begun &&
        JSON.stringify(detail.examples).includes(failed.messageId),
    );
  });
};
