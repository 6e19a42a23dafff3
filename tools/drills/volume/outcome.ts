import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import { detailSchemas } from '../../../functions/bus/details.ts';
import { detailTypes } from '../../../functions/bus/event-types.ts';
import type { PublishedEvent } from '../../support/local-bus.ts';
import type { LocalPipeline } from '../../support/local-pipeline.ts';

type Item = Record<string, AttributeValue>;

const deliveryEvent = detailSchemas[detailTypes.deliveryEvent];
const statusChanged = detailSchemas[detailTypes.statusChanged];

/** History as it is, once the queue is empty: see `historyOf`. */
export async function storedHistory(pipeline: LocalPipeline): Promise<Map<string, string>> {
  const { EventsQueueUrl, HistoryTableName } = pipeline.outputs;
  await pipeline.untilQueueIsEmpty(EventsQueueUrl, 180_000);
  const items = await everyItem(pipeline, HistoryTableName);
  const messages = items.filter(({ pk }) => pk?.S?.startsWith('message#') === true);
  return new Map(
    messages.map((item) => {
      const reports = Object.keys(item).filter((name) => name.startsWith('event#'));
      const ids = reports.map((name) => name.slice('event#'.length)).sort();
      return [item.messageId?.S ?? '', `${item.status?.S} ${item.eventCount?.N} ${ids.join(' ')}`];
    }),
  );
}

/** How many messages and items were set aside instead of handled, by place; only places that hold any. */
export async function setAside(pipeline: LocalPipeline): Promise<Record<string, number>> {
  const { DeadLetterQueueUrl, PublisherFailuresQueueUrl, QuarantineTableName } = pipeline.outputs;
  const depth = async (url: string | undefined) => {
    const { waiting, inFlight } = await pipeline.queueDepth(url);
    return waiting + inFlight;
  };
  const places = {
    'dead-letter queue': await depth(DeadLetterQueueUrl),
    'queue of what could not be published': await depth(PublisherFailuresQueueUrl),
    quarantine: (await everyItem(pipeline, QuarantineTableName)).length,
  };
  return Object.fromEntries(Object.entries(places).filter(([, count]) => count > 0));
}

/** Returns the published reports, each with all its `eventId`s: see `factsOf`. */
export function publishedFacts(published: readonly PublishedEvent[]): Map<string, string> {
  const facts = new Map<string, Set<string>>();
  const events = published.filter((event) => event['detail-type'] === detailTypes.deliveryEvent);
  for (const { detail } of events) {
    const { messageId, historyEventId, eventId } = deliveryEvent.parse(detail);
    const fact = `${messageId} ${historyEventId}`;
    facts.set(fact, (facts.get(fact) ?? new Set()).add(eventId));
  }
  return new Map([...facts].map(([fact, ids]) => [fact, [...ids].join(' ')]));
}

/** Returns the published status changes without repeats. */
export function publishedChanges(published: readonly PublishedEvent[]) {
  const events = published.filter((event) => event['detail-type'] === detailTypes.statusChanged);
  const changes = events.map(({ detail }) => statusChanged.parse(detail));
  return [...new Map(changes.map((change) => [change.eventId, change])).values()];
}

/** How many events came under an `eventId` that had come before. */
export function repeatsIn(published: readonly PublishedEvent[]): number {
  return published.length - new Set(published.map(({ detail }) => detail.eventId)).size;
}

async function everyItem({ dynamoDb }: LocalPipeline, table: string | undefined): Promise<Item[]> {
  const items: Item[] = [];
  let from: Item | undefined;
  do {
    const page = await dynamoDb.send(
      new ScanCommand({ TableName: table, ...(from !== undefined && { ExclusiveStartKey: from }) }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
  return items;
}
