import { Annotations, ArnFormat, Stack, Token, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { CfnRole, Grant, type IGrantable, UnknownPrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { flattenCfnReference } from 'cdk-nag/lib/utils/flatten-cfn-reference.js';
import { Construct, type IConstruct } from 'constructs';
import type { historyIndexes } from '../../functions/history/index.ts';
import type { sendTimeIndex } from '../../functions/insights/index.ts';
import { construct, foundFor } from '../options/option-kinds.ts';
import { isElsewhere } from '../options/secret-ids.ts';
import { keyOfAws } from './handed-keys.ts';

/**
 * Makes a grant of a pipeline's interface. It refuses what is no grantee, and warns if no policy comes of the grant.
 *
 * @param scope the pipeline
 * @param method names the grant in messages
 */
export function checkedGrant(
  scope: IConstruct,
  method: string,
  grantee: IGrantable,
  make: (grantee: IGrantable) => Grant,
): Grant {
  const shape = construct('a role or a function', 'grantPrincipal');
  if (!shape.fits(grantee))
    throw new TypeError(
      `${scope.node.path}: ${method}: found ${foundFor(shape, grantee)}, expected ${shape.expected}`,
    );
  // Only the class of roles that CDK does not change has this property. For them it reports success too.
  const isUnchanged = 'addGrantsToResources' in grantee.grantPrincipal;
  const problem = problemWithRole(grantee, isUnchanged);
  if (problem !== undefined) throw new TypeError(`${scope.node.path}: ${method}: ${problem}`);
  // CDK reports success for it, and prints the whole statement.
  if (grantee.grantPrincipal instanceof UnknownPrincipal) {
    warnOfGrant(
      scope,
      `${method} has no effect for ${nameOf(grantee)}: it is imported without its role. Import it with the role, for example Function.fromFunctionAttributes(this, id, { functionArn, role }), or give the role to ${method}.`,
    );
    return Grant.drop(grantee, method);
  }
  const grant = make(grantee);
  if (isUnchanged || !grant.success)
    warnOfGrant(
      scope,
      `${method} has no effect for ${nameOf(grantee)}: no policy of the app allows it, because it is no role or function of this account that the app may change. Add the statement to the policy of the caller: docs/reference/props.md, "Grants".`,
    );
  return grant;
}

function warnOfGrant(scope: IConstruct, message: string): void {
  Annotations.of(scope).addWarningV2('sms-pipeline:grant-without-effect', message);
}

const formOfRoleArn = /^arn:[\w-]+:iam::\d{12}:role\//;

/** Roles that only AWS changes: those of IAM Identity Center, and service-linked ones ("IAM roles", IAM user guide). */
const protectedRole = /:role\/(aws-service-role\/|(.*\/)?AWSReservedSSO_)/;

/**
 * Returns what is wrong with an imported role: CDK accepts any ARN, and takes its last part for the name of a role.
 *
 * @param isUnchanged whether CDK leaves the role as it is
 */
function problemWithRole({ grantPrincipal }: IGrantable, isUnchanged: boolean): string | undefined {
  const { roleArn }: { readonly roleArn?: unknown } = Object(grantPrincipal);
  if (typeof roleArn !== 'string' || Token.isUnresolved(roleArn)) return undefined;
  if (!formOfRoleArn.test(roleArn))
    return `found ${roleArn}, expected the ARN of a role, arn:aws:iam::<account>:role/<name>: for a session of a role (assumed-role) give the role itself, and for a user give a role that the user may assume`;
  return protectedRole.test(roleArn) && !isUnchanged
    ? `found ${roleArn}, expected a role that the app may change: only AWS changes this one, so that the deployment would fail. Add the statement to the permission set of IAM Identity Center (docs/guides/permissions.md), or give a role of your own`
    : undefined;
}

function nameOf(grantee: IGrantable): string {
  const named = [grantee.grantPrincipal, grantee].find((one) => Construct.isConstruct(one));
  return named?.node.path ?? String(grantee.grantPrincipal);
}

export interface WildcardAccess {
  readonly actions: readonly string[];
  /** An ARN with wildcards. */
  readonly resourceArn: string;
  /** Says what the wildcards stand for, and why they are needed. */
  readonly reason: string;
}

/**
 * Allows actions on resources whose full names are unknown at synth.
 *
 * @param owner the construct above the policy
 */
export function allowOnPattern(
  owner: Construct,
  grantee: IGrantable,
  { actions, resourceArn, reason }: WildcardAccess,
): void {
  Grant.addToPrincipal({ grantee, actions: [...actions], resourceArns: [resourceArn] });
  acknowledgeWildcard(owner, resourceArn, reason);
}

/** Acknowledges a wildcard. cdk-nag identifies it by its ARN, with references in a notation of its own. */
export function acknowledgeWildcard(owner: IConstruct, resourceArn: string, reason: string): void {
  const flattened = flattenCfnReference(Stack.of(owner).resolve(resourceArn));
  Validations.of(owner).acknowledge({ id: `AwsSolutions-IAM5[Resource::${flattened}]`, reason });
}

type SecretCall = 'GetSecretValue' | 'PutSecretValue' | 'UpdateSecretVersionStage';

/** Allows only these calls on a secret. The grants of CDK's Secret add calls that no function makes. */
export function allowOnSecret(grantee: IGrantable, secretArn: string, ...calls: readonly SecretCall[]): void {
  Grant.addToPrincipal({
    grantee,
    resourceArns: [secretArn],
    actions: calls.map((call) => `secretsmanager:${call}`),
  });
}

/** Allows a function to read the API key. */
export function allowApiKey(reader: CdkFunction, apiKey: ISecret | undefined): void {
  if (apiKey === undefined) throw new Error('without an API key there is no function that reads it');
  const { secretFullArn, secretArn, secretName } = apiKey;
  // Secrets Manager appends a hyphen and six characters to a name.
  const incompleteArn = isElsewhere(apiKey)
    ? `${secretArn}-??????`
    : arnOfSecretNamed(Stack.of(reader), secretName);
  allowOnSecret(reader, secretFullArn ?? incompleteArn, 'GetSecretValue');
  apiKey.encryptionKey?.grantDecrypt(reader);
}

function arnOfSecretNamed(stack: Stack, name: string): string {
  return stack.formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${name}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  });
}

/** Allows publishing to a topic, and the use of its key, unless that is the AWS managed key of SNS, which every publisher may use. */
export function allowPublish(grantee: IGrantable, topic: ITopic): void {
  Grant.addToPrincipal({ grantee, actions: ['sns:Publish'], resourceArns: [topic.topicArn] });
  if (keyOfAws(topic) === undefined) topic.masterKey?.grant(grantee, 'kms:Decrypt', 'kms:GenerateDataKey');
}

/** Allows putting events on the bus, by the grantee's own policy. The policy of the bus is for other accounts. */
export function allowPutEvents(grantee: IGrantable, bus: IEventBus): void {
  Grant.addToPrincipal({ grantee, actions: ['events:PutEvents'], resourceArns: [bus.eventBusArn] });
}

type HistoryIndexName = keyof typeof historyIndexes;

export const historyIndexNames = [
  'byNumber',
  'bySend',
  'byList',
] as const satisfies readonly HistoryIndexName[];

type TableCall =
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'DeleteItem'
  | 'DescribeContinuousBackups'
  | 'ExportTableToPointInTime'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

/** Allows only these calls on a table. The grants of CDK's Table add every index of the table. */
export function allowOnTable(grantee: IGrantable, table: Table, ...calls: readonly TableCall[]): void {
  Grant.addToPrincipal({
    grantee,
    actions: calls.map((call) => `dynamodb:${call}`),
    resourceArns: [table.tableArn],
  });
}

/** Allows a call on single items of a table whose partition key begins with this text, and on no others. */
export function allowOnItemsBelow(
  grantee: IGrantable,
  table: Table,
  prefix: string,
  call: 'GetItem' | 'PutItem',
): void {
  const key = 'dynamodb:LeadingKeys';
  Grant.addToPrincipal({
    grantee,
    actions: [`dynamodb:${call}`],
    resourceArns: [table.tableArn],
    // ForAllValues is true without a value too ("Multivalued context keys", IAM user guide).
    conditions: { 'ForAllValues:StringLike': { [key]: [`${prefix}*`] }, Null: { [key]: 'false' } },
  });
}

/** Allows Query on these indexes of a table. The grants of CDK's Table name all indexes and the table, or none. */
export function allowQueryOn(
  grantee: IGrantable,
  table: Table,
  indexes: readonly (HistoryIndexName | typeof sendTimeIndex)[],
): void {
  Grant.addToPrincipal({
    grantee,
    actions: ['dynamodb:Query'],
    resourceArns: indexes.map((index) => `${table.tableArn}/index/${index}`),
  });
}

/**
 * Allows the calls that Lambda makes for the mapping of a table's stream, and returns the ARN of the stream. CDK's DynamoEventSource would
 * also grant calls that Lambda does not make.
 *
 * @param owner the construct above the policy
 */
export function allowStream(owner: Construct, reader: CdkFunction, { tableStreamArn }: Table): string {
  if (tableStreamArn === undefined) throw new Error('the history table has no stream');
  Grant.addToPrincipal({
    grantee: reader,
    actions: ['DescribeStream', 'GetRecords', 'GetShardIterator'].map((call) => `dynamodb:${call}`),
    resourceArns: [tableStreamArn],
  });
  allowOnPattern(owner, reader, {
    actions: ['dynamodb:ListStreams'],
    resourceArn: '*',
    reason: 'The list of streams holds ARNs only, and can be allowed for all tables only.',
  });
  return tableStreamArn;
}

/**
 * Explains why no local run uses these grants, in the metadata `UnusedGrants` of the function's role. Other unused grants are
 * reported (docs/adr/0026).
 */
export function explainUnusedGrants({ role }: CdkFunction, actions: readonly string[], reason: string): void {
  const resource = role?.node.defaultChild;
  if (!(resource instanceof CfnRole)) throw new Error('only roles of this app have metadata');
  const earlier: unknown = resource.getMetadata('UnusedGrants');
  resource.addMetadata('UnusedGrants', {
    ...(typeof earlier === 'object' ? earlier : {}),
    ...Object.fromEntries(actions.map((action) => [action, reason])),
  });
}
