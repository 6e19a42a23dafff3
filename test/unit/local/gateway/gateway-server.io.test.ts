import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readBody, sendJson } from '../../../../local/aws-protocol/http.ts';
import { until } from '../../../../tools/support/until.ts';
import { allow, callerOf, startGateway } from '../../../support/gateway.ts';

interface Received {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** The calls that reached the service. */
const received: Received[] = [];
/** Emits `call` for each of them. */
const arrivals = new EventEmitter();
/** Holds the service's answers back while it is unresolved. */
let mayAnswer = Promise.resolve();
/** The status of the service's answers. */
let status = 200;
let answered = 0;
let gateway: Awaited<ReturnType<typeof startGateway>>;

beforeAll(async () => {
  const worker = callerOf('worker', [...allow(['dynamodb:GetItem', 'sqs:*'], '*')]);
  gateway = await startGateway(async (request, response) => {
    received.push({ request, body: String(await readBody(request, 10_000_000)) });
    arrivals.emit('call');
    await mayAnswer;
    answered += 1;
    sendJson(response, status, { Item: {} }, { 'content-type': 'application/x-amz-json-1.0' });
  }, worker);
});

afterAll(() => gateway.stop());

beforeEach(async () => {
  await gateway.control('DELETE', 'faults');
  received.length = 0;
  answered = 0;
  status = 200;
  mayAnswer = Promise.resolve();
});

const key = { pk: { S: 'message#1' } };
const QueueUrl = 'http://127.0.0.1:1/000000000000/Events';
const dynamodb = (accessKeyId: string) => new DynamoDBClient(gateway.clientOf(accessKeyId));
const sqs = (accessKeyId: string) =>
  new SQSClient({ ...gateway.clientOf(accessKeyId), useQueueUrlAsEndpoint: false, md5: false });
const getItem = new GetItemCommand({ TableName: 'History', Key: key });
const getAsWorker = () => dynamodb('Worker').send(getItem);
const setFaults = (...faults: object[]) => gateway.control('PUT', 'faults', { faults });
const faultsInForce = async () => JSON.stringify(await gateway.control('GET', 'faults'));

describe('the gateway', () => {
  it('forwards a permitted call unchanged, and its answer', async () => {
    expect(await getAsWorker()).toMatchObject({ Item: {} });
    expect(received.map(({ body }) => JSON.parse(body))).toEqual([{ TableName: 'History', Key: key }]);
    expect(received[0]?.request.headers['x-amz-target']).toBe('DynamoDB_20120810.GetItem');
  });

  it("answers a call without permission with the service's AccessDenied error and does not forward it", async () => {
    await expect(
      dynamodb('Worker').send(new PutItemCommand({ TableName: 'History', Item: key })),
    ).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining('is not authorized to perform: dynamodb:PutItem'),
    });
    expect(received).toEqual([]);
  });
});

describe('a fault', () => {
  it('answers the calls of functions and pollers with its error, and no other calls', async () => {
    await setFaults({ service: 'dynamodb', kind: 'fail' }, { service: 'sqs', kind: 'throttle' });
    await expect(getAsWorker()).rejects.toMatchObject({ name: 'InternalServerError' });
    const receive = new ReceiveMessageCommand({ QueueUrl });
    await expect(sqs('WorkerPoller').send(receive)).rejects.toMatchObject({ name: 'RequestThrottled' });
    expect(received).toEqual([]);
    for (const accessKeyId of ['person', 'Poller']) await dynamodb(accessKeyId).send(getItem);
    expect(received).toHaveLength(2);
  });

  it('of the SMS service hits its operation, with any query, and never the addresses of the sandbox', async () => {
    await setFaults({ service: 'sms-service', operation: 'GET /v1/account/webhook', kind: 'fail' });
    const ask = async (method: string, path: string) =>
      (await fetch(gateway.smsServiceUrl + path, { method })).status;
    expect(await ask('GET', '/v1/account/webhook?some=query')).toBe(500);
    expect(await ask('PUT', '/v1/account/webhook')).toBe(200);
    await setFaults({ service: 'sms-service', kind: 'fail' });
    expect(await ask('GET', '/sandbox/state')).toBe(200);
  });

  it('resets the connection before the service receives the call', async () => {
    await setFaults({ service: 'dynamodb', kind: 'reset', calls: 1 });
    await expect(getAsWorker()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(received).toEqual([]);
  });

  it('drops an answer: it resets the connection after the service has answered', async () => {
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

  it('leaves a call hanging until its client hangs up, which is counted', async () => {
    await setFaults({ service: 'dynamodb', kind: 'hang' });
    const abandoning = new AbortController();
    const call = dynamodb('Worker').send(getItem, { abortSignal: abandoning.signal });
    await until('it hangs', async () => (await faultsInForce()).includes('"hit":1'));
    abandoning.abort();
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    await until('it is counted', async () => (await faultsInForce()).includes('"abandoned":1'));
    expect(received).toEqual([]);
  });
});
