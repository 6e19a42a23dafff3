import { type AttributeValue, type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from '../history/history-item-store.ts';
import { hoursPartition } from '../history/open-batch.ts';
import { defined } from '../runtime/basics.ts';

/** An hour with open batches that the sweep has not forgotten. */
export interface OpenHour {
  /** yyyy-mm-ddThh, in UTC. */
  readonly hour: string;
  /** When the sweep had handled all of its batches; milliseconds since 1970. */
  readonly sweptAt?: number;
  /** The last batch that a sweep handled before it ended early, as a key of the table. */
  readonly sweptTo?: OpenBatchKey;
}

export interface OpenBatchKey {
  readonly partition: string;
  readonly sort: string;
}

/** A part of a partition of open batches, and the key to go on after. */
interface OpenBatchPage {
  readonly batches: readonly Item[];
  readonly next?: string;
}

interface OpenBatchQuery {
  readonly partition: string;
  /** The smallest and the largest sort key. */
  readonly from?: string;
  readonly to?: string;
  readonly isNewestFirst: boolean;
  readonly limit?: number;
  /** The `next` of the page before. */
  readonly after?: string;
}

/** Reads the table of open batches, strongly consistent: a message is listed as soon as it is stored. */
export interface OpenBatchReader {
  /** The hours with open batches, oldest first. */
  hours(): Promise<readonly OpenHour[]>;
  batches(query: OpenBatchQuery): Promise<OpenBatchPage>;
}

export function createOpenBatchReader(client: DynamoDBClient, tableName: string): OpenBatchReader {
  async function batches({
    partition,
    from = ' ',
    to = '~',
    isNewestFirst,
    limit,
    after,
  }: OpenBatchQuery): Promise<OpenBatchPage> {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: '#pk = :pk AND #sk BETWEEN :from AND :to',
        ExpressionAttributeNames: { '#pk': 'pk', '#sk': 'sk' },
        ExpressionAttributeValues: { ':pk': { S: partition }, ':from': { S: from }, ':to': { S: to } },
        ScanIndexForward: !isNewestFirst,
        ConsistentRead: true,
        ...defined({
          Limit: limit,
          ExclusiveStartKey: after === undefined ? undefined : { pk: { S: partition }, sk: { S: after } },
        }),
      }),
    );
    return { batches: Items, ...defined({ next: LastEvaluatedKey?.sk?.S }) };
  }

  return {
    async hours() {
      const hours: OpenHour[] = [];
      let after: string | undefined;
      do {
        const partition = hoursPartition;
        const page: OpenBatchPage = await batches({ partition, isNewestFirst: false, ...defined({ after }) });
        hours.push(...page.batches.map(hourFrom));
        after = page.next;
      } while (after !== undefined);
      return hours;
    },
    batches,
  };
}

function hourFrom({ sk, sweptAt, partition, sort }: Record<string, AttributeValue>): OpenHour {
  const sweptTo =
    partition?.S === undefined || sort?.S === undefined
      ? undefined
      : { partition: partition.S, sort: sort.S };
  return {
    hour: sk?.S ?? '',
    ...defined({ sweptAt: sweptAt?.N === undefined ? undefined : Number(sweptAt.N), sweptTo }),
  };
}
