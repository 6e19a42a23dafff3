import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, GetRecordsCommand } from '@aws-sdk/client-dynamodb-streams';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import {
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeServer, listen, readBody, sendJson } from '../../../../local/aws-protocol/http.ts';
import { Faults } from '../../../../local/gateway/faults.ts';
import { type GatewayServer, startGatewayServer } from '../../../../local/gateway/gateway-server.ts';
import { Access } from '../../../../local/iam/access.ts';
import { policyEntries } from '../../../../local/iam/policy.ts';
import { freePorts } from '../../../../tools/support/free-port.ts';
import { until } from '../../../../tools/support/until.ts';

const policy = policyEntries({
  Version: '2012-10-17',
  Statement: { Effect: 'Allow', Action: '*', Resource: '*' },
});

/** Calls that reached the service, by target or path. */
const received: string[] = [];
/** Called when the service receives a call. */
const arrivals = new EventEmitter();
/** Holds the service's answers back while it is unresolved. */
let mayAnswer = Promise.resolve();
let answered = 0;
let service: Server;
let gateway: GatewayServer;
let awsUrl: string;
let smsServiceUrl: string;

beforeAll(async () => {
  const first = await freePorts(3);
  service = await listen(first, async (request, response) => {
    await readBody(request, 1_000_000);
    received.push(String(request.headers['x-amz-target'] ?? `${request.method} ${request.url}`));
    arrivals.emit('call');
    await mayAnswer;
    answered += 1;
    sendJson(response, 200, {}, { 'content-type': 'application/x-amz-json-1.0' });
  });
  const access = new Access(
    () => {},
    () => {},
  );
  const principalArn = 'arn:aws:sts::000000000000:assumed-role/Role/Worker';
  for (const label of ['worker', 'ingest']) {
    access.set({ accessKeyId: `Pipeline${label}`, label, principalArn, policy, unusedBecause: {} });
  }
  const parts = { access, secretArnOf: async (id: string) => id, faults: new Faults() };
  gateway = await startGatewayServer(
    [
      { publicPort: first + 1, servicePort: first, isSmsService: false },
      { publicPort: first + 2, servicePort: first, isSmsService: true },
    ],
    parts,
  );
  awsUrl = `http://127.0.0.1:${first + 1}`;
  smsServiceUrl = `http://127.0.0.1:${first + 2}`;
});

afterAll(async () => {
  await gateway.close();
  await closeServer(service);
});

beforeEach(async () => {
  await fetch(`${awsUrl}/local/faults`, { method: 'DELETE' });
  received.length = 0;
  answered = 0;
  mayAnswer = Promise.resolve();
});

async function setFaults(...faults: object[]): Promise<void> {
  const body = JSON.stringify({ faults });
  const { status } = await fetch(`${awsUrl}/local/faults`, { method: 'PUT', body });
  expect(status).toBe(200);
}

async function faultsInForce(): Promise<unknown> {
  return (await fetch(`${awsUrl}/local/faults`)).json();
}

const configOf = (accessKeyId = 'Pipelineworker') => ({
  endpoint: awsUrl,
  region: 'us-east-1',
  credentials: { accessKeyId, secretAccessKey: 'any' },
  maxAttempts: 1,
});

const getItem = new GetItemCommand({ TableName: 'History', Key: { pk: { S: 'message#1' } } });
const QueueUrl = 'http://127.0.0.1:1/000000000000/Events';
const sendMessage = new SendMessageCommand({ QueueUrl, MessageBody: 'x' });
const getAsWorker = () => new DynamoDBClient(configOf()).send(getItem);

/** A call to each service, as the worker. */
const calls = {
  dynamodb: getAsWorker,
  sqs: () => new SQSClient({ ...configOf(), useQueueUrlAsEndpoint: false }).send(sendMessage),
  sns: () =>
    new SNSClient(configOf()).send(
      new PublishCommand({ TopicArn: 'arn:aws:sns:us-east-1:000000000000:N', Message: 'x' }),
    ),
  secretsmanager: () =>
    new SecretsManagerClient(configOf()).send(new GetSecretValueCommand({ SecretId: 'Webhook' })),
  events: () =>
    new EventBridgeClient(configOf()).send(
      new PutEventsCommand({ Entries: [{ Source: 's', DetailType: 't', Detail: '{}' }] }),
    ),
  lambda: () => new LambdaClient(configOf()).send(new InvokeCommand({ FunctionName: 'Setup' })),
};

describe('errors as the SDK sees them', () => {
  it.each([
    ['dynamodb', 'refuse', 'AccessDeniedException', 400],
    ['dynamodb', 'throttle', 'ProvisionedThroughputExceededException', 400],
    ['dynamodb', 'fail', 'InternalServerError', 500],
    ['sqs', 'refuse', 'AccessDenied', 403],
    ['sqs', 'throttle', 'RequestThrottled', 403],
    ['sqs', 'fail', 'InternalFailure', 500],
    ['sns', 'refuse', 'AuthorizationErrorException', 403],
    ['sns', 'throttle', 'Throttling', 400],
    ['sns', 'fail', 'InternalFailure', 500],
    ['secretsmanager', 'refuse', 'AccessDeniedException', 400],
    ['secretsmanager', 'throttle', 'ThrottlingException', 400],
    ['secretsmanager', 'fail', 'InternalServiceError', 500],
    ['events', 'refuse', 'AccessDeniedException', 400],
    ['events', 'throttle', 'ThrottlingException', 400],
    ['events', 'fail', 'InternalException', 500],
    ['lambda', 'refuse', 'AccessDeniedException', 403],
    ['lambda', 'throttle', 'TooManyRequestsException', 429],
    ['lambda', 'fail', 'ServiceException', 500],
  ] as const)('%s %ss with %s, %i', async (faulty, kind, name, httpStatusCode) => {
    await setFaults({ service: faulty, kind });
    await expect(calls[faulty]()).rejects.toMatchObject({ name, $metadata: { httpStatusCode } });
    expect(received).toEqual([]);
  });

  it.each([
    ['refuse', 401, null],
    ['throttle', 429, '1'],
    ['fail', 500, null],
  ])('the SMS service: %s with %i', async (kind, status, retryAfter) => {
    await setFaults({ service: 'sms-service', operation: 'GET /v1/account/webhook', kind });
    const answer = await fetch(`${smsServiceUrl}/v1/account/webhook?some=query`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([status, retryAfter]);
    expect((await fetch(`${smsServiceUrl}/v1/account/webhook`, { method: 'PUT' })).status).toBe(200);
    expect(received).toEqual(['PUT /v1/account/webhook']);
  });
});

describe('connections', () => {
  it('a reset ends the connection before the service receives the call', async () => {
    await setFaults({ service: 'dynamodb', kind: 'reset', calls: 1 });
    await expect(getAsWorker()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(received).toEqual([]);
  });

  it('a dropped answer resets the connection after the service has answered', async () => {
    await setFaults({ service: 'dynamodb', kind: 'drop', calls: 1 });
    const { promise, resolve } = Promise.withResolvers<void>();
    mayAnswer = promise;
    const arrived = new Promise((done) => arrivals.once('call', done));
    let isOver = false;
    const failed = expect(getAsWorker()).rejects.toMatchObject({ code: 'ECONNRESET' });
    void failed.finally(() => {
      isOver = true;
    });
    await arrived;
    await faultsInForce();
    expect(isOver).toBe(false);
    resolve();
    await failed;
    expect(answered).toBe(1);
  });

  it('a hanging call ends when its client hangs up, which is counted', async () => {
    await setFaults({ service: 'dynamodb', kind: 'hang' });
    const abandoning = new AbortController();
    const call = new DynamoDBClient(configOf()).send(getItem, { abortSignal: abandoning.signal });
    await untilHit();
    abandoning.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await until('it is counted', async () => /"abandoned":1/.test(JSON.stringify(await faultsInForce())));
    expect(received).toEqual([]);
  });

  it('a hanging call ends when the faults are removed', async () => {
    await setFaults({ service: 'sms-service', kind: 'hang' });
    const call = fetch(`${smsServiceUrl}/v1/contacts`, { method: 'POST', body: 'x'.repeat(100_000) });
    const failed = expect(call).rejects.toThrow();
    await untilHit();
    await fetch(`${awsUrl}/local/faults`, { method: 'DELETE' });
    await failed;
  });

  async function untilHit() {
    await until('it hangs', async () => /"hit":1/.test(JSON.stringify(await faultsInForce())));
  }
});

describe('the callers of a fault', () => {
  it('a fault with a caller hits only the function or its poller with this label', async () => {
    await setFaults(
      { caller: 'worker poller', service: 'sqs', operation: 'ReceiveMessage', kind: 'throttle' },
      { caller: 'worker poller', service: 'dynamodb', operation: 'GetRecords', kind: 'fail' },
      { caller: 'worker', service: 'dynamodb', kind: 'fail' },
    );
    const receive = new ReceiveMessageCommand({ QueueUrl });
    const sqs = (key: string) => new SQSClient({ ...configOf(key), useQueueUrlAsEndpoint: false });
    const streams = new DynamoDBStreamsClient(configOf('PipelineworkerPoller'));
    await expect(sqs('PipelineworkerPoller').send(receive)).rejects.toMatchObject({
      name: 'RequestThrottled',
    });
    await expect(streams.send(new GetRecordsCommand({ ShardIterator: 'i' }))).rejects.toMatchObject({
      name: 'InternalServerError',
    });
    await expect(getAsWorker()).rejects.toMatchObject({ name: 'InternalServerError' });
    expect(received).toEqual([]);
    const remove = new DeleteMessageCommand({ QueueUrl, ReceiptHandle: 'r' });
    await sqs('PipelineworkerPoller').send(remove);
    await sqs('PipelineingestPoller').send(receive);
    await sqs('person').send(receive);
    await sqs('Poller').send(receive);
    await new DynamoDBClient(configOf('Pipelineingest')).send(getItem);
    await new DynamoDBClient(configOf('person')).send(getItem);
    expect(received).toHaveLength(6);
  });

  it('a fault without a caller hits every function and poller, and no other client', async () => {
    await setFaults({ service: 'dynamodb', kind: 'fail' });
    for (const key of ['Pipelineworker', 'Pipelineingest', 'PipelineworkerPoller']) {
      await expect(new DynamoDBClient(configOf(key)).send(getItem)).rejects.toThrow();
    }
    await new DynamoDBClient(configOf('person')).send(getItem);
    expect(received).toEqual(['DynamoDB_20120810.GetItem']);
  });

  it('no fault hits the addresses of the sandbox itself', async () => {
    await setFaults({ service: 'sms-service', kind: 'fail' });
    expect((await fetch(`${smsServiceUrl}/sandbox/state`)).status).toBe(200);
    expect((await fetch(`${smsServiceUrl}/v1/contacts`)).status).toBe(500);
  });

  it('a fault lets the first calls pass, hits its number of calls, and leaves the rest to the next fault', async () => {
    await setFaults(
      { caller: 'worker', service: 'dynamodb', operation: 'GetItem', kind: 'throttle', after: 1, calls: 2 },
      { service: 'dynamodb', kind: 'fail', calls: 1 },
    );
    const outcomes: string[] = [];
    for (let call = 0; call < 5; call += 1) {
      outcomes.push(
        await getAsWorker().then(
          () => 'ok',
          (error: Error) => error.name,
        ),
      );
    }
    const throttled = 'ProvisionedThroughputExceededException';
    expect(outcomes).toEqual(['ok', throttled, throttled, 'InternalServerError', 'ok']);
    expect(await faultsInForce()).toEqual({
      faults: [
        {
          ...{ caller: 'worker', service: 'dynamodb', operation: 'GetItem', kind: 'throttle' },
          ...{ after: 1, calls: 2, seen: 5, hit: 2, abandoned: 0 },
        },
        {
          ...{ service: 'dynamodb', kind: 'fail' },
          ...{ after: 0, calls: 1, seen: 5, hit: 1, abandoned: 0 },
        },
      ],
    });
  });
});

describe('an invalid list of faults', () => {
  it.each([
    [
      'a kind that there is not',
      { faults: [{ service: 'sqs', kind: 'slow' }] },
      /faults\.0\.kind: .*"refuse"/,
    ],
    ['a service that there is not', { faults: [{ service: 's3', kind: 'fail' }] }, /faults\.0\.service/],
    ['a misspelt field', { faults: [{ service: 'sqs', kind: 'fail', call: 1 }] }, /faults\.0: .*"call"/],
    ['no calls', { faults: [{ service: 'sqs', kind: 'fail', calls: 0 }] }, /faults\.0\.calls/],
    [
      'a caller of the SMS service',
      { faults: [{ service: 'sms-service', caller: 'setup', kind: 'fail' }] },
      /faults\.0\.caller: .*leave it out/,
    ],
    [
      'a path of the SMS service without its method',
      { faults: [{ service: 'sms-service', operation: '/v1/contacts', kind: 'fail' }] },
      /faults\.0\.operation: .*<METHOD> <path>/,
    ],
    ['a list alone', [], /expected object/],
    ['no JSON', undefined, /not JSON/],
  ])('the gateway reports %s and keeps its faults', async (_, body, message) => {
    await setFaults({ service: 'dynamodb', kind: 'fail' });
    const before = await faultsInForce();
    const text = body === undefined ? '{' : JSON.stringify(body);
    const answer = await fetch(`${awsUrl}/local/faults`, { method: 'PUT', body: text });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ message: expect.stringMatching(message) });
    expect(await faultsInForce()).toEqual(before);
  });
});
