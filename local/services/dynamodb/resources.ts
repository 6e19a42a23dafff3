import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { arnOf } from '../../aws-protocol/call.ts';
import { loopbackUrl } from '../../aws-protocol/http.ts';
import { type CreateResource, physicalName } from '../../cloudformation/deploy-stack.ts';
import { inert, readProperties } from '../../cloudformation/template.ts';
import type { RunningService, ServiceRun } from '../definition/define-service.ts';
import { startDynamoDb } from './api.ts';

const keySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

const index = z.strictObject({
  IndexName: z.string(),
  KeySchema: keySchema,
  Projection: z.strictObject({
    ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
    NonKeyAttributes: z.array(z.string()).optional(),
  }),
  OnDemandThroughput: inert,
  ProvisionedThroughput: inert,
  WriteProvisionedThroughputSettings: inert,
  WriteOnDemandThroughputSettings: inert,
  ContributorInsightsSpecification: inert,
});

const schema = z.strictObject({
  TableName: z.string().optional(),
  AttributeDefinitions: z.array(
    z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) }),
  ),
  KeySchema: keySchema,
  /** Capacity is not limited on one machine. */
  BillingMode: inert,
  ProvisionedThroughput: inert,
  WriteProvisionedThroughputSettings: inert,
  WriteOnDemandThroughputSettings: inert,
  Replicas: inert,
  GlobalSecondaryIndexes: z.array(index).optional(),
  LocalSecondaryIndexes: z.array(index).optional(),
  StreamSpecification: z
    .strictObject({
      StreamViewType: z.enum(['NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES', 'KEYS_ONLY']),
      ResourcePolicy: inert,
    })
    .optional(),
  TimeToLiveSpecification: z.strictObject({ AttributeName: z.string(), Enabled: z.boolean() }).optional(),
  DeletionProtectionEnabled: z.boolean().optional(),
  PointInTimeRecoverySpecification: inert,
  ContributorInsightsSpecification: inert,
  OnDemandThroughput: inert,
  SSESpecification: inert,
  TableClass: inert,
  Tags: inert,
});

export function startDynamoDbService(run: ServiceRun) {
  const { java, runId, tablesDirectory, tablesAccessKeyId: accessKeyId } = run;
  const logFile = `${run.logDirectory}/dynamodb.log`;
  const local = startDynamoDb({
    port: run.servicePorts.dynamodb,
    java,
    logFile,
    runId,
    tablesDirectory,
    accessKeyId,
  });
  run.onProcess({ name: 'DynamoDB Local', pid: local.pid, logFile, exited: local.exited });
  return {
    client: local.client,
    ready: local.ready,
    announcement: `DynamoDB on ${loopbackUrl(run.ports.dynamodb)}`,
    resources: {
      // It has its one replica in the region of this machine.
      'AWS::DynamoDB::GlobalTable': tableCreator(local.client),
      'AWS::DynamoDB::Table': tableCreator(local.client),
    },
  } satisfies RunningService & { client: DynamoDBClient };
}

export function tableCreator(dynamodb: DynamoDBClient): CreateResource {
  return async (request) => {
    const properties = readProperties(schema, request);
    const TableName = properties.TableName ?? physicalName(request, 255);
    const stream = properties.StreamSpecification;
    const input: CreateTableCommandInput = {
      TableName,
      AttributeDefinitions: properties.AttributeDefinitions,
      KeySchema: properties.KeySchema,
      BillingMode: 'PAY_PER_REQUEST',
      GlobalSecondaryIndexes: properties.GlobalSecondaryIndexes?.map(indexInput),
      LocalSecondaryIndexes: properties.LocalSecondaryIndexes?.map(indexInput),
      StreamSpecification: stream && { StreamEnabled: true, StreamViewType: stream.StreamViewType },
      DeletionProtectionEnabled: properties.DeletionProtectionEnabled,
    };
    const kept = await describeTable(dynamodb, TableName);
    const { TableDescription = kept } =
      kept === undefined ? await dynamodb.send(new CreateTableCommand(input)) : {};
    const ttl = properties.TimeToLiveSpecification;
    if (ttl && kept === undefined) {
      await dynamodb.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification: ttl }));
    }
    return {
      ref: TableName,
      attributes: {
        // DynamoDB Local's own has a region of its own, by which no policy would know the table.
        Arn: arnOf('dynamodb', `table/${TableName}`),
        ...(TableDescription?.LatestStreamArn && { StreamArn: TableDescription.LatestStreamArn }),
      },
    };
  };
}

/** Returns a table that an earlier run has kept. */
async function describeTable(
  dynamodb: DynamoDBClient,
  TableName: string,
): Promise<TableDescription | undefined> {
  try {
    return (await dynamodb.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

function indexInput({ IndexName, KeySchema, Projection }: z.output<typeof index>) {
  return { IndexName, KeySchema, Projection };
}
