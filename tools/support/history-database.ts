import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, type CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { TableClass } from 'aws-cdk-lib/aws-dynamodb';
import { addTables } from '../../lib/history/storage.ts';
import { loopbackUrl } from '../../local/aws-protocol/http.ts';
import { startReaper } from '../../local/processes/reaper.ts';
import { findJava, startDynamoDb } from '../../local/services/dynamodb/api.ts';
import { freePorts } from './free-port.ts';

/** The pipeline's tables in a DynamoDB Local, with names of their own. */
export interface TableNames {
  /** Base URL. */
  readonly endpoint: string;
  readonly history: string;
  readonly quarantine: string;
  readonly insights: string;
}

export interface TableOptions {
  /** Whether they have the streams that the stack declares. */
  readonly hasStreams: boolean;
}

/** One DynamoDB Local, for any number of users. */
export interface HistoryDatabase {
  /** The id of its process. */
  readonly pid: number;
  /** Makes tables just as the stack declares them, under names that no other user has. */
  createTables(options: TableOptions): Promise<TableNames>;
  stop(): Promise<void>;
}

/** Starts DynamoDB Local on a port of its own. It ends with this process at the latest, also after SIGKILL. */
export async function startHistoryDatabase(): Promise<HistoryDatabase> {
  const port = await freePorts();
  const runId = `tables-${randomUUID()}`;
  const java = await findJava(process.env);
  const reaper = startReaper(runId, () => {});
  const dynamoDb = startDynamoDb({
    port,
    java,
    logFile: join(mkdtempSync(join(tmpdir(), 'dynamodb-')), 'dynamodb.log'),
    runId,
  });
  reaper.watch(dynamoDb.pid);
  // The rules of CloudFormation, which take seconds, are tried elsewhere.
  const stack = new Stack(new App({ builtinCloudFormationValidation: false }), 'Tables');
  addTables(stack, {
    removalPolicy: RemovalPolicy.RETAIN,
    tables: { historyClass: TableClass.STANDARD, recovery: Duration.days(0) },
  });
  const declared = Template.fromStack(stack).findResources('AWS::DynamoDB::Table');
  await dynamoDb.ready;
  return {
    pid: dynamoDb.pid,
    createTables: async ({ hasStreams }) => {
      const suffix = randomUUID();
      const names: string[] = [];
      for (const [logicalId, { Properties }] of Object.entries(declared)) {
        const { AttributeDefinitions, KeySchema, BillingMode } = Properties;
        const { GlobalSecondaryIndexes, StreamSpecification } = Properties;
        const TableName = `${logicalId}-${suffix}`;
        const input: CreateTableCommandInput = { TableName, AttributeDefinitions, KeySchema, BillingMode };
        if (GlobalSecondaryIndexes !== undefined) input.GlobalSecondaryIndexes = GlobalSecondaryIndexes;
        if (hasStreams && StreamSpecification !== undefined)
          input.StreamSpecification = { ...StreamSpecification, StreamEnabled: true };
        await dynamoDb.client.send(new CreateTableCommand(input));
        names.push(TableName);
      }
      const named = (start: string) => names.find((name) => name.startsWith(start)) ?? '';
      return {
        endpoint: loopbackUrl(port),
        history: named('History'),
        quarantine: named('Quarantine'),
        insights: named('Insights'),
      };
    },
    stop: async () => {
      dynamoDb.client.destroy();
      process.kill(dynamoDb.pid);
      await dynamoDb.exited;
      await reaper.reap();
    },
  };
}
