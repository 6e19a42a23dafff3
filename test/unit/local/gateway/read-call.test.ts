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

const History = { TableName: 'History' };

type Call = readonly [operation: string, AwsRequest, input: unknown, needed: readonly Permission[]];

/** A call of DynamoDB, with the actions and resources that it needs permission for. */
const dynamodb = (
  operation: string,
  input: object,
  ...needed: [action: string, resource: string][]
): Call => [
  operation,
  json(`DynamoDB_20120810.${operation}`),
  input,
  needed.map(([action, resource]) => ({ action: `dynamodb:${action}`, resource })),
];

const sqs = (operation: string, action = operation): Call => [
  operation,
  json(`AmazonSQS.${operation}`),
  { QueueUrl },
  [{ action: `sqs:${action}`, resource: queue }],
];

const calls: readonly Call[] = [
  ...['UpdateItem', 'DeleteItem', 'DescribeTable', 'Query', 'Scan'].map((operation) =>
    dynamodb(operation, History, [operation, table]),
  ),
  dynamodb('Query', { ...History, IndexName: 'byNumber' }, ['Query', `${table}/index/byNumber`]),
  dynamodb('GetItem', { TableName: table, Key: { id: { S: 'a' } } }, ['GetItem', table]),
  [
    'GetItem',
    json('DynamoDB_20120810.GetItem'),
    { ...History, Key: { pk: { S: 'drift#2026-01-15' } } },
    [{ action: 'dynamodb:GetItem', resource: table, context: { 'dynamodb:LeadingKeys': ['drift#'] } }],
  ],
  dynamodb('PutItem', { TableName: table, Item: { id: { S: 'a' } } }, ['PutItem', table]),
  [
    'PutItem',
    json('DynamoDB_20120810.PutItem'),
    { ...History, Item: { pk: { S: 'id-mask#key' } } },
    [{ action: 'dynamodb:PutItem', resource: table, context: { 'dynamodb:LeadingKeys': ['id-mask#'] } }],
  ],
  ...['BatchGetItem', 'BatchWriteItem'].map((operation) =>
    dynamodb(
      operation,
      { RequestItems: { History: {}, Quarantine: {} } },
      [operation, table],
      [operation, other],
    ),
  ),
  dynamodb(
    'TransactWriteItems',
    {
      TransactItems: [
        { Put: History },
        { ConditionCheck: { TableName: 'Quarantine' } },
        { Update: History },
        { Delete: History },
      ],
    },
    ['PutItem', table],
    ['ConditionCheckItem', other],
    ['UpdateItem', table],
    ['DeleteItem', table],
  ),
  dynamodb('TransactGetItems', { TransactItems: [{ Get: History }] }, ['GetItem', table]),
  sqs('ReceiveMessage'),
  sqs('SendMessageBatch', 'SendMessage'),
  sqs('DeleteMessageBatch', 'DeleteMessage'),
  sqs('ChangeMessageVisibilityBatch', 'ChangeMessageVisibility'),
  ...['Publish', 'PublishBatch'].map(
    (operation): Call => [
      operation,
      form,
      new URLSearchParams({ Action: operation, TopicArn: topic, Message: 'a & b' }).toString(),
      [{ action: 'sns:Publish', resource: topic }],
    ],
  ),
  ...['GetSecretValue', 'PutSecretValue', 'UpdateSecretVersionStage'].map(
    (operation): Call => [
      operation,
      json(`secretsmanager.${operation}`),
      { SecretId: 'Webhook' },
      [{ action: `secretsmanager:${operation}`, resource: secret }],
    ],
  ),
  ...['Bus', bus].map(
    (EventBusName): Call => [
      `PutEvents on ${EventBusName}`,
      json('AWSEvents.PutEvents'),
      { Entries: [{ EventBusName, Source: 'sms.pipeline', DetailType: 'SMS Opt-Out' }] },
      [
        {
          action: 'events:PutEvents',
          resource: bus,
          context: { 'events:source': 'sms.pipeline', 'events:detail-type': 'SMS Opt-Out' },
        },
      ],
    ],
  ),
  [
    'Invoke',
    rest('/2015-03-31/functions/Setup/invocations'),
    {},
    [{ action: 'lambda:InvokeFunction', resource: 'arn:aws:lambda:us-east-1:000000000000:function:Setup' }],
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
    ['another of SQS', json('AmazonSQS.PurgeQueue'), { QueueUrl }],
    ['another of Secrets Manager', json('secretsmanager.ListSecrets'), {}],
    ['another of EventBridge', json('AWSEvents.PutRule'), {}],
    ['another of Lambda', rest('/2015-03-31/functions'), {}],
    [
      'a transaction with something unknown',
      json('DynamoDB_20120810.TransactWriteItems'),
      { TransactItems: [{ Look: History }] },
    ],
    ['a text message', form, 'Action=Publish&PhoneNumber=x'],
    ['a call that names no table', json('DynamoDB_20120810.GetItem'), {}],
    ['a body that is no JSON', json('AmazonSQS.SendMessage'), 'no JSON'],
  ])('are unknown, with the file to extend: %s', async (_, request, input) => {
    await expect(permissionsFor(request, input)).rejects.toThrow(
      /one machine does not have the call [\s\S]*service\.ts\)$/,
    );
  });

  it('are unknown for a service that is unknown', () => {
    expect(addresseeOf(json('Kinesis_20131202.PutRecord'), Buffer.from('{}'))).toBeUndefined();
  });
});
