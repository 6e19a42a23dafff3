import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeServer, listen, sendJson } from '../../../../local/aws-protocol/http.ts';
import { Faults } from '../../../../local/gateway/faults.ts';
import { type GatewayServer, startGatewayServer } from '../../../../local/gateway/gateway-server.ts';
import { Access } from '../../../../local/iam/access.ts';
import { policyEntries } from '../../../../local/iam/policy.ts';
import { freePorts } from '../../../../tools/support/free-port.ts';

let gateway: GatewayServer;
let service: Awaited<ReturnType<typeof listen>>;
let url: string;

const policy = policyEntries({
  Version: '2012-10-17',
  Statement: {
    Effect: 'Allow',
    Action: 'dynamodb:GetItem',
    Resource: 'arn:aws:dynamodb:us-east-1:000000000000:table/History',
  },
});

beforeEach(async () => {
  const [servicePort, publicPort] = [await freePorts(), await freePorts()];
  service = await listen(servicePort, (request, response) => {
    request.resume();
    sendJson(response, 200, { Item: {} }, { 'content-type': 'application/x-amz-json-1.0' });
  });
  const access = new Access(
    () => {},
    () => {},
  );
  for (const label of ['worker', 'query']) {
    const principalArn = `arn:aws:sts::000000000000:assumed-role/Role/${label}`;
    access.set({ accessKeyId: label, label, principalArn, policy, unusedBecause: {} });
  }
  gateway = await startGatewayServer([{ publicPort, servicePort, isSmsService: false }], {
    access,
    secretArnOf: async (id) => id,
    faults: new Faults(),
  });
  url = `http://127.0.0.1:${publicPort}`;
});

afterEach(async () => {
  await gateway.close();
  await closeServer(service);
});

/** A function's client, which makes one attempt. */
function ask(label: string) {
  const client = new DynamoDBClient({
    endpoint: url,
    region: 'us-east-1',
    credentials: { accessKeyId: label, secretAccessKey: 'any' },
    maxAttempts: 1,
  });
  return (abortSignal?: AbortSignal) =>
    client.send(
      new GetItemCommand({ TableName: 'History', Key: { pk: { S: 'message#1' } } }),
      abortSignal ? { abortSignal } : {},
    );
}

async function control(method: string, connections?: readonly object[]): Promise<unknown> {
  const body = connections ? { body: JSON.stringify({ connections }) } : {};
  return (await fetch(`${url}/local/connections`, { method, ...body })).json();
}

it('a fault closes the connections of one function, which opens new ones', async () => {
  const [worker, query] = [ask('worker'), ask('query')];
  await worker();
  await query();
  const state = { connections: [{ caller: 'worker', fate: 'close', hit: 1, requestsLost: 0 }] };
  expect(await control('PUT', [{ caller: 'worker', fate: 'close' }])).toEqual(state);
  await worker();
  await query();
  expect(await control('GET')).toEqual(state);
});

it('a fault resets a connection at its next request', async () => {
  const worker = ask('worker');
  await worker();
  await control('PUT', [{ caller: 'worker', fate: 'reset' }]);
  await expect(worker()).rejects.toMatchObject({ code: 'ECONNRESET' });
  await worker();
  expect(await control('GET')).toMatchObject({ connections: [{ hit: 1, requestsLost: 1 }] });
});

it('a fault leaves a request on a lost connection without an answer', async () => {
  const worker = ask('worker');
  await worker();
  await control('PUT', [{ caller: 'worker', fate: 'lose' }]);
  const aborter = new AbortController();
  const asked = expect(worker(aborter.signal)).rejects.toMatchObject({ name: 'AbortError' });
  await expect
    .poll(() => control('GET'), { timeout: 90_000 })
    .toMatchObject({ connections: [{ requestsLost: 1 }] });
  aborter.abort();
  await asked;
  await worker();
});

it('the gateway reports invalid connection faults', async () => {
  expect(await control('PUT', [{ caller: 'worker', fate: 'burn' }])).toEqual({
    message: expect.stringContaining('connections.0.fate'),
  });
});
