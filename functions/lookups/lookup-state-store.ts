import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { mainSource } from '../../contract/events/source-id.ts';
import type { Counts, Progress } from './passes.ts';

/** What the lookup function remembers between two runs. */
export interface LookupState {
  /** By the name of the pass. */
  readonly progress: Readonly<Record<string, Progress>>;
  /** What the service listed of each of the last days, by day (UTC). */
  readonly days: Readonly<Record<string, Counts>>;
  /** Why the last run ended early; left out if it did all of its work, or no run has saved anything. */
  readonly stoppedBy?: string;
  /** The pass at which the time of the last run was over, or the service did not answer in time. The next run begins with the pass behind it. */
  readonly stoppedAt?: string;
}

/** Keeps the state of the lookups: one item in the history table, whose stream is not published. */
export interface LookupStateStore {
  read(): Promise<LookupState>;
  write(state: LookupState): Promise<void>;
}

export function createLookupStateStore(
  client: DynamoDBClient,
  tableName: string,
  source: string,
): LookupStateStore {
  const key = { pk: { S: source === mainSource ? 'lookups' : `lookups#${source}` } };
  return {
    async read() {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: tableName, Key: key, ConsistentRead: true }),
      );
      return { progress: {}, days: {}, ...unmarshall(Item ?? {}) };
    },
    async write(state) {
      const item = marshall(state, { removeUndefinedValues: true });
      await client.send(new PutItemCommand({ TableName: tableName, Item: { ...key, ...item } }));
    },
  };
}
