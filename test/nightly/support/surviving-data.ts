import { DescribeLogStreamsCommand } from '@aws-sdk/client-cloudwatch-logs';
import {
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DescribeKeyCommand } from '@aws-sdk/client-kms';
import { HeadBucketCommand } from '@aws-sdk/client-s3';
import { DescribeSecretCommand } from '@aws-sdk/client-secrets-manager';
import { type Removal, removalsOf } from '../../../cli/commands/deploy/compare-stacks.ts';
import { type DeployedStack, isRetained } from '../../../cli/commands/deploy/stacks.ts';
import { statefulTypes } from '../../../cli/commands/deploy/stateful-types.ts';
import type { Account } from '../../../tools/acceptance/destroy.ts';

const isRetainedIn = ({ template }: DeployedStack, logicalId: string) =>
  isRetained(template?.Resources[logicalId]);

/** The tables of the history. Those of insights are not retained. */
const historyTablesIn = (stack: DeployedStack) =>
  stack.resources.filter(
    ({ type, logicalId }) => type === 'AWS::DynamoDB::Table' && isRetainedIn(stack, logicalId),
  );

/** Returns the name of each table of the history, and its id, which another table of the same name would not have. */
export async function identifyHistoryTables(
  client: DynamoDBClient,
  stack: DeployedStack,
): Promise<Readonly<Record<string, string>>> {
  const entries = historyTablesIn(stack).map(async ({ logicalId, physicalId: TableName }) => {
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    return [logicalId, `${TableName} ${Table?.TableId}`] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns the key of an item that no function reads. */
async function keyOfMark(client: DynamoDBClient, TableName: string) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const names = (Table?.KeySchema ?? []).map(({ AttributeName = '' }) => AttributeName);
  return Object.fromEntries(names.map((name) => [name, { S: 'switches' }]));
}

/** Puts an item into each table of the history. */
export async function putMarks(client: DynamoDBClient, stack: DeployedStack): Promise<void> {
  for (const { physicalId: TableName } of historyTablesIn(stack))
    await client.send(new PutItemCommand({ TableName, Item: await keyOfMark(client, TableName) }));
}

/** Returns the tables of the history that lack the item of {@link putMarks}. */
export async function tablesWithoutMark(client: DynamoDBClient, stack: DeployedStack): Promise<string[]> {
  const tables: string[] = [];
  for (const { logicalId, physicalId: TableName } of historyTablesIn(stack)) {
    const Key = await keyOfMark(client, TableName);
    const { Item } = await client.send(new GetItemCommand({ TableName, Key }));
    if (Item === undefined) tables.push(logicalId);
  }
  return tables;
}

/** Returns what `sms deploy` would have shown of the resources that a deployment removed. */
export function removedBetween(before: DeployedStack, after: DeployedStack): Removal[] {
  if (after.template === undefined) throw new Error('The stack has no template in JSON.');
  return removalsOf({ name: 'the stack', template: after.template }, before);
}

/** Returns the resources that hold data and that a deployment removed or replaced, although `sms deploy` would not have asked, one line each. */
export function lostWithoutQuestion(before: DeployedStack, after: DeployedStack): string[] {
  const asked = new Set(
    removedBetween(before, after).map((removal) =>
      removal.kind === 'queue' ? removal.queueUrl : removal.physicalId,
    ),
  );
  const now = new Map(after.resources.map(({ logicalId, physicalId }) => [logicalId, physicalId]));
  return (
    before.resources
      .filter(({ type }) => statefulTypes[type] !== undefined)
      .filter(({ logicalId, physicalId }) => now.get(logicalId) !== physicalId && !asked.has(physicalId))
      // A retained resource leaves the stack without being deleted: deletedAlthoughRetained() looks for it.
      .filter(({ logicalId }) => now.has(logicalId) || !isRetainedIn(before, logicalId))
      .map(({ logicalId, type }) => `${type} ${logicalId} is ${now.has(logicalId) ? 'another one' : 'gone'}`)
  );
}

/** How a retained resource is read, by its type. Reading a resource that is gone fails. */
const readers: Readonly<Record<string, (account: Account, physicalId: string) => Promise<unknown>>> = {
  'AWS::DynamoDB::Table': ({ dynamoDb }, TableName) => dynamoDb.send(new DescribeTableCommand({ TableName })),
  'AWS::SecretsManager::Secret': ({ secretsManager }, SecretId) =>
    secretsManager.send(new DescribeSecretCommand({ SecretId })),
  'AWS::S3::Bucket': ({ s3 }, Bucket) => s3.send(new HeadBucketCommand({ Bucket })),
  'AWS::Logs::LogGroup': ({ logs }, logGroupName) =>
    logs.send(new DescribeLogStreamsCommand({ logGroupName })),
  'AWS::KMS::Key': async ({ kms }, KeyId) => {
    const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId }));
    if (KeyMetadata?.KeyState !== 'Enabled') throw new Error(`The key is ${KeyMetadata?.KeyState}.`);
  },
};

/** Returns the retained resources that left the stack with a deployment and that cannot be read, one line each. */
export async function deletedAlthoughRetained(
  before: DeployedStack,
  after: DeployedStack,
  account: Account,
): Promise<string[]> {
  const remaining = new Set(after.resources.map(({ physicalId }) => physicalId));
  const lines: string[] = [];
  for (const { logicalId, type, physicalId } of before.resources) {
    if (remaining.has(physicalId) || !isRetainedIn(before, logicalId)) continue;
    try {
      const read = readers[type];
      if (read === undefined) throw new Error('Add a reader of this type to surviving-data.ts.');
      await read(account, physicalId);
    } catch (error) {
      lines.push(`${type} ${logicalId}: ${String(error)}`);
    }
  }
  return lines;
}
