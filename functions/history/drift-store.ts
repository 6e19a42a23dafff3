import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  type DetectedMismatch,
  type DriftDay,
  maxMismatchesOfSource,
  maxMismatchesPerDay,
  mismatchId,
  type NotedMismatch,
} from '../../contract/drift/drift-watch.ts';
import { mainSource } from '../../contract/events/source-id.ts';
import { type Clock, type Deadline, errorName } from '../base/basics.ts';
import type { Log } from '../base/log-catalogue.ts';
import type { Count, MetricName } from '../base/metrics.ts';
import { driftDayFromItem, driftKey, eventsPrefix, mismatchPrefix } from './drift-item.ts';
import { expiryOf } from './item-keys.ts';

/**
 * Records the mismatches between events and the contract: one item a day in the history table, `pk = drift#<yyyy-mm-dd>`, in no index,
 * with one attribute for each mismatch. So a day has each mismatch once, and at most {@link maxMismatchesPerDay}, and {@link maxMismatchesOfSource} of each
 * source, whatever the number of writers.
 */
export interface DriftRegister {
  /** Records a mismatch, unless its day has it already or is full. */
  note(mismatch: NotedMismatch): Promise<void>;
  /** Adds to the numbers of events that showed mismatches on a day. @param events by the ids of mismatches, at least one */
  count(day: string, events: ReadonlyMap<string, number>): Promise<void>;
}

const retentionDays = 90;
export function createDriftRegister(client: DynamoDBClient, tableName: string): DriftRegister {
  return {
    async note(mismatch) {
      const day = mismatch.foundAt.slice(0, 10);
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: { pk: { S: driftKey(day) } },
            UpdateExpression:
              'SET #mismatch = :mismatch, #count = if_not_exists(#count, :none) + :one, #ofSource = if_not_exists(#ofSource, :none) + :one, #day = :day, #expiresAt = :expiresAt',
            ConditionExpression:
              'attribute_not_exists(#mismatch) AND (attribute_not_exists(#count) OR #count < :max) AND (attribute_not_exists(#ofSource) OR #ofSource < :maxOfSource)',
            ExpressionAttributeNames: {
              '#mismatch': mismatchPrefix + mismatchId(mismatch),
              '#count': 'mismatchCount',
              // One source leaves room for some of the others.
              '#ofSource': `mismatchCount#${mismatch.source ?? mainSource}`,
              '#day': 'day',
              '#expiresAt': 'expiresAt',
            },
            ExpressionAttributeValues: marshall({
              ':mismatch': { ...mismatch },
              ':none': 0,
              ':one': 1,
              ':max': maxMismatchesPerDay,
              ':maxOfSource': maxMismatchesOfSource,
              ':day': day,
              ':expiresAt': expiryOf(mismatch.foundAt, retentionDays),
            }),
          }),
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    },

    async count(day, events) {
      const counted = [...events].map(([id, number], index) => ({
        name: [`#events${index}`, eventsPrefix + id] as const,
        value: [`:events${index}`, { N: String(number) }] as const,
      }));
      await client.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: { pk: { S: driftKey(day) } },
          UpdateExpression: `ADD ${counted.map(({ name, value }) => `${name[0]} ${value[0]}`).join(', ')}`,
          // Only a day that has mismatches is counted: an item with counts alone would never expire.
          ConditionExpression: 'attribute_exists(#pk)',
          ExpressionAttributeNames: { ...Object.fromEntries(counted.map(({ name }) => name)), '#pk': 'pk' },
          ExpressionAttributeValues: Object.fromEntries(counted.map(({ value }) => value)),
        }),
      );
    },
  };
}

/** Reads one day; undefined if its events showed no mismatch. */
export async function readDriftDay(
  client: DynamoDBClient,
  tableName: string,
  day: string,
): Promise<DriftDay | undefined> {
  const { Item } = await client.send(
    new GetItemCommand({ TableName: tableName, Key: { pk: { S: driftKey(day) } } }),
  );
  return Item && driftDayFromItem(Item);
}

/**
 * Counts the mismatches that a batch showed, and records each once a day and instance. Never throws.
 *
 * @param mismatches none, if the batch only gives an occasion to write what is not counted yet
 * @param deadline checked before each write; a later batch records what is left
 */
export type ObserveDrift = (mismatches: readonly DetectedMismatch[], deadline: Deadline) => Promise<void>;

/** The limit of writes for one batch: its queue messages are answered only after them. */
const maxWritesPerBatch = 10;

/** How long the observer writes nothing after a failure, in milliseconds. */
const pauseMs = 60_000;

/**
 * The minimum time between two writes of counts of one instance, in milliseconds, unless a mismatch is new. The last counts of an instance may
 * be lost with it.
 */
const countIntervalMs = 10_000;

/** The metric of the values in a field that were kept as received. */
function unreadMetric({ expected }: DetectedMismatch): MetricName {
  if (expected === 'phone number') return 'unreadNumbers';
  return expected === 'time with a zone' ? 'unreadTimes' : 'unreadOthers';
}

export function createDriftObserver(
  register: DriftRegister,
  clock: Clock,
  log: Log,
  count: Count,
  source: string = mainSource,
): ObserveDrift {
  const ofSource = source === mainSource ? {} : { source };
  let today = '';
  let recorded = new Set<string>();
  let uncounted = new Map<string, number>();
  let countedAt = Number.NEGATIVE_INFINITY;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  return async (mismatches, deadline) => {
    if (mismatches.length > 0) count('contractDrift', mismatches.length);
    for (const mismatch of mismatches) if (mismatch.kind === 'unread') count(unreadMetric(mismatch));
    if (clock() < pausedUntil) return;
    const foundAt = new Date(clock()).toISOString();
    if (foundAt.slice(0, 10) !== today) {
      today = foundAt.slice(0, 10);
      recorded = new Set();
      uncounted = new Map();
    }
    const fresh = new Map<string, DetectedMismatch>();
    for (const detected of mismatches) {
      const mismatch = { ...ofSource, ...detected };
      const id = mismatchId(mismatch);
      uncounted.set(id, (uncounted.get(id) ?? 0) + 1);
      // The first event that showed a mismatch is the one that is recorded.
      if (!recorded.has(id) && !fresh.has(id)) fresh.set(id, mismatch);
    }
    // A day has no room for more than this instance has tried, so the rest costs no write.
    const room = Math.max(0, Math.min(maxWritesPerBatch, maxMismatchesOfSource - recorded.size));
    const written = [...fresh].slice(0, room);
    if (written.length > 0) {
      const fields = [...new Set(written.map(([, { field }]) => field))].join(', ');
      log('CONTRACT_DRIFTED', { occurrences: mismatches.length, mismatches: written.length, fields });
    }
    try {
      for (const [id, { shape, ...mismatch }] of written) {
        if (deadline.isOver()) return;
        await register.note({ ...mismatch, shape: shape(), foundAt });
        recorded.add(id);
      }
      const counted = new Map([...uncounted].filter(([id]) => recorded.has(id)));
      // A mismatch that was just recorded is counted at once, so that no reader sees it without a number.
      const isDue = written.length > 0 || clock() >= countedAt + countIntervalMs;
      if (counted.size === 0 || !isDue || deadline.isOver()) return;
      countedAt = clock();
      await register.count(today, counted);
      for (const id of counted.keys()) uncounted.delete(id);
    } catch (error) {
      pausedUntil = clock() + pauseMs;
      log('DRIFT_NOT_NOTED', { error: errorName(error) });
    }
  };
}
