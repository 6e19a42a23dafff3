import type { Server } from 'node:http';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { closeServer, listen, readBody, sendJson } from '../../../../local/aws-protocol/http.ts';
import { CallCounts } from '../../../../local/gateway/call-counts.ts';
import { Faults } from '../../../../local/gateway/faults.ts';
import { type GatewayServer, startGatewayServer } from '../../../../local/gateway/gateway-server.ts';
import { Access } from '../../../../local/iam/access.ts';
import { policyEntries } from '../../../../local/iam/policy.ts';
import { freePorts } from '../../../../tools/support/free-port.ts';
import { until } from '../../../../tools/support/until.ts';

const policy = policyEntries({
  Version: '2012-10-17',
  Statement: { Effect: 'Allow', Action: 'sqs:*', Resource: '*' },
});
const QueueUrl = 'http://127.0.0.1:1/000000000000/Events';

let service: Server;
let gateway: GatewayServer;
let endpoint: string;
/** The answer of the service. */
let status = 200;
const requestBytes: number[] = [];

beforeEach(async () => {
  const first = await freePorts(2);
  status = 200;
  requestBytes.length = 0;
  service = await listen(first, async (request, response) => {
    requestBytes.push((await readBody(request, 1_000_000))?.length ?? Number.NaN);
    sendJson(response, status, {}, { 'content-type': 'application/x-amz-json-1.0' });
  });
  const access = new Access(
    () => {},
    () => {},
  );
  const principalArn = 'arn:aws:sts::000000000000:assumed-role/Role/Worker';
  access.set({ accessKeyId: 'Worker', label: 'worker', principalArn, policy, unusedBecause: {} });
  gateway = await startGatewayServer([{ publicPort: first + 1, servicePort: first, isSmsService: false }], {
    access,
    secretArnOf: async (id) => id,
    faults: new Faults(),
  });
  endpoint = `http://127.0.0.1:${first + 1}`;
});

afterEach(async () => {
  await gateway.close();
  await closeServer(service);
});

const callsSchema = z.object({ calls: z.array(z.record(z.string(), z.unknown())) });
const counted = async () => callsSchema.parse(await (await fetch(`${endpoint}/local/calls`)).json());
const settings = (accessKeyId: string) => ({
  ...{ endpoint, region: 'us-east-1', maxAttempts: 1, useQueueUrlAsEndpoint: false, md5: false as const },
  credentials: { accessKeyId, secretAccessKey: 'any' },
});

it('the gateway counts the calls of a function and its poller with their bytes, and no other calls', async () => {
  const send = (MessageBody: string) => new SendMessageCommand({ QueueUrl, MessageBody });
  const worker = new SQSClient(settings('Worker'));
  await worker.send(send('x'));
  await worker.send(send('x'.repeat(64 * 1024)));
  await new SQSClient(settings('WorkerPoller')).send(new ReceiveMessageCommand({ QueueUrl }));
  await new SQSClient(settings('person')).send(send('x'));
  const [first = 0, second = 0, receive = 0] = requestBytes;
  expect(second).toBeGreaterThan(64 * 1024);
  await until('all are counted', async () => (await counted()).calls.length === 2);
  expect(await counted()).toEqual({
    calls: [
      {
        ...{ caller: 'worker poller', service: 'sqs', operation: 'ReceiveMessage', calls: 1, failed: 0 },
        ...{ requestBytes: receive, requestChunks: 1, answerBytes: 2 },
      },
      {
        ...{ caller: 'worker', service: 'sqs', operation: 'SendMessage', calls: 2, failed: 0 },
        ...{ requestBytes: first + second, requestChunks: 3, answerBytes: 4 },
      },
    ],
  });
});

it('the gateway counts calls that the service refused as failed, and does not count calls that never reached it', async () => {
  status = 400;
  const receive = new ReceiveMessageCommand({ QueueUrl });
  await expect(new SQSClient(settings('Worker')).send(receive)).rejects.toThrow();
  const denied = new GetItemCommand({ TableName: 'History', Key: { pk: { S: 'message#1' } } });
  await expect(new DynamoDBClient(settings('Worker')).send(denied)).rejects.toThrow('not authorized');
  const body = JSON.stringify({ faults: [{ service: 'sqs', kind: 'throttle' }] });
  await fetch(`${endpoint}/local/faults`, { method: 'PUT', body });
  await expect(new SQSClient(settings('Worker')).send(receive)).rejects.toThrow();
  await until('it is counted', async () => (await counted()).calls.length > 0);
  const [only, ...others] = (await counted()).calls;
  expect(only).toMatchObject({ operation: 'ReceiveMessage', calls: 1, failed: 1 });
  expect(others).toEqual([]);
});

it('a call without an answer counts as failed, and as one chunk even with an empty body', () => {
  const counts = new CallCounts();
  const call = { caller: undefined, service: 'sms-service', operation: 'GET /v1/account/webhook' } as const;
  counts.add(call, { requestBytes: 0, answerBytes: 0, status: undefined });
  expect(counts.state.calls).toEqual([
    {
      ...{ caller: 'unknown', service: 'sms-service', operation: 'GET /v1/account/webhook' },
      ...{ calls: 1, failed: 1, requestBytes: 0, requestChunks: 1, answerBytes: 0 },
    },
  ]);
});
