import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import {
  type DetectedMismatch,
  type DriftDay,
  maxMismatchesPerDay,
  mismatchId,
  type NotedMismatch,
} from '../../contract/drift/drift-watch.ts';
import { expiryOf, type Item } from '../history/history-item-store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metrics.ts';

/**
 * In what ways events differed from the contract: an item a day in the history table, `pk = drift#<yyyy-mm-dd>`, in no index, with
 * an attribute for each novelty. So a day has each of them once, and no more than {@link maxMismatchesPerDay}, however many write.
 */
export interface DriftRegister {
  /** Writes a novelty down where its day has room and does not have it yet. */
  note(novelty: NotedMismatch): Promise<void>;
}

const retentionDays = 90;
const noveltyPrefix = 'novelty#';

export const driftKey = (day: string): string => `drift#${day}`;

export function createDriftRegister(client: DynamoDBClient, tableName: string): DriftRegister {
  return {
    async note(novelty) {
      const day = novelty.foundAt.slice(0, 10);
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: tableName,
            Key: { pk: { S: driftKey(day) } },
            UpdateExpression:
              'SET #novelty = :novelty, #count = if_not_exists(#count, :none) + :one, #day = :day, #expiresAt = :expiresAt',
            ConditionExpression:
              'attribute_not_exists(#novelty) AND (attribute_not_exists(#count) OR #count < :most)',
            ExpressionAttributeNames: {
              '#novelty': noveltyPrefix + mismatchId(novelty),
              '#count': 'noveltyCount',
              '#day': 'day',
              '#expiresAt': 'expiresAt',
            },
            ExpressionAttributeValues: marshall({
              ':novelty': { ...novelty },
              ':none': 0,
              ':one': 1,
              ':most': maxMismatchesPerDay,
              ':day': day,
              ':expiresAt': expiryOf(novelty.foundAt, retentionDays),
            }),
          }),
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    },
  };
}

export function driftDayFromItem(item: Item): DriftDay {
  const { day, ...rest } = unmarshall(item);
  const novelties = Object.entries(rest)
    .filter(([name]) => name.startsWith(noveltyPrefix))
    .map(([name, value]): [string, NotedMismatch] => [name.slice(noveltyPrefix.length), value]);
  return { day, novelties: new Map(novelties) };
}

/** What was new in a batch. */
export interface BatchDrift {
  /** Each novelty once, by its id. */
  readonly novelties: ReadonlyMap<string, DetectedMismatch>;
  /** How often the events of the batch showed one. */
  readonly occurrences: number;
}

/**
 * Writes down in what ways events differ from the contract, once a day and instance each. Never throws.
 *
 * @param hasTime whether there is time for another write; what there is no time for is left to a later batch
 */
export type NoteDrift = (drift: BatchDrift, hasTime: () => boolean) => Promise<void>;

/** What a batch writes down at most: its messages are answered only then. */
const mostWritesPerBatch = 10;

/** For so long nothing is tried again after a failure, in milliseconds. */
const pauseMs = 60_000;

export function createNoteDrift(register: DriftRegister, clock: Clock, log: Log, count: Count): NoteDrift {
  let today = '';
  let noted = new Set<string>();
  let pausedUntil = Number.NEGATIVE_INFINITY;
  return async ({ novelties, occurrences }, hasTime) => {
    if (occurrences === 0) return;
    count('contractDrift', occurrences);
    if (clock() < pausedUntil) return;
    const foundAt = new Date(clock()).toISOString();
    if (foundAt.slice(0, 10) !== today) {
      today = foundAt.slice(0, 10);
      noted = new Set();
    }
    // The day has no room for more than this instance has tried: what is beyond costs no write.
    const fresh = [...novelties]
      .filter(([id]) => !noted.has(id))
      .slice(0, Math.max(0, Math.min(mostWritesPerBatch, maxMismatchesPerDay - noted.size)));
    if (fresh.length === 0) return;
    const fields = [...new Set(fresh.map(([, { field }]) => field))].join(', ');
    log('CONTRACT_DRIFTED', { occurrences, novelties: fresh.length, fields });
    try {
      for (const [id, { shape, ...novelty }] of fresh) {
        if (!hasTime()) return;
        await register.note({ ...novelty, shape: shape(), foundAt });
        noted.add(id);
      }
    } catch (error) {
      pausedUntil = clock() + pauseMs;
      log('DRIFT_NOT_NOTED', { error: error instanceof Error ? error.name : 'unknown' });
    }
  };
}

/** Adds what one event showed. */
export function gatherDrift(
  novelties: Map<string, DetectedMismatch>,
  found: readonly DetectedMismatch[] = [],
): number {
  for (const novelty of found) {
    const id = mismatchId(novelty);
    if (!novelties.has(id)) novelties.set(id, novelty);
  }
  return found.length;
}
