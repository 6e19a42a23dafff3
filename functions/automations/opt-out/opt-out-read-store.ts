import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { mainSource } from '../../../contract/events/source-id.ts';
import { omitUndefined } from '../../base/basics.ts';
import { isOutOf, type OptOutChange, optOutKey } from '../../history/index.ts';

/** Looks numbers up in the register of opt-outs. */
export interface OptOutReader {
  /**
   * Returns the latest state of a number in any of its spellings, strongly consistent. Where opt-outs count by source, it is the state of
   * `main`, whose service has the contacts.
   *
   * @returns undefined if the number never sent a keyword, or was erased
   */
  read(phone: string): Promise<Pick<OptOutChange, 'state'> | undefined>;
}

const registered = z.object({
  state: z.enum(['out', 'in']),
  outOf: z.array(z.string()).optional(),
  outOfAllExcept: z.array(z.string()).optional(),
});

export function createOptOutReader(client: DynamoDBClient, TableName: string): OptOutReader {
  return {
    async read(phone) {
      const Key = { pk: { S: optOutKey(phone) } };
      const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
      if (Item === undefined) return undefined;
      const change = omitUndefined(registered.parse(unmarshall(Item)));
      return { state: isOutOf(mainSource, change) ? 'out' : 'in' };
    },
  };
}
