import { Stack as CdkStack } from 'aws-cdk-lib';
import { type IVpc, Vpc } from 'aws-cdk-lib/aws-ec2';
import { EventBus, type IEventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { settings } from '../../lib/app/settings-schema.ts';
import type { SmsPipelineProps } from '../../lib/props/props.ts';
import { readCloudAssembly, type Stack } from '../../local/cloudformation/cloud-assembly.ts';
import { deploymentProblems } from '../../tools/check/deployment-problems.ts';
import { everything, pipelineStacks } from '../infra/deployable/synthesized.ts';
import { type Context, changedSettings, customDomain, quickApp } from '../infra/support/built-app.ts';
import { pipelineIn } from '../infra/support/own-pipeline.ts';

/** Other values than the default of settings that the list of changed settings leaves out, or that it names with their default. */
const otherValues: Context = {
  'sms:registration': 'off',
  'sms:removalPolicy': 'destroy',
  'sms:encryptionKey': 'customer',
  'sms:insights': 'off',
  'sms:sources': { backup: { contractFile: 'contract.json', apiKeySecretName: 'backup/key' } },
  'sms:mutualTlsTruststore': 's3://trust.pipeline.test/cas/service.pem',
  'sms:mutualTlsTruststoreVersion': 'v1',
};

/** What has to be set beside a setting. */
const needed: Readonly<Record<string, Context>> = {
  lookupPrices: { 'sms:lookups': 'on' },
  mutualTlsTruststore: customDomain,
  mutualTlsTruststoreVersion: {
    ...customDomain,
    'sms:mutualTlsTruststore': 's3://trust.pipeline.test/cas/service.pem',
  },
  webhookAddress: customDomain,
  exportRetentionDays: { 'sms:exportToS3': 'daily' },
  pageTopicArn: { 'sms:alarmTopicArn': 'arn:aws:sns:us-east-1:000000000000:operators' },
  runbookUrl: { 'sms:alarmTopicArn': 'arn:aws:sns:us-east-1:000000000000:operators' },
  optOutListIds: { 'sms:optOutContacts': 'on' },
  optInListIds: { 'sms:optOutContacts': 'on' },
  contactListIds: { 'sms:contactSync': 'on' },
  failureAlertMinutes: { 'sms:failureAlert': 'on' },
  forwardDetailTypes: { 'sms:forwardUrl': 'https://receiver.test/events' },
};

/** What is set together. */
const together: Readonly<Record<string, Context>> = {
  domainName: customDomain,
  certificateArn: customDomain,
  ...Object.fromEntries(
    [
      'consoleDomainName',
      'consoleCertificateArn',
      'consoleOidcIssuer',
      'consoleOidcClientId',
      'consoleOidcGroupsClaim',
    ].map((name) => [
      name,
      {
        'sms:console': 'on',
        'sms:consoleDomainName': changedSettings['sms:consoleDomainName'],
        'sms:consoleCertificateArn': changedSettings['sms:consoleCertificateArn'],
        'sms:consoleOidcIssuer': changedSettings['sms:consoleOidcIssuer'],
        'sms:consoleOidcClientId': changedSettings['sms:consoleOidcClientId'],
        'sms:consoleOidcGroupsClaim': changedSettings['sms:consoleOidcGroupsClaim'],
      },
    ]),
  ),
};

/** Another name of the stack makes another stack. What a contract and keywords change is in functions, and in outputs of a contract. */
const leftOut = ['stackName', 'contractFile', 'keywordsFile'];

/** The settings of a deployed pipeline without the change, and with it. */
const changes = settings
  .filter(({ name }) => !leftOut.includes(name))
  .map(({ name }): readonly [string, Context, Context] => {
    const key = `sms:${name}`;
    const usual = needed[name] ?? {};
    const value = { ...changedSettings, ...otherValues }[key];
    return [name, usual, together[name] ?? { ...usual, [key]: value }];
  });

const named = (name: string) => ({
  'sms:sources': { [name]: { contractFile: 'contract.json', apiKeySecretName: 'backup/key' } },
});
const {
  'sms:insights': _,
  'sms:deliveryWatch': __,
  ...withoutCounters
} = everything as Record<string, unknown>;

const templatesWith = (context: Context) => pipelineStacks(context).map(({ template }) => template);

describe('a deployed pipeline can follow', () => {
  it.each(changes)('sms:%s, on and off', (name, without, changed) => {
    expect(templatesWith(changed), name).not.toEqual(templatesWith(without));
    expect(deploymentProblems(pipelineStacks(without), pipelineStacks(changed))).toEqual([]);
    expect(deploymentProblems(pipelineStacks(changed), pipelineStacks(without))).toEqual([]);
  });

  it.each<[string, Context, Context]>([
    ['everything on', {}, everything],
    ['everything off', everything, {}],
    ['insights off beside everything else', everything, { ...withoutCounters, 'sms:insights': 'off' }],
    ['a source with another name', named('backup'), named('second')],
    [
      'exports that are switched off and not retained',
      { 'sms:removalPolicy': 'destroy', 'sms:exportToS3': 'daily' },
      { 'sms:removalPolicy': 'destroy' },
    ],
  ])('%s', (_, before, after) => {
    expect(deploymentProblems(pipelineStacks(before), pipelineStacks(after))).toEqual([]);
  });
});

/** The stack of an app of one's own. Everything but the pipeline is there before and after. */
function ownStack(props: (stack: CdkStack) => Partial<SmsPipelineProps>): readonly Stack[] {
  const app = quickApp();
  const stack = new CdkStack(app, 'Shop', { env: { account: '000000000000', region: 'us-east-1' } });
  pipelineIn(stack, props(stack));
  return readCloudAssembly(app.synth().directory);
}

it.each<[string, (stack: CdkStack) => Partial<SmsPipelineProps>]>([
  ['eventBus', (stack) => ({ eventBus: new EventBus(stack, 'Own') as IEventBus })],
  ['encryptionKey', (stack) => ({ encryptionKey: new Key(stack, 'Own') })],
  ['logs.encryptionKey', (stack) => ({ logs: { encryptionKey: new Key(stack, 'Own') } })],
  ['alarms.enabled', () => ({ alarms: { enabled: false } })],
  ['alarms.topic', (stack) => ({ alarms: { topic: new Topic(stack, 'Own') } })],
  ['functions.vpc', (stack) => ({ functions: { vpc: new Vpc(stack, 'Own') as IVpc } })],
  ['functions.memorySize', () => ({ functions: { memorySize: 1024 } })],
  ['metricsNamespace', () => ({ metricsNamespace: 'Shop/Sms' })],
  ['outputs', () => ({ outputs: false })],
])("a pipeline in a stack of one's own can follow %s, on and off", (_, props) => {
  const usual = ownStack((stack) => {
    props(stack);
    return {};
  });
  const changed = ownStack(props);
  expect(deploymentProblems(usual, changed)).toEqual([]);
  expect(deploymentProblems(changed, usual)).toEqual([]);
});

describe('what would go wrong is found', () => {
  const stack = (name: string, Resources: object, Outputs: object = {}) =>
    ({
      name,
      template: { Resources, Outputs, Mappings: {}, Parameters: {} },
      assets: new Map(),
    }) as unknown as Stack;
  const table = (Properties: object = {}) => ({
    Table: {
      Type: 'AWS::DynamoDB::Table',
      Properties: { KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }], ...Properties },
    },
  });
  const exporting = { Name: { Value: 'x', Export: { Name: 'Data:Table' } } };
  const importing = {
    Fn: { Type: 'AWS::Lambda::Function', Properties: { Role: { 'Fn::ImportValue': 'Data:Table' } } },
  };
  const queue = (id: string) => ({ [id]: { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'events' } } });

  it.each<[string, readonly Stack[], readonly Stack[], RegExp]>([
    [
      'an export that goes while another stack imports it',
      [stack('Data', table(), exporting), stack('App', importing)],
      [stack('Data', table()), stack('App', {})],
      /^Data: the export Data:Table goes while App imports it$/,
    ],
    [
      'what holds data and is deleted without a question',
      [stack('Data', { Pool: { Type: 'AWS::Example::Pool', Properties: {} } })],
      [stack('Data', {})],
      /^Data Pool \(AWS::Example::Pool\): is deleted with its data, without a question$/,
    ],
    [
      'a table with another key',
      [stack('Data', table())],
      [stack('Data', table({ KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }] }))],
      /^Data Table \(AWS::DynamoDB::Table\): is replaced by an empty one/,
    ],
    [
      'a name that another resource has until the end of the update',
      [stack('Data', queue('One'))],
      [stack('Data', queue('Two'))],
      /^Data Two \(AWS::SQS::Queue\): needs the name .*"events", which One has$/,
    ],
  ])('%s', (_, before, after, problem) => {
    expect(deploymentProblems(before, after)).toEqual([expect.stringMatching(problem)]);
  });
});
