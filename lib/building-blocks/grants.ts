import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { CfnRole, Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js';
import type { Construct } from 'constructs';

export interface WildcardAccess {
  readonly actions: readonly string[];
  /** With wildcards. */
  readonly resourceArn: string;
  /** What the wildcards stand for, and why they are there. */
  readonly reason: string;
}

/**
 * Allows actions on resources whose whole names nobody knows beforehand.
 *
 * @param owner has the policy below it
 */
export function allowOnPattern(
  owner: Construct,
  grantee: IGrantable,
  { actions, resourceArn, reason }: WildcardAccess,
): void {
  Grant.addToPrincipal({ grantee, actions: [...actions], resourceArns: [resourceArn] });
  acknowledgeWildcard(owner, resourceArn, reason);
}

/** cdk-nag has each wildcard acknowledged by the ARN it is in, with references in a notation of its own. */
export function acknowledgeWildcard(owner: Construct, resourceArn: string, reason: string): void {
  const flattened = flattenCfnReference(Stack.of(owner).resolve(resourceArn));
  Validations.of(owner).acknowledge({ id: `AwsSolutions-IAM5[Resource::${flattened}]`, reason });
}

type SecretCall = 'GetSecretValue' | 'PutSecretValue' | 'UpdateSecretVersionStage';

/** Allows these calls on a secret and no others: the grants of CDK's Secret add some that no function makes. */
export function allowOnSecret(grantee: IGrantable, secretArn: string, ...calls: readonly SecretCall[]): void {
  Grant.addToPrincipal({
    grantee,
    resourceArns: [secretArn],
    actions: calls.map((call) => `secretsmanager:${call}`),
  });
}

/** Allows a function to read the secret of this name, in which the API key is. */
export function allowApiKey(reader: CdkFunction, name: string): void {
  allowOnSecret(reader, arnOfSecretNamed(Stack.of(reader), name), 'GetSecretValue');
}

/** Secrets Manager puts a hyphen and six characters behind a name. */
function arnOfSecretNamed(stack: Stack, name: string): string {
  return stack.formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${name}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

/** Allows publishing to the topic. Its key, which is of SNS, lets whoever may publish use it. */
export function allowPublish(grantee: IGrantable, topic: Topic): void {
  Grant.addToPrincipal({ grantee, actions: ['sns:Publish'], resourceArns: [topic.topicArn] });
}

/** Allows putting events on the bus, by the grantee's own policy: the bus keeps its policy for other accounts. */
export function allowPutEvents(grantee: IGrantable, bus: EventBus): void {
  Grant.addToPrincipal({ grantee, actions: ['events:PutEvents'], resourceArns: [bus.eventBusArn] });
}

/** The indexes of the history table: by which attribute each gathers items, and by which it sorts them. */
export const historyIndexes = {
  byPhone: { partition: 'phone', sort: 'at' },
  byWorklist: { partition: 'worklist', sort: 'listedAt' },
  bySend: { partition: 'sendKey', sort: 'at' },
} as const;

type HistoryIndexName = keyof typeof historyIndexes;

/** Allows Query on these indexes of the history table: the grants of CDK's Table name all of them and the table, or none. */
export function allowQueryOn(
  grantee: IGrantable,
  historyTable: Table,
  indexes: readonly HistoryIndexName[],
): void {
  Grant.addToPrincipal({
    grantee,
    actions: ['dynamodb:Query'],
    resourceArns: indexes.map((index) => `${historyTable.tableArn}/index/${index}`),
  });
}

/**
 * Says beside grants why no run on one machine uses them, which are reported otherwise (docs/adr/0020): in the metadata
 * `UnusedGrants` of the function's role, by action.
 */
export function explainUnusedGrants({ role }: CdkFunction, actions: readonly string[], reason: string): void {
  const resource = role?.node.defaultChild;
  if (!(resource instanceof CfnRole)) throw new Error('only roles that are made here have metadata');
  const known: unknown = resource.getMetadata('UnusedGrants');
  const explained = Object.fromEntries(actions.map((action) => [action, reason]));
  resource.addMetadata('UnusedGrants', {
    ...(typeof known === 'object' ? known : {}),
    ...explained,
  });
}
