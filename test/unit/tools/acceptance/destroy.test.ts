import { CloudFormationClient, CloudFormationServiceException } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { beforeEach, describe, expect, it } from 'vitest';
import { destroy, stacksOf } from '../../../../tools/acceptance/destroy.ts';
import { type Answer, answering, anyAccount } from '../../cli/support/aws.ts';

const prefix = 'SmsAcceptance-0123abcd';

/** An account with stacks, in which each stack is gone once it was deleted. Both tables and the secret outlive the stack Storage. */
class FakeAccount {
  readonly calls: string[] = [];
  readonly stacks: Map<string, string>;
  readonly tables = new Map([
    ['history', true],
    ['quarantine', true],
  ]);
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
    };
  }

  readonly #stackAnswer: Answer = (command, { StackName }) => {
    const name = String(StackName).replace('arn:', '');
    const isStorage = name.endsWith('-Storage');
    if (!command.startsWith('Describe') && !command.startsWith('List') && !command.startsWith('Get'))
      this.calls.push(`${command} ${name}`);
    if (command === 'DeleteStackCommand') {
      if (name.endsWith(this.failing) && this.failing !== '') throw new Error('it is in use');
      this.stacks.delete(name);
      return {};
    }
    if (command === 'GetTemplateCommand')
      return { TemplateBody: JSON.stringify(isStorage ? storage : other) };
    if (command === 'ListStackResourcesCommand')
      return {
        StackResourceSummaries: isStorage ? storageResources : [summary('Queue', 'AWS::SQS::Queue', 'queue')],
      };
    const status =
      this.stacks.get(name) ?? (String(StackName).startsWith('arn:') ? 'DELETE_COMPLETE' : undefined);
    if (status === undefined)
      throw new CloudFormationServiceException({
        ...{ name: 'ValidationError', $fault: 'client', $metadata: {} },
        message: `Stack with id ${name} does not exist`,
      });
    return {
      Stacks: [{ StackId: `arn:${name}`, StackStatus: status, EnableTerminationProtection: isStorage }],
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
const storageResources = [
  summary('History', 'AWS::DynamoDB::Table', 'history'),
  summary('Quarantine', 'AWS::DynamoDB::Table', 'quarantine'),
  summary('Secret', 'AWS::SecretsManager::Secret', 'secret'),
];
const retain = (Type: string) => ({ Type, DeletionPolicy: 'Retain' });
const storage = {
  Resources: {
    History: retain('AWS::DynamoDB::Table'),
    Quarantine: retain('AWS::DynamoDB::Table'),
    Secret: retain('AWS::SecretsManager::Secret'),
  },
};
const other = { Resources: { Queue: { Type: 'AWS::SQS::Queue' } } };

describe('destroying what a run made', () => {
  let account: FakeAccount;
  const run = () => destroy(account.clients, prefix, () => {});

  beforeEach(() => {
    account = new FakeAccount([...stacksOf(prefix), 'SmsPipeline-Storage']);
  });

  it('deletes the stacks in the order of their imports, and what Storage retains before Storage', async () => {
    expect(await run()).toEqual([]);
    const deleted = ['Acceptance', 'Automations', 'Registration', 'Pipeline', 'Events'];
    expect(account.calls).toEqual([
      ...deleted.map((name) => `DeleteStackCommand ${prefix}-${name}`),
      ...['history', 'quarantine'].flatMap((name) => [
        `UpdateTableCommand ${name}`,
        `DeleteTableCommand ${name}`,
      ]),
      'DeleteSecretCommand secret true',
      `UpdateTerminationProtectionCommand ${prefix}-Storage`,
      `DeleteStackCommand ${prefix}-Storage`,
    ]);
    expect([...account.stacks.keys()]).toEqual(['SmsPipeline-Storage']);
  });

  it('can be repeated after an interruption: what is gone is passed over', async () => {
    account = new FakeAccount([`${prefix}-Storage`]);
    account.tables.delete('history');
    expect(await run()).toEqual([]);
    expect([...account.tables.keys()]).toEqual([]);
    expect(await run()).toEqual([]);
  });

  it('goes on after a failure and names what is left', async () => {
    account.failing = '-Events';
    expect(await run()).toEqual([`${prefix}-Events: it is in use`]);
    expect([...account.stacks.keys()]).toEqual([`${prefix}-Events`, 'SmsPipeline-Storage']);
  });

  it('leaves a stack whose retained resource it cannot delete, and says so', async () => {
    account = new FakeAccount([`${prefix}-Storage`]);
    storageResources.push(summary('Key', 'AWS::KMS::Key', 'key'));
    Object.assign(storage.Resources, { Key: retain('AWS::KMS::Key') });
    expect(await run()).toEqual([`${prefix}-Storage: delete the retained AWS::KMS::Key key by hand`]);
    expect([...account.stacks.keys()]).toEqual([`${prefix}-Storage`]);
  });
});
