import { setTimeout as delay } from 'node:timers/promises';
import {
  type CloudFormationClient,
  DeleteStackCommand,
  type Stack,
  UpdateTerminationProtectionCommand,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  UpdateTableCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { DeleteSecretCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type DeployedStack, deployedStackReader } from '../../cli/commands/deploy/stacks.ts';
import { describeStack } from '../../cli/target/stack/outputs.ts';
import { errorText } from '../engine/print.ts';

/** The stacks of a run in the order of their deletion: each before those whose exports it imports. */
export const stacksOf = (prefix: string): readonly string[] =>
  ['Acceptance', 'Automations', 'Registration', 'Pipeline', 'Events', 'Storage'].map(
    (name) => `${prefix}-${name}`,
  );

export interface Account {
  readonly cloudFormation: CloudFormationClient;
  readonly dynamoDb: DynamoDBClient;
  readonly secretsManager: SecretsManagerClient;
}

/** A resource that CloudFormation does not delete with its stack. */
export interface Retained {
  readonly type: string;
  readonly physicalId: string;
}

/** The types of retained resources that {@link destroy} deletes. test/infra holds that a run makes no other. */
export const removableTypes: ReadonlySet<string> = new Set([
  'AWS::DynamoDB::Table',
  'AWS::SecretsManager::Secret',
]);

/** Returns the resources that outlive their stack, by the stack's own template and list. */
export function retainedBy({
  template,
  resources,
}: Pick<DeployedStack, 'template' | 'resources'>): Retained[] {
  return resources
    .filter(({ logicalId }) => template?.Resources[logicalId]?.DeletionPolicy === 'Retain')
    .map(({ type, physicalId }) => ({ type, physicalId }));
}

const patienceSeconds = 3600;
const waiting = { maxWaitTime: patienceSeconds, minDelay: 5, maxDelay: 15 };

/**
 * Destroys what a run made, and nothing else: the stacks by their names, and the tables and the secret that these stacks list. They are
 * deleted before their stack, so that an interrupted run can be repeated. Goes on after a failure.
 *
 * @returns what is left, one line each
 */
export async function destroy(
  account: Account,
  prefix: string,
  say: (line: string) => void,
): Promise<string[]> {
  const left: string[] = [];
  for (const name of stacksOf(prefix)) {
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
  const { StackId: arn, EnableTerminationProtection } = (await untilIdle(cloudFormation, StackName)) ?? {};
  if (arn === undefined) return false;
  const stack = await deployedStackReader(cloudFormation)(StackName);
  for (const retained of stack === undefined ? [] : retainedBy(stack)) {
    await remove(account, retained);
    say(`  destroyed ${retained.physicalId}`);
  }
  if (EnableTerminationProtection === true)
    await cloudFormation.send(
      new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
    );
  await cloudFormation.send(new DeleteStackCommand({ StackName }));
  // By its ARN, under which CloudFormation also describes a stack that is gone.
  await waitUntilStackDeleteComplete({ client: cloudFormation, ...waiting }, { StackName: arn });
  return true;
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

async function remove({ dynamoDb, secretsManager }: Account, { type, physicalId }: Retained): Promise<void> {
  if (!removableTypes.has(type)) throw new Error(`delete the retained ${type} ${physicalId} by hand`);
  if (type === 'AWS::SecretsManager::Secret') {
    // Without recovery: with it the secret would be billed, and its name taken, for a week more. It succeeds for a secret that is gone.
    await secretsManager.send(
      new DeleteSecretCommand({ SecretId: physicalId, ForceDeleteWithoutRecovery: true }),
    );
    return;
  }
  await removeTable(dynamoDb, physicalId);
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
