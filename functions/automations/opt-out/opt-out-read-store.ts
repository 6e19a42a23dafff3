import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { mainSource } from '../../../contract/events/source-id.ts';
import { type OptOutChange, optOutKey, stateAt, statementsFromItem } from '../../history/index.ts';

/** Looks numbers up in the register of opt-outs. */
export interface OptOutReader {
  /**
   * Returns the latest state of a number in any of its spellings, strongly consistent. Where opt-outs count by source, it is the state of
   * `main`, whose service has the contacts.
   *
   * @returns undefined if the number never sent a keyword to `main`, or was erased
   */
  read(phone: string): Promise<Pick<OptOutChange, 'state'> | undefined>;
}

export function createOptOutReader(client: DynamoDBClient, TableName: string): OptOutReader {
  return {
    async read(phone) {
      const Key = { pk: { S: optOutKey(phone) } };
      const { Item } = await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
      const state = Item && stateAt(mainSource, statementsFromItem(Item));
      return state && { state };
    },
  };
}
