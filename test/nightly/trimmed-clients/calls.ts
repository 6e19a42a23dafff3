import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import {
  ConditionalCheckFailedException,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ThrottlingException,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  DecryptionFailure,
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { NotFoundException, PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  RequestThrottled,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { clientSettings } from '../../../functions/base/handler-settings.ts';

/** Error classes whose `instanceof` the functions may ask. */
const modelled = {
  ConditionalCheckFailedException,
  DecryptionFailure,
  NotFoundException,
  QueueDoesNotExist,
  RequestThrottled,
  ResourceNotFoundException,
  ThrottlingException,
  TransactionCanceledException,
};

type Call = (endpoint: string) => Promise<unknown>;

const sqs = (endpoint: string) => new SQSClient({ ...clientSettings, endpoint });
const dynamoDb = (endpoint: string) => new DynamoDBClient({ ...clientSettings, endpoint });
const secrets = (endpoint: string) => new SecretsManagerClient({ ...clientSettings, endpoint });

const QueueUrl = 'http://127.0.0.1/000000000000/queue';
const send: Call = (endpoint) =>
  sqs(endpoint).send(new SendMessageCommand({ QueueUrl, MessageBody: 'Zażółć: "x"' }));
const receive: Call = (endpoint) =>
  sqs(endpoint).send(new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['All'] }));
const put: Call = (endpoint) =>
  dynamoDb(endpoint).send(
    new PutItemCommand({
      TableName: 'table',
      Item: {
        pk: { S: 'a' },
        n: { N: '12345678901234567890' },
        b: { B: Buffer.from('x') },
        l: { L: [{ NULL: true }] },
      },
      ConditionExpression: 'attribute_not_exists(#pk)',
      ExpressionAttributeNames: { '#pk': 'pk' },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
const transact: Call = (endpoint) =>
  dynamoDb(endpoint).send(
    new TransactWriteItemsCommand({
      ClientRequestToken: 'token',
      TransactItems: [{ Delete: { TableName: 'table', Key: { pk: { S: 'a' } } } }],
    }),
  );
const read: Call = (endpoint) => secrets(endpoint).send(new GetSecretValueCommand({ SecretId: 'secret' }));
const putEvents: Call = (endpoint) =>
  new EventBridgeClient({ ...clientSettings, endpoint }).send(
    new PutEventsCommand({
      Entries: ['a', 'b'].map((Detail) => ({
        Source: 's',
        DetailType: 't',
        Detail,
        Time: new Date(1_700_000_000_000),
      })),
    }),
  );
const publish: Call = (endpoint) =>
  new SNSClient({ ...clientSettings, endpoint }).send(
    new PublishCommand({ TopicArn: 'arn', Message: 'a & b' }),
  );
const readAlarms: Call = (endpoint) =>
  new CloudWatchClient({ ...clientSettings, endpoint }).send(
    new DescribeAlarmsCommand({ AlarmNamePrefix: 'stack-', StateValue: 'ALARM' }),
  );

/** Calls that are not the first of their service, by the name of what the server does (answers.ts). */
const otherCalls: Readonly<Record<string, Call>> = {
  'sqs-received': receive,
  'sqs-received-bad-checksum': receive,
  'sqs-deleted-in-part': (endpoint) =>
    sqs(endpoint).send(
      new DeleteMessageBatchCommand({
        QueueUrl,
        Entries: ['1', '2'].map((Id) => ({ Id, ReceiptHandle: `handle-${Id}` })),
      }),
    ),
  'sqs-attributes': (endpoint) =>
    sqs(endpoint).send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] })),
  'dynamodb-transaction': transact,
  'dynamodb-item': (endpoint) =>
    dynamoDb(endpoint).send(new GetItemCommand({ TableName: 'table', Key: { pk: { S: 'a' } } })),
  'dynamodb-table': (endpoint) => dynamoDb(endpoint).send(new DescribeTableCommand({ TableName: 'table' })),
};
const firstCalls: Readonly<Record<string, Call>> = {
  sqs: send,
  dynamodb: put,
  secret: read,
  events: putEvents,
  topic: publish,
  alarms: readAlarms,
};

function callFor(name: string): Call {
  const call = otherCalls[name] ?? firstCalls[name.split('-')[0] ?? ''];
  if (call === undefined) throw new Error(`no call for ${name}`);
  return call;
}

/** Everything a caller can see of a result, but for delays that are random. */
const visible = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value, (key, part) =>
      key === 'totalRetryDelay' || key === '$response' ? undefined : part,
    ),
  );

async function outcomeOf(call: Call, endpoint: string) {
  try {
    return { resolved: visible(await call(endpoint)) };
  } catch (error) {
    if (!(error instanceof Error)) return { thrown: typeof error };
    const classes = Object.entries(modelled).filter(([, ErrorClass]) => error instanceof ErrorClass);
    return {
      rejected: { ...visible(error), name: error.name, message: error.message },
      // Those without a value too.
      properties: Object.keys(error),
      instanceOf: classes.map(([name]) => name),
    };
  }
}

/** Where a client would call in a region, or why nowhere. */
function endpointsOf(region: string) {
  const clients = [
    SQSClient,
    DynamoDBClient,
    SecretsManagerClient,
    EventBridgeClient,
    SNSClient,
    CloudWatchClient,
  ];
  const flags = [false, true];
  return clients.flatMap((Client) => {
    const { endpointProvider } = new Client({ region }).config;
    return flags.flatMap((UseFIPS) =>
      flags.map((UseDualStack) => {
        try {
          return endpointProvider({ Region: region, UseFIPS, UseDualStack }).url.href;
        } catch (error) {
          return String(error);
        }
      }),
    );
  });
}

/**
 * Makes all calls at once and prints their outcomes as JSON.
 *
 * @param url of a server that answers each call below a path of its name
 * @param names of the answers, each of which gets its call
 * @param regions whose endpoints are printed as well
 */
export async function makeCalls(
  url: string,
  names: readonly string[],
  regions: readonly string[],
): Promise<void> {
  const outcomes = await Promise.all(
    names.map(async (name) => [name, await outcomeOf(callFor(name), `${url}/${name}`)] as const),
  );
  const endpoints = regions.map((region) => [region, endpointsOf(region)] as const);
  const seen = { outcomes: Object.fromEntries(outcomes), endpoints: Object.fromEntries(endpoints) };
  // The hanging connections are still open.
  process.stdout.write(JSON.stringify(seen), () => process.exit());
}
