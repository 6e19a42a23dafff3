import { setTimeout as delay } from 'node:timers/promises';
import {
  type CloudFormationClient,
  DeleteStackCommand,
  paginateListStacks,
  type Stack,
  UpdateTerminationProtectionCommand,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import {
  type CloudWatchLogsClient,
  DeleteLogGroupCommand,
  ResourceNotFoundException as NoLogGroup,
} from '@aws-sdk/client-cloudwatch-logs';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  UpdateTableCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { type KMSClient, KMSInvalidStateException, ScheduleKeyDeletionCommand } from '@aws-sdk/client-kms';
import {
  DeleteBucketCommand,
  DeleteObjectsCommand,
  NoSuchBucket,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { DeleteSecretCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type DeployedStack, deployedStackReader, isRetained } from '../../cli/commands/deploy/stacks.ts';
import { describeStack } from '../../cli/target/stack/outputs.ts';
import { errorText } from '../engine/print.ts';
import { receiversOf } from './arguments.ts';

/** The stacks of a run in the order of their deletion: each before those whose exports it imports. */
export const stacksOf = (stackName: string): readonly string[] => [receiversOf(stackName), stackName];

export interface Account {
  readonly cloudFormation: CloudFormationClient;
  readonly dynamoDb: DynamoDBClient;
  readonly secretsManager: SecretsManagerClient;
  readonly s3: S3Client;
  readonly kms: KMSClient;
  readonly logs: CloudWatchLogsClient;
}

/** A resource that CloudFormation does not delete with its stack. */
export interface Retained {
  readonly type: string;
  readonly physicalId: string;
}

type Remove = (account: Account, physicalId: string) => Promise<unknown>;

/**
 * How {@link destroy} deletes retained resources, by their type and in this order. test/infra checks that a run makes no other. The key comes
 * last: a table whose key is about to be deleted cannot be read, and possibly not be changed.
 */
export const removers: ReadonlyMap<string, Remove> = new Map<string, Remove>([
  ['AWS::DynamoDB::Table', ({ dynamoDb }, name) => removeTable(dynamoDb, name)],
  // Without recovery: with it the secret would be billed, and its name taken, for a week more. It succeeds for a secret that is gone.
  [
    'AWS::SecretsManager::Secret',
    ({ secretsManager }, SecretId) =>
      secretsManager.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true })),
  ],
  ['AWS::S3::Bucket', ({ s3 }, bucket) => removeBucket(s3, bucket)],
  ['AWS::Logs::LogGroup', ({ logs }, name) => removeLogGroup(logs, name)],
  ['AWS::KMS::Key', ({ kms }, key) => removeKey(kms, key)],
]);

/** Returns the resources that outlive their stack, by the stack's own template and list, in the order of their deletion. */
export function retainedBy({
  template,
  resources,
}: Pick<DeployedStack, 'template' | 'resources'>): Retained[] {
  const order = [...removers.keys()];
  return resources
    .filter(({ logicalId }) => isRetained(template?.Resources[logicalId]))
    .map(({ type, physicalId }) => ({ type, physicalId }))
    .toSorted((one, other) => order.indexOf(one.type) - order.indexOf(other.type));
}

const patienceSeconds = 3600;
const waiting = { maxWaitTime: patienceSeconds, minDelay: 5, maxDelay: 15 };

/**
 * Destroys what a run made, and nothing else: the stacks by their names, and then the retained resources that these stacks list, because the
 * webhook is deactivated with its stack and needs them. CloudFormation lists those of a deleted stack too, so that an interrupted run can
 * be repeated. Goes on after a failure.
 *
 * @returns what is left, one line each
 */
export async function destroy(
  account: Account,
  stackName: string,
  say: (line: string) => void,
): Promise<string[]> {
  const left: string[] = [];
  for (const name of stacksOf(stackName)) {
    try {
      if (await destroyStack(account, name, say)) say(`  destroyed ${name}`);
    } catch (error) {
      left.push(`${name}: ${errorText(error)}`);
    }
  }
  return left;
}

/** @returns whether there was such a stack */
async function destroyStack(
  account: Account,
  StackName: string,
  say: (line: string) => void,
): Promise<boolean> {
  const { cloudFormation } = account;
  const { StackId, EnableTerminationProtection } = (await untilIdle(cloudFormation, StackName)) ?? {};
  // By its ARN CloudFormation also describes a stack that is gone.
  const arn = StackId ?? (await deletedStack(cloudFormation, StackName));
  if (arn === undefined) return false;
  const stack = await deployedStackReader(cloudFormation)(arn);
  const retained = stack === undefined ? [] : retainedBy(stack);
  const unknown = retained.find(({ type }) => !removers.has(type));
  if (unknown !== undefined)
    throw new Error(`delete the retained ${unknown.type} ${unknown.physicalId} by hand`);
  if (StackId !== undefined) {
    if (EnableTerminationProtection === true)
      await cloudFormation.send(
        new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
      );
    await cloudFormation.send(new DeleteStackCommand({ StackName }));
    await waitUntilStackDeleteComplete({ client: cloudFormation, ...waiting }, { StackName: arn });
  }
  for (const { type, physicalId } of retained) {
    await removers.get(type)?.(account, physicalId);
    say(`  destroyed ${physicalId}`);
  }
  return true;
}

/** Returns the ARN of a stack of this name that an earlier run deleted; CloudFormation keeps it for 90 days. */
async function deletedStack(client: CloudFormationClient, name: string): Promise<string | undefined> {
  const pages = paginateListStacks({ client }, { StackStatusFilter: ['DELETE_COMPLETE'] });
  for await (const { StackSummaries = [] } of pages)
    for (const { StackName, StackId } of StackSummaries) if (StackName === name) return StackId;
  return undefined;
}

/** Waits until CloudFormation changes nothing in a stack. @returns undefined for a stack that does not exist */
async function untilIdle(client: CloudFormationClient, name: string): Promise<Stack | undefined> {
  for (const deadline = Date.now() + patienceSeconds * 1000; ; await delay(waiting.minDelay * 1000)) {
    const stack = await describeStack(client, name);
    const status = stack?.StackStatus ?? '';
    // A stack in review is one of a change set that was never executed: nothing is in progress.
    if (!status.endsWith('_IN_PROGRESS') || status === 'REVIEW_IN_PROGRESS') return stack;
    if (Date.now() > deadline) throw new Error(`still ${status}`);
  }
}

async function removeTable(dynamoDb: DynamoDBClient, TableName: string): Promise<void> {
  const waiter = { client: dynamoDb, maxWaitTime: patienceSeconds, minDelay: 2, maxDelay: 10 };
  try {
    const { Table } = await dynamoDb.send(new DescribeTableCommand({ TableName }));
    if (Table?.DeletionProtectionEnabled === true) {
      await dynamoDb.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
      await waitUntilTableExists(waiter, { TableName });
    }
    if (Table?.TableStatus !== 'DELETING') await dynamoDb.send(new DeleteTableCommand({ TableName }));
    await waitUntilTableNotExists(waiter, { TableName });
  } catch (error) {
    if (!(error instanceof ResourceNotFoundException)) throw error;
  }
}

async function removeBucket(client: S3Client, Bucket: string): Promise<void> {
  try {
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
      const Objects = Contents.map(({ Key }) => ({ Key }));
      if (Objects.length > 0) await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    }
    await client.send(new DeleteBucketCommand({ Bucket }));
  } catch (error) {
    if (!(error instanceof NoSuchBucket)) throw error;
  }
}

/** KMS deletes a key after this many days, its minimum, and bills nothing for them. */
const keyDeletionDays = 7;

async function removeLogGroup(logs: CloudWatchLogsClient, logGroupName: string): Promise<void> {
  try {
    await logs.send(new DeleteLogGroupCommand({ logGroupName }));
  } catch (error) {
    if (!(error instanceof NoLogGroup)) throw error;
  }
}

async function removeKey(kms: KMSClient, KeyId: string): Promise<void> {
  try {
    await kms.send(new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: keyDeletionDays }));
  } catch (error) {
    // Its deletion is scheduled already.
    if (!(error instanceof KMSInvalidStateException)) throw error;
  }
}
