import { runSimulation } from '@cloud-copilot/iam-simulate';
import { describe, expect, it } from 'vitest';
import type { AwsRequest, Permission } from '../../../../local/aws-protocol/call.ts';
import { addresseeOf, permissionsOf } from '../../../../local/gateway/read-call.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/History';
const other = 'arn:aws:dynamodb:us-east-1:000000000000:table/Quarantine';
const queue = 'arn:aws:sqs:us-east-1:000000000000:Events';
const topic = 'arn:aws:sns:us-east-1:000000000000:Notices';
const bus = 'arn:aws:events:us-east-1:000000000000:event-bus/Bus';
const secret = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Webhook-a1b2c3';

const post = { method: 'POST', url: '/', target: undefined, contentType: undefined };
const json = (target: string): AwsRequest => ({ ...post, target, contentType: 'application/x-amz-json-1.0' });
const form: AwsRequest = { ...post, contentType: 'application/x-www-form-urlencoded' };
const rest = (url: string): AwsRequest => ({ ...post, url });

const QueueUrl = 'http://127.0.0.1:4003/000000000000/Events';

const calls: readonly [name: string, AwsRequest, input: unknown, readonly Permission[]][] = [
  ...['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'DescribeTable', 'Query', 'Scan'].map(
    (operation): (typeof calls)[number] => [
      operation,
      json(`DynamoDB_20120810.${operation}`),
      { TableName: 'History' },
      [{ action: `dynamodb:${operation}`, resource: table }],
    ],
  ),
  [
    'a query of an index',
    json('DynamoDB_20120810.Query'),
    { TableName: 'History', IndexName: 'byPhone' },
    [{ action: 'dynamodb:Query', resource: `${table}/index/byPhone` }],
  ],
  [
    'a table by its ARN',
    json('DynamoDB_20120810.GetItem'),
    { TableName: table },
    [{ action: 'dynamodb:GetItem', resource: table }],
  ],
  ...['BatchGetItem', 'BatchWriteItem'].map((operation): (typeof calls)[number] => [
    operation,
    json(`DynamoDB_20120810.${operation}`),
    { RequestItems: { History: {}, Quarantine: {} } },
    [table, other].map((resource) => ({ action: `dynamodb:${operation}`, resource })),
  ]),
  [
    'a transaction that writes',
    json('DynamoDB_20120810.TransactWriteItems'),
    {
      TransactItems: [
        { Put: { TableName: 'History' } },
        { ConditionCheck: { TableName: 'Quarantine' } },
        { Update: { TableName: 'History' } },
        { Delete: { TableName: 'History' } },
      ],
    },
    [
      { action: 'dynamodb:PutItem', resource: table },
      { action: 'dynamodb:ConditionCheckItem', resource: other },
      { action: 'dynamodb:UpdateItem', resource: table },
      { action: 'dynamodb:DeleteItem', resource: table },
    ],
  ],
  [
    'a transaction that reads',
    json('DynamoDB_20120810.TransactGetItems'),
    { TransactItems: [{ Get: { TableName: 'History' } }] },
    [{ action: 'dynamodb:GetItem', resource: table }],
  ],
  ...[
    ['SendMessage', 'SendMessage'],
    ['SendMessageBatch', 'SendMessage'],
    ['DeleteMessageBatch', 'DeleteMessage'],
    ['ChangeMessageVisibilityBatch', 'ChangeMessageVisibility'],
    ['ReceiveMessage', 'ReceiveMessage'],
    ['GetQueueAttributes', 'GetQueueAttributes'],
  ].map(([operation = '', action]): (typeof calls)[number] => [
    operation,
    json(`AmazonSQS.${operation}`),
    { QueueUrl },
    [{ action: `sqs:${action}`, resource: queue }],
  ]),
  ...['Publish', 'PublishBatch'].map((operation): (typeof calls)[number] => [
    operation,
    form,
    new URLSearchParams({ Action: operation, TopicArn: topic, Message: 'a & b' }).toString(),
    [{ action: 'sns:Publish', resource: topic }],
  ]),
  ...['GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'].map(
    (operation): (typeof calls)[number] => [
      operation,
      json(`secretsmanager.${operation}`),
      { SecretId: 'Webhook' },
      [{ action: `secretsmanager:${operation}`, resource: secret }],
    ],
  ),
  [
    'events on a bus by its name and by its ARN',
    json('AWSEvents.PutEvents'),
    {
      Entries: [
        { EventBusName: 'Bus', Source: 'sms.pipeline', DetailType: 'SMS Opt-Out' },
        { EventBusName: bus, Source: 'sms.pipeline', DetailType: 'SMS Opt-In' },
      ],
    },
    ['SMS Opt-Out', 'SMS Opt-In'].map((type) => ({
      action: 'events:PutEvents',
      resource: bus,
      context: { 'events:source': 'sms.pipeline', 'events:detail-type': type },
    })),
  ],
  [
    'Invoke',
    rest('/2015-03-31/functions/Setup/invocations'),
    {},
    [
      {
        action: 'lambda:InvokeFunction',
        resource: 'arn:aws:lambda:us-east-1:000000000000:function:Setup',
      },
    ],
  ],
];

function permissionsFor(request: AwsRequest, input: unknown) {
  const body = Buffer.from(typeof input === 'string' ? input : JSON.stringify(input));
  const addressee = addresseeOf(request, body);
  if (!addressee) throw new Error('no addressee');
  const { service, operation } = addressee;
  return permissionsOf(service, { operation, request, body, secretArnOf: async () => secret });
}

describe('the permissions that a call needs', () => {
  it.each(calls)(
    '%s, with actions and condition keys that exist in AWS',
    async (_, request, input, expected) => {
      const permissions = await permissionsFor(request, input);
      expect(permissions).toEqual(expected);
      for (const { action, resource, context } of permissions) {
        const result = await runSimulation(
          {
            request: {
              principal: 'arn:aws:sts::000000000000:assumed-role/Role/Function',
              action,
              resource: { resource, accountId: '000000000000' },
              contextVariables: { ...context },
            },
            identityPolicies: [],
            serviceControlPolicies: [],
            resourceControlPolicies: [],
          },
          {},
        );
        expect(result).toMatchObject({ resultType: 'single', result: { ignoredContextKeys: [] } });
      }
    },
  );

  it.each([
    ['an operation that is not listed', json('DynamoDB_20120810.DeleteTable'), { TableName: 'History' }],
    ['another of SQS', json('AmazonSQS.PurgeQueue'), { QueueUrl }],
    ['another of SNS', form, 'Action=CreateTopic&TopicArn=x'],
    ['a text message', form, 'Action=Publish&PhoneNumber=x'],
    ['another of Secrets Manager', json('secretsmanager.ListSecrets'), {}],
    ['another of EventBridge', json('AWSEvents.PutRule'), {}],
    ['another of Lambda', rest('/2015-03-31/functions'), {}],
    ['a call that names no table', json('DynamoDB_20120810.GetItem'), {}],
    [
      'a transaction with something unknown',
      json('DynamoDB_20120810.TransactWriteItems'),
      { TransactItems: [{ Look: { TableName: 'History' } }] },
    ],
    ['a body that is no JSON', json('AmazonSQS.SendMessage'), 'no JSON'],
  ])('are unknown, with the file to extend: %s', async (_, request, input) => {
    await expect(permissionsFor(request, input)).rejects.toThrow(
      /service\.ts of its service in local\/services\//,
    );
  });

  it('are unknown for a service that is unknown', () => {
    expect(addresseeOf(json('Kinesis_20131202.PutRecord'), Buffer.from('{}'))).toBeUndefined();
  });
});
