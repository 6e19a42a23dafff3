import { ArnFormat, type Stack } from 'aws-cdk-lib';
import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnTopic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** The services that encrypt with the key. */
const services = ['dynamodb', 'secretsmanager', 'sns', 'sqs'];

/**
 * Lets a pipeline use a key. The policy follows that of AWS managed keys ("AWS managed keys", KMS developer guide): a principal that may
 * use a table, queue, secret or topic may use the key, only through that service. So no role needs a right on the key.
 *
 * @returns whether the policy could be changed; that of an imported key cannot
 */
export function allowPipelineOn(key: IKey, stack: Stack): boolean {
  const { account, region, urlSuffix } = stack;
  // KMS documents names that end with amazonaws.com. It does not say whether they end with the partition's own suffix elsewhere, as in China.
  const throughServices = {
    'kms:CallerAccount': account,
    'kms:ViaService': services.flatMap((service) => [
      `${service}.${region}.amazonaws.com`,
      `${service}.${region}.${urlSuffix}`,
    ]),
  };
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'UseThroughServices',
      principals: [new AnyPrincipal()],
      actions: ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey*', 'ReEncrypt*'].map(kms),
      resources: ['*'],
      conditions: { StringEquals: throughServices },
    }),
  );
  // DynamoDB reads a table with a grant that it receives when the table is created ("AWS KMS key policy", DynamoDB developer guide).
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'GrantToServices',
      principals: [new AnyPrincipal()],
      actions: [kms('CreateGrant')],
      resources: ['*'],
      conditions: {
        StringEquals: throughServices,
        Bool: { 'kms:GrantIsForAWSResource': 'true' },
      },
    }),
  );
  allowServiceOn(key, 'events', stack);
  return allowServiceOn(key, 'cloudwatch', stack);
}

/** A service that uses keys in its own name: EventBridge for the targets of rules, and CloudWatch for the topics of alarms. */
export type KeyUser = 'events' | 'cloudwatch';

/**
 * Lets a service use the key of a queue or topic that it is to send to.
 *
 * @returns whether the policy could be changed; that of an imported key cannot
 */
export function allowServiceOn(key: IKey, user: KeyUser, stack: Stack): boolean {
  const actions = [kms('Decrypt'), kms('GenerateDataKey*')];
  // Rules put events into queues and topics. The statement has no condition: for topics AWS says that a key policy with aws:SourceAccount or
  // aws:SourceArn is not supported for EventBridge (https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html), and for queues it
  // promises nothing. With an unsupported condition no event would arrive. The policy of each queue and topic
  // names this account or its rules, so the rule of another account still reaches none of them.
  const events = new PolicyStatement({
    sid: 'DeliverEvents',
    principals: [new ServicePrincipal('events.amazonaws.com')],
    actions,
    resources: ['*'],
  });
  // An alarm publishes to a topic that uses this key: the topic of notices, or a topic of the operators
  // (https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html, "Enable compatibility between event sources from AWS
  // services and encrypted topics"). Without this statement CloudWatch drops the notification.
  const cloudwatch = new PolicyStatement({
    sid: 'NotifyByAlarms',
    principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
    actions,
    resources: ['*'],
    conditions: { StringEquals: { 'aws:SourceAccount': stack.account } },
  });
  return key.addToResourcePolicy({ events, cloudwatch }[user]).statementAdded;
}

/**
 * Lets CloudWatch Logs use a key for the log groups of this account and region ("Encrypt log data in CloudWatch Logs using AWS KMS", CloudWatch
 * Logs user guide). Readers of logs need no right on the key.
 *
 * @returns whether the policy could be changed; that of an imported key cannot
 */
export function allowLogsOn(key: IKey, stack: Stack): boolean {
  const { statementAdded } = key.addToResourcePolicy(
    new PolicyStatement({
      sid: 'EncryptLogs',
      principals: [new ServicePrincipal(`logs.${stack.region}.amazonaws.com`)],
      actions: ['Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey*', 'ReEncrypt*'].map(kms),
      resources: ['*'],
      conditions: {
        ArnLike: {
          'kms:EncryptionContext:aws:logs:arn': stack.formatArn({
            service: 'logs',
            resource: 'log-group',
            resourceName: '*',
            arnFormat: ArnFormat.COLON_RESOURCE_NAME,
          }),
        },
      },
    }),
  );
  return statementAdded;
}

/**
 * Encrypts every table, queue, secret and topic that is below `scope` now with a key. An Aspect of the CDK would encrypt later ones too, but
 * only at synth: other Aspects, for example one that looks for unencrypted queues, might run before it.
 */
export function encryptBelow(scope: Construct, { keyArn }: IKey): void {
  for (const node of scope.node.findAll())
    if (node instanceof CfnTable)
      node.sseSpecification = { sseEnabled: true, sseType: 'KMS', kmsMasterKeyId: keyArn };
    else if (node instanceof CfnQueue) {
      node.kmsMasterKeyId = keyArn;
      node.sqsManagedSseEnabled = undefined;
    } else if (node instanceof CfnSecret) node.kmsKeyId = keyArn;
    else if (node instanceof CfnTopic) node.kmsMasterKeyId = keyArn;
}

const kms = (action: string) => `kms:${action}`;
