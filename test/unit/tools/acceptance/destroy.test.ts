import { CloudFormationClient, CloudFormationServiceException } from '@aws-sdk/client-cloudformation';
import {
  CloudWatchLogsClient,
  ResourceNotFoundException as NoLogGroup,
} from '@aws-sdk/client-cloudwatch-logs';
import { DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeEach, describe, expect, it } from 'vitest';
import { destroy, stacksOf } from '../../../../tools/acceptance/destroy.ts';
import { type Answer, answering, anyAccount } from '../../cli/support/aws.ts';

const pipeline = 'SmsAcceptance-0123abcd';
const receivers = `${pipeline}-Receivers`;

/** An account with stacks, in which each stack is gone once it was deleted. What the pipeline's stack retains outlives it. */
class FakeAccount {
  readonly calls: string[] = [];
  readonly stacks: Map<string, string>;
  /** The names of deleted stacks, which CloudFormation still lists. */
  readonly deleted = new Set<string>();
  readonly tables = new Map([
    ['history', true],
    ['quarantine', true],
  ]);
  readonly objects = new Set(['index.html', 'config.json']);
  failing = '';

  constructor(stacks: Iterable<string>) {
    this.stacks = new Map([...stacks].map((name) => [name, 'CREATE_COMPLETE']));
  }

  get clients() {
    return {
      cloudFormation: answering(new CloudFormationClient(anyAccount), this.#stackAnswer),
      dynamoDb: answering(new DynamoDBClient(anyAccount), this.#tableAnswer),
      secretsManager: answering(
        new SecretsManagerClient(anyAccount),
        (command, { SecretId, ForceDeleteWithoutRecovery }) => {
          this.calls.push(`${command} ${SecretId} ${ForceDeleteWithoutRecovery}`);
          return {};
        },
      ),
      s3: answering(new S3Client(anyAccount), (command, { Bucket, Delete }) => {
        if (command !== 'ListObjectsV2Command') this.calls.push(`${command} ${Bucket}`);
        for (const { Key } of (Delete as { Objects: { Key: string }[] } | undefined)?.Objects ?? [])
          this.objects.delete(Key);
        if (command === 'DeleteBucketCommand' && this.objects.size > 0) throw new Error('it is not empty');
        return command === 'ListObjectsV2Command'
          ? { Contents: [...this.objects].map((Key) => ({ Key })) }
          : {};
      }),
      logs: answering(new CloudWatchLogsClient(anyAccount), (command, { logGroupName }) => {
        this.calls.push(`${command} ${logGroupName}`);
        if (this.stacks.size === 0) throw new NoLogGroup({ $metadata: {}, message: 'gone' });
        return {};
      }),
      kms: answering(new KMSClient(anyAccount), (command, { KeyId, PendingWindowInDays }) => {
        this.calls.push(`${command} ${KeyId} ${PendingWindowInDays}`);
        return {};
      }),
    };
  }

  readonly #stackAnswer: Answer = (command, { StackName }) => {
    const name = String(StackName).replace('arn:', '');
    const isPipeline = name === pipeline;
    if (command === 'ListStacksCommand')
      return {
        StackSummaries: [...this.deleted].map((gone) => ({ StackName: gone, StackId: `arn:${gone}` })),
      };
    if (!command.startsWith('Describe') && !command.startsWith('List') && !command.startsWith('Get'))
      this.calls.push(`${command} ${name}`);
    if (command === 'DeleteStackCommand') {
      if (name === this.failing) throw new Error('it is in use');
      this.stacks.delete(name);
      this.deleted.add(name);
      return {};
    }
    if (command === 'GetTemplateCommand')
      return { TemplateBody: JSON.stringify(isPipeline ? template : other) };
    if (command === 'ListStackResourcesCommand')
      return {
        StackResourceSummaries: isPipeline ? resources : [summary('Queue', 'AWS::SQS::Queue', 'queue')],
      };
    const status =
      this.stacks.get(name) ?? (String(StackName).startsWith('arn:') ? 'DELETE_COMPLETE' : undefined);
    if (status === undefined)
      throw new CloudFormationServiceException({
        name: 'ValidationError',
        $fault: 'client',
        $metadata: {},
        message: `Stack with id ${name} does not exist`,
      });
    return {
      Stacks: [{ StackId: `arn:${name}`, StackStatus: status, EnableTerminationProtection: isPipeline }],
    };
  };

  readonly #tableAnswer: Answer = (command, { TableName, DeletionProtectionEnabled }) => {
    const name = String(TableName);
    if (command !== 'DescribeTableCommand') this.calls.push(`${command} ${name}`);
    if (!this.tables.has(name)) throw new ResourceNotFoundException({ $metadata: {}, message: 'gone' });
    if (command === 'UpdateTableCommand') this.tables.set(name, DeletionProtectionEnabled === true);
    if (command === 'DeleteTableCommand') {
      if (this.tables.get(name) === true) throw new Error('the table is protected');
      this.tables.delete(name);
    }
    return { Table: { TableStatus: 'ACTIVE', DeletionProtectionEnabled: this.tables.get(name) } };
  };
}

const summary = (id: string, type: string, physicalId: string) => ({
  LogicalResourceId: id,
  ResourceType: type,
  PhysicalResourceId: physicalId,
  ResourceStatus: 'CREATE_COMPLETE',
});
/** CloudFormation lists the key before the tables that it encrypts. */
const resources = [
  summary('Key', 'AWS::KMS::Key', 'key'),
  summary('History', 'AWS::DynamoDB::Table', 'history'),
  summary('Quarantine', 'AWS::DynamoDB::Table', 'quarantine'),
  summary('Secret', 'AWS::SecretsManager::Secret', 'secret'),
  summary('Page', 'AWS::S3::Bucket', 'page'),
  summary('Audit', 'AWS::Logs::LogGroup', 'audit'),
];
const retain = (Type: string) => ({ Type, DeletionPolicy: 'Retain' });
const template = {
  Resources: {
    History: retain('AWS::DynamoDB::Table'),
    Quarantine: retain('AWS::DynamoDB::Table'),
    Secret: retain('AWS::SecretsManager::Secret'),
    Page: retain('AWS::S3::Bucket'),
    Audit: retain('AWS::Logs::LogGroup'),
    Key: retain('AWS::KMS::Key'),
  },
};
const other = { Resources: { Queue: { Type: 'AWS::SQS::Queue' } } };

describe('destroying what a run made', () => {
  let account: FakeAccount;
  const run = () => destroy(account.clients, pipeline, () => {});
  const removals = [
    ...['history', 'quarantine'].flatMap((name) => [
      `UpdateTableCommand ${name}`,
      `DeleteTableCommand ${name}`,
    ]),
    'DeleteSecretCommand secret true',
    'DeleteObjectsCommand page',
    'DeleteBucketCommand page',
    'DeleteLogGroupCommand audit',
    'ScheduleKeyDeletionCommand key 7',
  ];

  beforeEach(() => {
    account = new FakeAccount([...stacksOf(pipeline), 'SmsPipeline']);
  });

  it('deletes the stacks in the order of their imports, and then what the pipeline retains, its key last', async () => {
    expect(await run()).toEqual([]);
    expect(account.calls).toEqual([
      `DeleteStackCommand ${receivers}`,
      `UpdateTerminationProtectionCommand ${pipeline}`,
      `DeleteStackCommand ${pipeline}`,
      ...removals,
    ]);
    expect([...account.stacks.keys()]).toEqual(['SmsPipeline']);
  });

  it('can be repeated after an interruption: what is gone is passed over', async () => {
    account = new FakeAccount([]);
    account.deleted.add(pipeline);
    account.tables.delete('history');
    expect(await run()).toEqual([]);
    expect([...account.tables.keys()]).toEqual([]);
    expect(account.calls).toContain('ScheduleKeyDeletionCommand key 7');
    expect(await run()).toEqual([]);
  });

  it('goes on after a failure and names what is left', async () => {
    account.failing = receivers;
    expect(await run()).toEqual([`${receivers}: it is in use`]);
    expect([...account.stacks.keys()]).toEqual([receivers, 'SmsPipeline']);
  });

  it('leaves a stack whose retained resource it cannot delete, and says so', async () => {
    account = new FakeAccount([pipeline]);
    resources.push(summary('Pool', 'AWS::Cognito::UserPool', 'pool'));
    Object.assign(template.Resources, { Pool: retain('AWS::Cognito::UserPool') });
    expect(await run()).toEqual([`${pipeline}: delete the retained AWS::Cognito::UserPool pool by hand`]);
    expect([...account.stacks.keys()]).toEqual([pipeline]);
  });
});
