import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, expect, it, vi } from 'vitest';
import { closeServer, listen, readBody, sendJson } from '../../../../local/aws-protocol/http.ts';
import { Faults } from '../../../../local/gateway/faults.ts';
import { type GatewayServer, startGatewayServer } from '../../../../local/gateway/gateway-server.ts';
import { Access } from '../../../../local/iam/access.ts';
import { type PolicyEntry, policyEntries } from '../../../../local/iam/policy.ts';
import { freePorts } from '../../../../tools/support/free-port.ts';

const key = { pk: { S: 'message#1' } };

interface Received {
  readonly request: IncomingMessage;
  readonly body: string;
}

let gateway: GatewayServer;
let service: Server;

afterEach(async () => {
  await gateway.close();
  await closeServer(service);
});

/** A gateway before a service that answers everything with `{"Item":{}}`, and settings for clients of one function. */
async function start(policy: readonly PolicyEntry[]) {
  const [servicePort, publicPort] = [await freePorts(), await freePorts()];
  const received: Received[] = [];
  service = await listen(servicePort, async (request, response) => {
    const body = await readBody(request, 10_000_000);
    received.push({ request, body: body?.toString('utf8') ?? '' });
    sendJson(response, 200, { Item: {} }, { 'content-type': 'application/x-amz-json-1.0' });
  });
  const access = new Access(
    () => {},
    () => {},
  );
  const principalArn = 'arn:aws:sts::000000000000:assumed-role/Role/Worker';
  access.set({ accessKeyId: 'Worker', label: 'worker', principalArn, policy, unusedBecause: {} });
  gateway = await startGatewayServer([{ publicPort, servicePort, isSmsService: false }], {
    access,
    secretArnOf: async (id) => id,
    faults: new Faults(),
  });
  const clientOf = (accessKeyId: string) => ({
    endpoint: `http://127.0.0.1:${publicPort}`,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey: 'any' },
    maxAttempts: 1,
  });
  return { received, clientOf };
}

const granted = policyEntries({
  Version: '2012-10-17',
  Statement: {
    Effect: 'Allow',
    Action: 'dynamodb:GetItem',
    Resource: 'arn:aws:dynamodb:us-east-1:000000000000:table/History',
  },
});

it('the gateway forwards a permitted call unchanged, and its answer', async () => {
  const { received, clientOf } = await start(granted);
  const client = new DynamoDBClient(clientOf('Worker'));
  expect(await client.send(new GetItemCommand({ TableName: 'History', Key: key }))).toMatchObject({
    Item: {},
  });
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([{ TableName: 'History', Key: key }]);
  expect(received[0]?.request.headers['x-amz-target']).toBe('DynamoDB_20120810.GetItem');
});

it("the gateway answers a call without permission with the service's AccessDenied error and does not forward it", async () => {
  const { received, clientOf } = await start(granted);
  const options = clientOf('Worker');
  const QueueUrl = `${options.endpoint}/000000000000/Events`;
  const denied = (name: string) => ({
    name,
    message: expect.stringContaining('is not authorized to perform'),
  });
  await expect(
    new DynamoDBClient(options).send(new PutItemCommand({ TableName: 'History', Item: key })),
  ).rejects.toMatchObject(denied('AccessDeniedException'));
  await expect(
    new SQSClient(options).send(
      new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: '1', MessageBody: 'x' }] }),
    ),
  ).rejects.toMatchObject(denied('AccessDenied'));
  await expect(
    new SNSClient(options).send(new PublishCommand({ TopicArn: 'arn:aws:sns:us-east-1:0:N', Message: 'x' })),
  ).rejects.toMatchObject(denied('AuthorizationErrorException'));
  await expect(
    new SecretsManagerClient(options).send(new GetSecretValueCommand({ SecretId: 'Webhook' })),
  ).rejects.toMatchObject(denied('AccessDeniedException'));
  await expect(
    new EventBridgeClient(options).send(
      new PutEventsCommand({ Entries: [{ Source: 's', DetailType: 't', Detail: '{}' }] }),
    ),
  ).rejects.toMatchObject(denied('AccessDeniedException'));
  await expect(
    new LambdaClient(options).send(new InvokeCommand({ FunctionName: 'Setup' })),
  ).rejects.toMatchObject(denied('AccessDeniedException'));
  expect(received).toEqual([]);
});

it('the gateway forwards every call of a client that is not a function', async () => {
  const { received, clientOf } = await start([]);
  const client = new DynamoDBClient(clientOf('person'));
  const Item = { ...key, text: { S: 'x'.repeat(300_000) } };
  await client.send(new PutItemCommand({ TableName: 'History', Item }));
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([{ TableName: 'History', Item }]);
});

it('the gateway logs nothing when a caller dies while it sends', async () => {
  const { received, clientOf } = await start(granted);
  const options = clientOf('Worker');
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const socket = connect(Number(new URL(options.endpoint).port), '127.0.0.1');
  socket.write(
    [
      'POST / HTTP/1.1',
      'host: 127.0.0.1',
      'authorization: AWS4-HMAC-SHA256 Credential=Worker/20260115/us-east-1/dynamodb/aws4_request',
      'x-amz-target: DynamoDB_20120810.GetItem',
      'content-length: 1000',
      // Answered at once: then the gateway waits for the rest.
      'expect: 100-continue',
      '',
      '{"TableName":',
    ].join('\r\n'),
  );
  await once(socket, 'data');
  socket.destroy();
  await new DynamoDBClient(options).send(new GetItemCommand({ TableName: 'History', Key: key }));
  expect(received).toHaveLength(1);
  expect(logged).not.toHaveBeenCalled();
  logged.mockRestore();
});

it('the gateway hangs up when the service does not listen', async () => {
  const { clientOf } = await start(granted);
  const client = new DynamoDBClient(clientOf('Worker'));
  await closeServer(service);
  await expect(client.send(new GetItemCommand({ TableName: 'History', Key: key }))).rejects.toMatchObject({
    code: 'ECONNRESET',
  });
  service = await listen(await freePorts(), () => {});
});
