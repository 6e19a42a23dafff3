import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { allowed, flattened, list, statementsOf } from '../support/allowed-actions.ts';
import {
  analysisTemplate,
  automationsTemplate,
  constructOf,
  functionNamed,
  registrationTemplate,
  resource,
  resourcesOf,
  templatesFor,
} from '../support/built-app.ts';

const { pipeline, storage } = templatesFor();
const registration = registrationTemplate();
const analysis = analysisTemplate();

const ids = {
  queue: resource(pipeline, 'AWS::SQS::Queue', 'EventsQueue').id,
  signals: resource(pipeline, 'AWS::SQS::Queue', 'Signals').id,
  state: resource(pipeline, 'AWS::DynamoDB::Table').id,
  log: (name: keyof typeof constructOf) => resource(pipeline, 'AWS::Logs::LogGroup', constructOf[name]).id,
};

const exportOf = (id: string) => expect.stringContaining(id);

describe('roles', () => {
  it('ingest may send to the two queues and read the webhook secret', () => {
    expect(allowed('ingest')).toEqual([
      `logs:CreateLogStream on ${ids.log('ingest')}`,
      `logs:PutLogEvents on ${ids.log('ingest')}`,
      exportOf('secretsmanager:GetSecretValue on WebhookSecret'),
      `sqs:SendMessage on ${ids.queue}`,
      `sqs:SendMessage on ${ids.signals}`,
    ]);
  });

  it('the worker may receive from its queue, write items without reading or deleting them, and verify parked requests', () => {
    expect(allowed('worker')).toEqual([
      `dynamodb:GetItem on ${ids.state}`,
      exportOf('dynamodb:PutItem on History'),
      exportOf('dynamodb:PutItem on Quarantine'),
      exportOf('dynamodb:UpdateItem on History'),
      `dynamodb:UpdateItem on ${ids.state}`,
      `logs:CreateLogStream on ${ids.log('worker')}`,
      `logs:PutLogEvents on ${ids.log('worker')}`,
      exportOf('secretsmanager:GetSecretValue on WebhookSecret'),
      `sqs:ChangeMessageVisibility on ${ids.queue}`,
      `sqs:DeleteMessage on ${ids.queue}`,
      `sqs:GetQueueAttributes on ${ids.queue}`,
      `sqs:ReceiveMessage on ${ids.queue}`,
    ]);
  });

  it('setup may read the API key, read and write the webhook secret, keep the state, receive signals and put events on the bus', () => {
    expect(allowed('setup')).toEqual([
      `dynamodb:GetItem on ${ids.state}`,
      `dynamodb:Query on ${ids.state}`,
      `dynamodb:UpdateItem on ${ids.state}`,
      expect.stringMatching(/^events:PutEvents on Bus\w+$/),
      `logs:CreateLogStream on ${ids.log('setup')}`,
      `logs:PutLogEvents on ${ids.log('setup')}`,
      'secretsmanager:GetSecretValue on :secret:sms-pipeline/api-key-??????',
      exportOf('secretsmanager:GetSecretValue on WebhookSecret'),
      exportOf('secretsmanager:PutSecretValue on WebhookSecret'),
      exportOf('secretsmanager:UpdateSecretVersionStage on WebhookSecret'),
      `sqs:DeleteMessage on ${ids.signals}`,
      `sqs:GetQueueAttributes on ${ids.signals}`,
      `sqs:ReceiveMessage on ${ids.signals}`,
    ]);
  });

  it('query may read the tables by key and the three indexes, and scan nothing', () => {
    expect(allowed('query')).toEqual([
      expect.stringMatching(/^dynamodb:BatchGetItem on History\w+$/),
      expect.stringMatching(/^dynamodb:GetItem on History\w+$/),
      expect.stringMatching(/^dynamodb:GetItem on Quarantine\w+$/),
      expect.stringMatching(/^dynamodb:Query on History\w+\/index\/byPhone$/),
      expect.stringMatching(/^dynamodb:Query on History\w+\/index\/bySend$/),
      expect.stringMatching(/^dynamodb:Query on History\w+\/index\/byWorklist$/),
      expect.stringMatching(/^dynamodb:Query on Quarantine\w+$/),
      `logs:CreateLogStream on ${ids.log('query')}`,
      `logs:PutLogEvents on ${ids.log('query')}`,
    ]);
  });

  it('the sweep may look up pending messages, read messages and write to them', () => {
    expect(allowed('sweep')).toEqual([
      expect.stringMatching(/^dynamodb:BatchGetItem on History\w+$/),
      expect.stringMatching(/^dynamodb:Query on History\w+\/index\/byWorklist$/),
      expect.stringMatching(/^dynamodb:UpdateItem on History\w+$/),
      `logs:CreateLogStream on ${ids.log('sweep')}`,
      `logs:PutLogEvents on ${ids.log('sweep')}`,
    ]);
  });

  it('the exporter may have the history table exported into one folder of its bucket, and read no item', () => {
    const log = resource(analysis, 'AWS::Logs::LogGroup').id;
    const bucket = resource(analysis, 'AWS::S3::Bucket').id;
    expect(allowed('exporter', analysis)).toEqual([
      expect.stringMatching(/^dynamodb:DescribeContinuousBackups on History\w+$/),
      expect.stringMatching(/^dynamodb:DescribeExport on History\w+\/export\/\*$/),
      expect.stringMatching(/^dynamodb:ExportTableToPointInTime on History\w+$/),
      'dynamodb:ListExports on *',
      `logs:CreateLogStream on ${log}`,
      `logs:PutLogEvents on ${log}`,
      `s3:AbortMultipartUpload on ${bucket}/history/*`,
      `s3:PutObject on ${bucket}/history/*`,
      `s3:PutObjectAcl on ${bucket}/history/*`,
    ]);
  });

  it.each([pipeline, analysis, templatesFor().events, automationsTemplate()])(
    'of no function may scan a table',
    (template) => {
      expect(JSON.stringify(resourcesOf(template, 'AWS::IAM::Policy'))).not.toContain('dynamodb:Scan');
    },
  );

  it('belong to one function each, can be assumed by Lambda only, and have no managed policy', () => {
    const roles = (['ingest', 'worker', 'setup', 'query', 'sweep'] as const).map((name) => {
      const { Properties } = functionNamed(pipeline, name);
      return (Properties.Role as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'][0];
    });
    expect(new Set(roles).size).toBe(5);
    const found = resourcesOf(pipeline, 'AWS::IAM::Role');
    expect(Object.keys(found).sort()).toEqual(roles.sort());
    for (const { Properties } of Object.values(found)) {
      expect(Object.keys(Properties)).toEqual(['AssumeRolePolicyDocument']);
      expect(JSON.stringify(Properties)).toContain('"Principal":{"Service":"lambda.amazonaws.com"}');
    }
    for (const stack of [storage, registration]) stack.resourceCountIs('AWS::IAM::Role', 0);
    analysis.resourceCountIs('AWS::IAM::Role', 1);
  });

  it('contain no wildcard except for the six characters that Secrets Manager appends to a name', () => {
    for (const policy of Object.values(resourcesOf(pipeline, 'AWS::IAM::Policy')))
      for (const { Effect, Action, Resource } of statementsOf(policy)) {
        expect(Effect).toBe('Allow');
        for (const action of list(Action)) expect(action).toMatch(/^[a-z]+:[A-Za-z]+$/);
        expect(JSON.stringify(Resource)).not.toContain('*');
        expect(JSON.stringify(Resource).replace('/api-key-??????', '')).not.toContain('?');
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

  it('API Gateway to invoke ingest, for the webhook route of this API only', () => {
    const [caller, ...others] = callersOf('ingest');
    expect(others).toEqual([]);
    expect(caller).toMatchObject({
      Action: 'lambda:InvokeFunction',
      Principal: 'apigateway.amazonaws.com',
      SourceArn: {
        'Fn::Join': [
          '',
          expect.arrayContaining([
            { Ref: resource(pipeline, 'AWS::ApiGatewayV2::Api').id },
            '/*/*/webhooks/sms',
          ]),
        ],
      },
    });
  });

  it('EventBridge to invoke setup, for the schedule only', () => {
    expect(callersOf('setup')).toEqual([
      {
        Action: 'lambda:InvokeFunction',
        Principal: 'events.amazonaws.com',
        FunctionName: { 'Fn::GetAtt': [functionNamed(pipeline, 'setup').id, 'Arn'] },
        SourceArn: { 'Fn::GetAtt': [resource(pipeline, 'AWS::Events::Rule', 'Reconcile').id, 'Arn'] },
      },
    ]);
  });

  it('EventBridge to invoke the sweep, for the schedule only', () => {
    expect(callersOf('sweep')).toEqual([
      {
        Action: 'lambda:InvokeFunction',
        Principal: 'events.amazonaws.com',
        FunctionName: { 'Fn::GetAtt': [functionNamed(pipeline, 'sweep').id, 'Arn'] },
        SourceArn: { 'Fn::GetAtt': [resource(pipeline, 'AWS::Events::Rule', 'Sweep').id, 'Arn'] },
      },
    ]);
  });

  it('API Gateway to invoke query, for the query route of this API only', () => {
    const [caller, ...others] = callersOf('query');
    expect(others).toEqual([]);
    expect(caller).toMatchObject({ Principal: 'apigateway.amazonaws.com' });
    expect(flattened(caller?.SourceArn)).toMatch(/:WebhookApi\w+\/\*\/\*\/v1\/\{proxy\+\}$/);
  });

  it('no caller to invoke the worker', () => {
    expect(callersOf('worker')).toEqual([]);
    pipeline.resourceCountIs('AWS::Lambda::Permission', 4);
  });
});
