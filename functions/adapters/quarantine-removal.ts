import { DeleteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { parseQuarantineId } from '../core/quarantine.ts';
import { quarantineKey } from './quarantine-table.ts';

/**
 * Removes an entry from quarantine; one that is not there is none to remove.
 *
 * @param id as the quarantine's list gives it
 */
export type RemoveQuarantined = (id: string) => Promise<void>;

export function createQuarantineRemoval(client: DynamoDBClient, tableName: string): RemoveQuarantined {
  return async (id) => {
    const parsed = parseQuarantineId(id);
    if (parsed === undefined) return;
    const { pk, sk } = quarantineKey(parsed);
    await client.send(new DeleteItemCommand({ TableName: tableName, Key: { pk: { S: pk }, sk: { S: sk } } }));
  };
}
