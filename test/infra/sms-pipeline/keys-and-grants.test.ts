import { AspectPriority, Aspects, NestedStack, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Function as CdkFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSecret, type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { CfnTopic } from 'aws-cdk-lib/aws-sns';
import { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import { describe, expect, it } from 'vitest';
import { eventSource } from '../../../events/index.ts';
import { Automation, Contract, SmsPipeline, Target } from '../../../lib/public/index.ts';
import { quickApp } from '../support/built-app.ts';
import { pipelineIn, stackWith } from '../support/own-pipeline.ts';

it('a key of the stack lets the pipeline use it, and an imported one brings a warning', () => {
  const { stack } = stackWith();
  const own = new Stack(quickApp(), 'Own');
  pipelineIn(own, { encryptionKey: new Key(own, 'Key') });
  Template.fromStack(own).hasResourceProperties('AWS::KMS::Key', {
    KeyPolicy: { Statement: Match.arrayWith([Match.objectLike({ Sid: 'UseThroughServices' })]) },
  });
  const imported = new Stack(quickApp(), 'Imported');
  const arn = 'arn:aws:kms:us-east-1:111122223333:key/11111111-2222-3333-4444-555555555555';
  pipelineIn(imported, { encryptionKey: Key.fromKeyArn(imported, 'Key', arn) });
  Annotations.fromStack(imported).hasWarning('*', Match.stringLikeRegexp('encryptionKey'));
  Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('encryptionKey'));
});

it.each([0, AspectPriority.MUTATING, AspectPriority.DEFAULT, AspectPriority.READONLY])(
  'an Aspect of priority %i finds every table, queue, secret and topic encrypted with the key',
  (priority) => {
    const app = quickApp();
    const stack = new Stack(app, 'Shop');
    const encryptionKey = new Key(stack, 'Key');
    const keys = new Map<string, unknown>();
    Aspects.of(app).add(
      {
        visit(node: IConstruct): void {
          if (node instanceof CfnTable) keys.set(node.node.path, node.sseSpecification);
          else if (node instanceof CfnSecret) keys.set(node.node.path, node.kmsKeyId);
          else if (node instanceof CfnQueue || node instanceof CfnTopic)
            keys.set(node.node.path, node.kmsMasterKeyId);
        },
      },
      { priority },
    );
    const automations = [Automation.forward({ url: 'https://receiver.test/' }), Automation.failureAlert()];
    const { events } = pipelineIn(stack, { encryptionKey, automations });
    // The target is the user's own, so its queue is not the pipeline's.
    events.onOptOut(Target.lambda(CdkFunction.fromFunctionName(stack, 'Crm', 'crm')));
    app.synth();
    expect(keys.size).toBeGreaterThan(13);
    const arn = JSON.stringify(stack.resolve(encryptionKey.keyArn));
    const others = [...keys].filter(([, key]) => !JSON.stringify(stack.resolve(key) ?? '').includes(arn));
    expect(others).toEqual([]);
  },
);

describe('a key of logs', () => {
  const logGroupsOf = (stack: Stack) =>
    Object.values(Template.fromStack(stack).findResources('AWS::Logs::LogGroup'));

  it('encrypts every log group, also of a further source and of the upload of the console', () => {
    const stack = new Stack(quickApp(), 'Shop');
    const encryptionKey = new Key(stack, 'Key');
    const pipeline = pipelineIn(stack, { console: {}, logs: { encryptionKey } });
    pipeline.addSource('backup', { contract: Contract.preset('vonage-sms') });
    const groups = logGroupsOf(stack);
    expect(groups.length).toBeGreaterThan(10);
    for (const { Properties } of groups)
      expect(Properties.KmsKeyId).toEqual(stack.resolve(encryptionKey.keyArn));
    const template = Template.fromStack(stack);
    const { Statement } =
      Object.values(template.findResources('AWS::KMS::Key'))[0]?.Properties.KeyPolicy ?? {};
    expect(Statement).toHaveLength(2);
    expect(Statement[1]).toMatchObject({
      Principal: { Service: { 'Fn::Join': ['', ['logs.', { Ref: 'AWS::Region' }, '.amazonaws.com']] } },
      Condition: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': expect.anything() } },
    });
  });

  it('of other data leaves log groups alone', () => {
    const stack = new Stack(quickApp(), 'Shop');
    pipelineIn(stack, { encryptionKey: new Key(stack, 'Key') });
    for (const { Properties } of logGroupsOf(stack)) expect(Properties).not.toHaveProperty('KmsKeyId');
  });

  it('that is imported brings a warning', () => {
    const stack = new Stack(quickApp(), 'Shop');
    const arn = 'arn:aws:kms:us-east-1:111122223333:key/11111111-2222-3333-4444-555555555555';
    pipelineIn(stack, { logs: { encryptionKey: Key.fromKeyArn(stack, 'Key', arn) } });
    Annotations.fromStack(stack).hasWarning('*', Match.stringLikeRegexp('policy of logs.encryptionKey'));
  });
});

it('a role that may query may call nothing but the route of queries', () => {
  const { stack, pipeline } = stackWith();
  const role = new Role(stack, 'Support', { assumedBy: new AccountRootPrincipal() });
  pipeline.grantQuery(role);
  const found = Object.entries(Template.fromStack(stack).findResources('AWS::IAM::Policy')).find(([id]) =>
    id.startsWith('Support'),
  );
  const { Statement } = found?.[1].Properties.PolicyDocument ?? { Statement: [] };
  expect(Statement).toHaveLength(1);
  expect(Statement[0].Action).toBe('execute-api:Invoke');
  expect(JSON.stringify(Statement[0].Resource)).toMatch(/GET\/v1\/\*.*HEAD\/v1\/\*/);
});

it('a role may query a pipeline that was made elsewhere, whose API is known', () => {
  const stack = new Stack(quickApp(), 'Support', { env: { account: '111111111111', region: 'us-east-1' } });
  const role = new Role(stack, 'Role', { assumedBy: new AccountRootPrincipal() });
  const named = { pipelineName: 'sms', eventBusName: 'the-bus', alarms: { enabled: false } } as const;
  SmsPipeline.fromAttributes(stack, 'Sms', { ...named, apiId: 'abc123' }).grantQuery(role);
  Template.fromStack(stack).hasResourceProperties('AWS::IAM::Policy', {
    PolicyDocument: {
      Statement: [
        {
          Action: 'execute-api:Invoke',
          Resource: ['GET/v1/*', 'HEAD/v1/*', 'POST/v1/search'].map(
            (path) => `arn:aws:execute-api:us-east-1:111111111111:abc123/*/${path}`,
          ),
        },
      ],
    },
  });
  const unknown = SmsPipeline.fromAttributes(stack, 'Other', named);
  expect(() => unknown.grantQuery(role)).toThrow('Support/Other: grantQuery needs the attribute apiId');
});

it('a role that may subscribe may make rules for the events of the pipeline only', () => {
  const { stack, pipeline } = stackWith();
  const role = new Role(stack, 'Team', { assumedBy: new AccountRootPrincipal() });
  pipeline.grantSubscribe(role, 'orders-');
  Template.fromStack(stack).hasResourceProperties('AWS::IAM::Policy', {
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({
          Action: 'events:PutRule',
          Condition: {
            'ForAllValues:StringEquals': { 'events:source': [eventSource] },
            Null: { 'events:source': 'false' },
          },
        }),
      ]),
    },
    Roles: [{ Ref: Match.stringLikeRegexp('^Team') }],
  });
  const [policy] = Object.values(Template.fromStack(stack).findResources('AWS::IAM::Policy')).filter(
    ({ Properties }) => JSON.stringify(Properties.Roles).includes('Team'),
  );
  const statements: { Resource: unknown }[] = policy?.Properties.PolicyDocument.Statement;
  // Rules of the automations, and of other teams on a shared bus, have other names.
  for (const { Resource } of statements) expect(JSON.stringify(Resource)).toMatch(/\/orders-\*"\]\]\}$/);
});

it.each([
  ['', 'expected up to 60 letters'],
  ['*', 'expected up to 60 letters'],
  ['Shop', 'would allow rules of this stack'],
  ['Shop-Sms', 'would allow rules of this stack'],
  ['Events-', 'would allow rules of this stack'],
])('a role may not subscribe with the prefix "%s" of rules', (prefix, problem) => {
  const { stack, pipeline } = stackWith();
  const role = new Role(stack, 'Team', { assumedBy: new AccountRootPrincipal() });
  expect(() => pipeline.grantSubscribe(role, prefix)).toThrow(problem);
});

it('a role may not subscribe with the name of the stack that a pipeline is nested in', () => {
  const stack = new Stack(quickApp(), 'Shop');
  const nested = new NestedStack(new NestedStack(stack, 'Messages'), 'Delivery');
  const role = new Role(stack, 'Team', { assumedBy: new AccountRootPrincipal() });
  expect(() => pipelineIn(nested).grantSubscribe(role, 'Shop-')).toThrow('would allow rules of this stack');
});

it('the API key is read where its ARN says, in part or in whole, or by its name', () => {
  const idAndGrant = (apiKey: (scope: Stack) => ISecret) => {
    const stack = new Stack(quickApp(), 'Shop', { env: { account: '111111111111', region: 'us-east-1' } });
    pipelineIn(stack, { apiKey: apiKey(stack) });
    const template = Template.fromStack(stack);
    const [setup] = Object.values(
      template.findResources('AWS::Lambda::Function', {
        Properties: {
          Environment: { Variables: Match.objectLike({ API_KEY_SECRET_ID: Match.anyValue() }) },
        },
      }),
    );
    const grants = Object.values(template.findResources('AWS::IAM::Policy')).flatMap(
      ({ Properties }) => Properties.PolicyDocument.Statement,
    );
    const resources = grants
      .map(({ Resource }) => JSON.stringify(Resource))
      .filter((arn) => /key/i.test(arn));
    return [setup?.Properties.Environment.Variables.API_KEY_SECRET_ID, ...new Set(resources)];
  };
  const far = 'arn:aws:secretsmanager:us-east-1:222222222222:secret:shared/key';
  expect(idAndGrant((scope) => Secret.fromSecretPartialArn(scope, 'Key', far))).toEqual([
    far,
    `"${far}-??????"`,
  ]);
  expect(idAndGrant((scope) => Secret.fromSecretCompleteArn(scope, 'Key', `${far}-a1b2c3`))).toEqual([
    `${far}-a1b2c3`,
    `"${far}-a1b2c3"`,
  ]);
  expect(idAndGrant((scope) => Secret.fromSecretNameV2(scope, 'Key', 'my-secret-key'))).toEqual([
    'my-secret-key',
    expect.stringContaining(':secretsmanager:us-east-1:111111111111:secret:my-secret-key-??????'),
  ]);
});
