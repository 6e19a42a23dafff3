import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { StorageStack } from '../../lib/stacks/storage-stack.ts';
import { findJava, startDynamoDb } from '../../local/services/dynamodb/api.ts';
import { freePorts } from './free-port.ts';

/** DynamoDB Local with the tables of the storage stack. */
export interface HistoryTables {
  readonly client: DynamoDBClient;
  /** Base URL. */
  readonly endpoint: string;
  readonly history: string;
  readonly quarantine: string;
  stop(): Promise<void>;
}

/** Starts DynamoDB Local on a port of its own and makes the tables just as the stack declares them. */
export async function startHistoryTables(): Promise<HistoryTables> {
  const port = await freePorts();
  const dynamoDb = startDynamoDb({
    port,
    java: await findJava(process.env),
    logFile: join(mkdtempSync(join(tmpdir(), 'dynamodb-')), 'dynamodb.log'),
    runId: randomUUID(),
  });
  await dynamoDb.ready;
  const tables = Template.fromStack(new StorageStack(new App(), 'Storage')).findResources(
    'AWS::DynamoDB::Table',
  );
  const names: string[] = [];
  for (const [TableName, { Properties }] of Object.entries(tables)) {
    const { AttributeDefinitions, KeySchema, BillingMode, GlobalSecondaryIndexes } = Properties;
    const input: CreateTableCommandInput = { TableName, AttributeDefinitions, KeySchema, BillingMode };
    if (GlobalSecondaryIndexes !== undefined) input.GlobalSecondaryIndexes = GlobalSecondaryIndexes;
    await dynamoDb.client.send(new CreateTableCommand(input));
    names.push(TableName);
  }
  const named = (start: string) => names.find((name) => name.startsWith(start)) ?? '';
  return {
    client: dynamoDb.client,
    endpoint: `http://127.0.0.1:${port}`,
    history: named('History'),
    quarantine: named('Quarantine'),
    stop: async () => {
      dynamoDb.client.destroy();
      process.kill(dynamoDb.pid);
      await dynamoDb.exited;
    },
  };
}
