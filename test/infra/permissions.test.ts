import { describe, expect, it } from 'vitest';
import { constructOf, functionNamed, type Resource, resource, resourcesOf, templatesFor } from './support.ts';

const { pipeline, storage, registration } = templatesFor();

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

function statementsOf(policy: Resource): readonly Statement[] {
  return (policy.Properties.PolicyDocument as { Statement: readonly Statement[] }).Statement;
}

const list = (value: string | readonly string[]) => (typeof value === 'string' ? [value] : [...value]);

/** Every action of a function's role with the resource it is allowed on, as text. */
function allowed(name: keyof typeof constructOf): string[] {
  const policy = resource(pipeline, 'AWS::IAM::Policy', constructOf[name]);
  return statementsOf(policy)
    .flatMap(({ Action, Resource }) => list(Action).map((action) => `${action} on ${nameOf(Resource)}`))
    .sort();
}

/** A resource without what is made up in its name: its logical id, or the ARN with pseudo parameters left out. */
function nameOf(arn: unknown): string {
  return (
    JSON.stringify(arn)
      .replace(/[^\w:/?*-]/g, ' ')
      .match(/(Events|Ingest|Setup|History|Quarantine|Webhook|:secret:)[\w:/?*-]*/)?.[0] ?? ''
  );
}

const ids = {
  queue: resource(pipeline, 'AWS::SQS::Queue', 'EventsQueue').id,
  log: (name: keyof typeof constructOf) => resource(pipeline, 'AWS::Logs::LogGroup', constructOf[name]).id,
};

const exportOf = (id: string) => expect.stringContaining(id);

describe('roles', () => {
  it('ingest may send to the events queue and read the webhook secret', () => {
    expect(allowed('ingest')).toEqual([
      `logs:CreateLogStream on ${ids.log('ingest')}`,
      `logs:PutLogEvents on ${ids.log('ingest')}`,
      exportOf('secretsmanager:DescribeSecret on WebhookSecret'),
      exportOf('secretsmanager:GetSecretValue on WebhookSecret'),
      `sqs:SendMessage on ${ids.queue}`,
    ]);
  });

  it('the worker may receive from its queue and write items, and neither read nor delete them', () => {
    expect(allowed('worker')).toEqual([
      exportOf('dynamodb:PutItem on History'),
      exportOf('dynamodb:PutItem on Quarantine'),
      exportOf('dynamodb:UpdateItem on History'),
      `logs:CreateLogStream on ${ids.log('worker')}`,
      `logs:PutLogEvents on ${ids.log('worker')}`,
      `sqs:ChangeMessageVisibility on ${ids.queue}`,
      `sqs:DeleteMessage on ${ids.queue}`,
      `sqs:GetQueueAttributes on ${ids.queue}`,
      `sqs:GetQueueUrl on ${ids.queue}`,
      `sqs:ReceiveMessage on ${ids.queue}`,
    ]);
  });

  it('setup may read the API key, and read and write the webhook secret', () => {
    expect(allowed('setup')).toEqual([
      `logs:CreateLogStream on ${ids.log('setup')}`,
      `logs:PutLogEvents on ${ids.log('setup')}`,
      'secretsmanager:DescribeSecret on :secret:sms-pipeline/api-key-??????',
      exportOf('secretsmanager:DescribeSecret on WebhookSecret'),
      'secretsmanager:GetSecretValue on :secret:sms-pipeline/api-key-??????',
      exportOf('secretsmanager:GetSecretValue on WebhookSecret'),
      exportOf('secretsmanager:PutSecretValue on WebhookSecret'),
      exportOf('secretsmanager:UpdateSecret on WebhookSecret'),
      exportOf('secretsmanager:UpdateSecretVersionStage on WebhookSecret'),
    ]);
  });

  it('are one a function, of Lambda only, without managed policies', () => {
    const roles = Object.keys(constructOf).map((name) => {
      const { Properties } = functionNamed(pipeline, name as keyof typeof constructOf);
      return (Properties.Role as { 'Fn::GetAtt': [string, string] })['Fn::GetAtt'][0];
    });
    expect(new Set(roles).size).toBe(3);
    const found = resourcesOf(pipeline, 'AWS::IAM::Role');
    expect(Object.keys(found).sort()).toEqual(roles.sort());
    for (const { Properties } of Object.values(found)) {
      expect(Object.keys(Properties)).toEqual(['AssumeRolePolicyDocument']);
      expect(JSON.stringify(Properties)).toContain('"Principal":{"Service":"lambda.amazonaws.com"}');
    }
    for (const stack of [storage, registration]) stack.resourceCountIs('AWS::IAM::Role', 0);
  });

  it('hold no wildcard, but for the six characters Secrets Manager puts behind a name', () => {
    for (const policy of Object.values(resourcesOf(pipeline, 'AWS::IAM::Policy')))
      for (const { Effect, Action, Resource } of statementsOf(policy)) {
        expect(Effect).toBe('Allow');
        for (const action of list(Action)) expect(action).toMatch(/^[a-z]+:[A-Za-z]+$/);
        expect(JSON.stringify(Resource)).not.toContain('*');
        expect(JSON.stringify(Resource).replace('/api-key-??????', '')).not.toContain('?');
      }
  });
});

it('API Gateway may invoke ingest, for the webhook route of this API only; nobody else is let in', () => {
  const { Properties } = resource(pipeline, 'AWS::Lambda::Permission');
  expect(Properties).toMatchObject({
    Action: 'lambda:InvokeFunction',
    Principal: 'apigateway.amazonaws.com',
    FunctionName: { 'Fn::GetAtt': [functionNamed(pipeline, 'ingest').id, 'Arn'] },
  });
  const api = resource(pipeline, 'AWS::ApiGatewayV2::Api').id;
  const { 'Fn::Join': arn } = Properties.SourceArn as { 'Fn::Join': [string, unknown[]] };
  expect(arn[1].slice(-2)).toEqual([{ Ref: api }, '/*/*/webhooks/sms']);
});
