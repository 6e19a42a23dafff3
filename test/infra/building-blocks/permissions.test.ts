import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { functionNames } from '../../../lib/bundling/bundle-functions.ts';
import { allowed, flattened, list, statementsOf } from '../support/allowed-actions.ts';
import {
  analysisTemplate,
  automationsTemplate,
  constructOf,
  everyFunction,
  everyTemplate,
  functionNamed,
  resource,
  resourcesOf,
  templateOf,
  templatesFor,
} from '../support/built-app.ts';

const { pipeline, events } = templatesFor();
const automations = automationsTemplate();
const analysis = analysisTemplate();

const queueIn = (template: typeof pipeline, prefix: string) =>
  resource(template, 'AWS::SQS::Queue', prefix).id;
const queue = queueIn(pipeline, 'EventsQueue');
const signals = queueIn(pipeline, 'Signals');
const state = resource(pipeline, 'AWS::DynamoDB::Table').id;
const bucket = resource(analysis, 'AWS::S3::Bucket').id;
const turns = resource(automations, 'AWS::DynamoDB::Table').id;
const signingSecret = resource(automations, 'AWS::SecretsManager::Secret').id;

/** An action on what another stack exports. */
const exported = (action: string) => expect.stringContaining(action);
/** An action on a table of another stack, or on something of that table. */
const onTable = (action: string, rest = '') =>
  expect.stringMatching(new RegExp(`^dynamodb:${action}\\w+${rest}$`));
const logs = (name: keyof typeof constructOf) => {
  const { id } = resource(templateOf(name), 'AWS::Logs::LogGroup', constructOf[name]);
  return [`logs:CreateLogStream on ${id}`, `logs:PutLogEvents on ${id}`];
};
const consumes = (id: string) =>
  ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map(
    (call) => `sqs:${call} on ${id}`,
  );
/** Receives from its queue, and sends what it gives up to its dead-letter queue. */
const automates = (prefix: string) => [
  ...consumes(queueIn(automations, `${prefix}Queue`)),
  `sqs:SendMessage on ${queueIn(automations, `${prefix}DeadLetters`)}`,
];
const apiKey = 'secretsmanager:GetSecretValue on :secret:sms-pipeline/api-key-??????';
const putEvents = expect.stringMatching(/^events:PutEvents on Bus\w+$/);
const publish = `sns:Publish on ${resource(automations, 'AWS::SNS::Topic').id}`;
const stream = (action: string) =>
  expect.stringMatching(new RegExp(`^dynamodb:${action} on History\\w+StreamArn\\w+$`));

const permissions: Readonly<Record<(typeof functionNames)[number], readonly unknown[]>> = {
  ingest: [
    exported('secretsmanager:GetSecretValue on WebhookSecret'),
    ...[`sqs:SendMessage on ${queue}`, `sqs:SendMessage on ${signals}`],
  ],
  // Parked requests are verified with the state of a rotation. No item of history is read, none is deleted.
  worker: [
    `dynamodb:GetItem on ${state}`,
    exported('dynamodb:PutItem on History'),
    exported('dynamodb:PutItem on Quarantine'),
    exported('dynamodb:UpdateItem on History'),
    `dynamodb:UpdateItem on ${state}`,
    exported('secretsmanager:GetSecretValue on WebhookSecret'),
    ...consumes(queue),
  ],
  setup: [
    ...['GetItem', 'Query', 'UpdateItem'].map((call) => `dynamodb:${call} on ${state}`),
    putEvents,
    apiKey,
    exported('secretsmanager:GetSecretValue on WebhookSecret'),
    exported('secretsmanager:PutSecretValue on WebhookSecret'),
    exported('secretsmanager:UpdateSecretVersionStage on WebhookSecret'),
    ...['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map((call) => `sqs:${call} on ${signals}`),
  ],
  query: [
    onTable('BatchGetItem on History'),
    onTable('GetItem on History'),
    onTable('GetItem on Quarantine'),
    ...['byPhone', 'bySend', 'byWorklist'].map((index) => onTable('Query on History', `/index/${index}`)),
    onTable('Query on Quarantine'),
  ],
  sweep: [
    onTable('BatchGetItem on History'),
    onTable('Query on History', '/index/byWorklist'),
    onTable('UpdateItem on History'),
  ],
  // It has DynamoDB export the table, and reads no item itself.
  exporter: [
    onTable('DescribeContinuousBackups on History'),
    onTable('DescribeExport on History', '/export/\\*'),
    onTable('ExportTableToPointInTime on History'),
    'dynamodb:ListExports on *',
    ...['AbortMultipartUpload', 'PutObject', 'PutObjectAcl'].map(
      (call) => `s3:${call} on ${bucket}/history/*`,
    ),
  ],
  publisher: [
    ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(stream),
    putEvents,
    `sqs:SendMessage on ${resource(events, 'AWS::SQS::Queue').id}`,
  ],
  'automations/opt-out': [onTable('GetItem on History'), apiKey, publish, ...automates('OptOut')],
  'automations/contact-sync': [
    ...['DeleteItem', 'UpdateItem'].map((call) => `dynamodb:${call} on ${turns}`),
    ...[apiKey, ...automates('ContactSync')],
  ],
  'automations/failure-alert': [
    publish,
    ...['DeleteMessage', 'ReceiveMessage'].map(
      (call) => `sqs:${call} on ${queueIn(automations, 'FailureAlertQueue')}`,
    ),
  ],
  'automations/forward': [`secretsmanager:GetSecretValue on ${signingSecret}`, ...automates('Forward')],
  'automations/billing-watch': [putEvents, apiKey],
};

describe('roles', () => {
  it.each(functionNames)('%s may write its log, do what its work needs, and nothing else', (name) => {
    const others = allowed(name).filter((line) => !logs(name).includes(line));
    expect(others).toEqual(permissions[name]);
    expect(allowed(name)).toEqual(expect.arrayContaining(logs(name)));
  });

  it('belong to one function each, can be assumed by Lambda only, and have no managed policy', () => {
    for (const template of everyTemplate(everyFunction)) {
      const functions = Object.values(resourcesOf(template, 'AWS::Lambda::Function'));
      const used = functions.map(
        ({ Properties }) => (Properties.Role as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'][0],
      );
      const roles = resourcesOf(template, 'AWS::IAM::Role');
      expect(Object.keys(roles).sort()).toEqual(used.sort());
      for (const { Properties } of Object.values(roles)) {
        expect(Object.keys(Properties)).toEqual(['AssumeRolePolicyDocument']);
        expect(JSON.stringify(Properties)).toContain('"Principal":{"Service":"lambda.amazonaws.com"}');
      }
    }
  });

  it('contain no wildcard, except those of exports and the six characters that Secrets Manager appends to a name', () => {
    for (const template of [pipeline, events, automations])
      for (const policy of Object.values(resourcesOf(template, 'AWS::IAM::Policy')))
        for (const { Effect, Action, Resource } of statementsOf(policy)) {
          expect(Effect).toBe('Allow');
          for (const action of list(Action)) expect(action).toMatch(/^[a-z]+:[A-Za-z]+$/);
          expect(JSON.stringify(Resource).replace('/api-key-??????', '')).not.toMatch(/[*?]/);
        }
  });
});

describe('the resource policy of a function allows', () => {
  const callersOf = (name: keyof typeof constructOf) =>
    Object.values(resourcesOf(pipeline, 'AWS::Lambda::Permission'))
      .map(({ Properties }) => Properties)
      .filter(({ FunctionName }) =>
        isDeepStrictEqual(FunctionName, { 'Fn::GetAtt': [functionNamed(pipeline, name).id, 'Arn'] }),
      );

  it.each([
    ['ingest', '/webhooks/sms'],
    ['query', '/v1/{proxy+}'],
  ] as const)('API Gateway to invoke %s, for the route %s of this API only', (name, route) => {
    const [caller, ...others] = callersOf(name);
    expect(others).toEqual([]);
    expect(caller).toMatchObject({
      Action: 'lambda:InvokeFunction',
      Principal: 'apigateway.amazonaws.com',
    });
    const { id } = resource(pipeline, 'AWS::ApiGatewayV2::Api');
    expect(flattened(caller?.SourceArn).endsWith(`:${id}/*/*${route}`)).toBe(true);
  });

  it.each([
    ['setup', 'Reconcile'],
    ['sweep', 'Sweep'],
  ] as const)('EventBridge to invoke %s, for the schedule %s only', (name, rule) => {
    expect(callersOf(name)).toEqual([
      {
        Action: 'lambda:InvokeFunction',
        Principal: 'events.amazonaws.com',
        FunctionName: { 'Fn::GetAtt': [functionNamed(pipeline, name).id, 'Arn'] },
        SourceArn: { 'Fn::GetAtt': [resource(pipeline, 'AWS::Events::Rule', rule).id, 'Arn'] },
      },
    ]);
  });

  it('no caller to invoke the worker', () => {
    expect(callersOf('worker')).toEqual([]);
    pipeline.resourceCountIs('AWS::Lambda::Permission', 4);
  });
});
