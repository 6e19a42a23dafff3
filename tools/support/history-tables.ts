import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { localClient } from '../../local/aws-protocol/call.ts';
import type { TableNames, TableOptions } from './history-database.ts';

/** DynamoDB Local with the pipeline's tables. */
export interface HistoryTables extends TableNames {
  readonly client: DynamoDBClient;
  stop(): Promise<void>;
}

/** The environment variable with the URL that makes tables in the database of a test run. */
export const sharedTablesVariable = 'SMS_TEST_TABLES_URL';

/**
 * Makes the tables just as the stack declares them, under names of their own. A test run has one database for all of them;
 * elsewhere this starts a DynamoDB Local, and `stop` ends it.
 */
export async function startHistoryTables(
  options: TableOptions = { hasStreams: false },
): Promise<HistoryTables> {
  const shared = process.env[sharedTablesVariable];
  if (shared === undefined) {
    const { startHistoryDatabase } = await import('./history-database.ts');
    const database = await startHistoryDatabase();
    return handleOf(await database.createTables(options), () => database.stop());
  }
  const response = await fetch(shared, { method: 'POST', body: JSON.stringify(options) });
  if (!response.ok) throw new Error(await response.text());
  return handleOf((await response.json()) as TableNames, async () => {});
}

function handleOf(names: TableNames, end: () => Promise<void>): HistoryTables {
  const client = new DynamoDBClient(localClient(names.endpoint));
  const stop = () => {
    client.destroy();
    return end();
  };
  return { ...names, client, stop };
}
