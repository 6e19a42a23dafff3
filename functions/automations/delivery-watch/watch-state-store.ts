import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { type CounterKey, keyAttributes, onlySort, timeAttribute } from '../../insights/index.ts';
import type { WatchState } from './rules/watch-quarter.ts';
import type { WatchEvent } from './watch-events.ts';

/** What the watch remembers between runs. */
export interface StoredWatch {
  /** The newest quarter hour that was judged, milliseconds since the epoch; undefined before the first. */
  readonly judgedTo: number | undefined;
  readonly state: WatchState;
  /** The quarter hours, milliseconds since the epoch, in which sends were reported, by the id of the send. */
  readonly badSends: ReadonlyMap<string, number>;
  /** Events of changes that are stored and may not be published yet. */
  readonly unpublished: readonly WatchEvent[];
}

/** Keeps what the watch remembers. */
export interface WatchStore {
  read(): Promise<StoredWatch>;
  /** Writes what the watch remembers, unless another run has written since it was read. @returns whether it was written */
  write(next: StoredWatch): Promise<boolean>;
}

const chart = z.object({ sum: z.number(), isOut: z.boolean(), calm: z.number() });

const subject = z.object({
  degradedSince: z.number().exactOptional(),
  silent: z.number(),
  held: z.number().exactOptional(),
  charts: z.object({
    'delivery-rate': chart.exactOptional(),
    'time-to-delivery': chart.exactOptional(),
    'failure-share': chart.exactOptional(),
    'slow-share': chart.exactOptional(),
  }),
});

const subjects = z.record(z.string(), subject);
const badSends = z.record(z.string(), z.number());

/** The only item of the watch in the table of counters. A rebuild of the counters leaves it alone. */
export const watchStateKey: CounterKey = { pk: 'watch', sk: onlySort };
const key = keyAttributes(watchStateKey);

const atFirst: StoredWatch = { judgedTo: undefined, state: new Map(), badSends: new Map(), unpublished: [] };

export function createWatchStore(client: DynamoDBClient, tableName: string): WatchStore {
  let version = 0;
  return {
    async read() {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: tableName, Key: key, ConsistentRead: true }),
      );
      version = Number(Item?.version?.N ?? 0);
      if (Item?.judgedTo?.S === undefined) return atFirst;
      return {
        judgedTo: Date.parse(Item.judgedTo.S),
        state: new Map(Object.entries(subjects.parse(JSON.parse(Item.subjects?.S ?? '{}')))),
        badSends: new Map(Object.entries(badSends.parse(JSON.parse(Item.badSends?.S ?? '{}')))),
        // The watch wrote them itself, and their schema is checked when they are made.
        unpublished: JSON.parse(Item.unpublished?.S ?? '[]'),
      };
    },
    async write({ judgedTo, state, badSends: reported, unpublished }) {
      try {
        await client.send(
          new PutItemCommand({
            TableName: tableName,
            Item: {
              ...key,
              version: { N: String(version + 1) },
              judgedTo: timeAttribute(judgedTo ?? 0),
              subjects: { S: JSON.stringify(Object.fromEntries(state)) },
              badSends: { S: JSON.stringify(Object.fromEntries(reported)) },
              unpublished: { S: JSON.stringify(unpublished) },
            },
            ConditionExpression: 'attribute_not_exists(#version) OR #version = :read',
            ExpressionAttributeNames: { '#version': 'version' },
            ExpressionAttributeValues: { ':read': { N: String(version) } },
          }),
        );
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
      version += 1;
      return true;
    },
  };
}
