import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import type { OptOutChange } from '../core/opt-out/opt-out.ts';
import { optOutKey } from './history-items.ts';

/** Looks numbers up in the register of opt-outs. */
export interface OptOutReader {
  /**
   * What a number said last, strongly consistent.
   *
   * @returns undefined where it never said anything, or was erased
   */
  read(phone: string): Promise<Pick<OptOutChange, 'state'> | undefined>;
}

const registered = z.object({ state: z.enum(['out', 'in']) });

export function createOptOutReader(client: DynamoDBClient, tableName: string): OptOutReader {
  return {
    async read(phone) {
      const { Item } = await client.send(
        new GetItemCommand({
          TableName: tableName,
          Key: { pk: { S: optOutKey(phone) } },
          ConsistentRead: true,
        }),
      );
      return Item === undefined ? undefined : registered.parse(unmarshall(Item));
    },
  };
}
