import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendJson } from '../../../../local/aws-protocol/http.ts';
import { allow, callerOf, startGateway } from '../../../support/gateway.ts';

let gateway: Awaited<ReturnType<typeof startGateway>>;

beforeEach(async () => {
  const policy = allow('dynamodb:GetItem', '*');
  gateway = await startGateway(
    (request, response) => {
      request.resume();
      sendJson(response, 200, { Item: {} }, { 'content-type': 'application/x-amz-json-1.0' });
    },
    ...['worker', 'query'].map((label) => callerOf(label, policy)),
  );
});

afterEach(() => gateway.stop());

/** Calls of a function over one client. */
function ask(accessKeyId: string) {
  const client = new DynamoDBClient(gateway.clientOf(accessKeyId));
  const getItem = new GetItemCommand({ TableName: 'History', Key: { pk: { S: 'message#1' } } });
  return (abortSignal?: AbortSignal) => client.send(getItem, abortSignal ? { abortSignal } : {});
}

const control = (method: string, connections?: readonly object[]) =>
  gateway.control(method, 'connections', connections && { connections });

it('a fault closes the connections of one function, which opens new ones', async () => {
  const [worker, query] = [ask('Worker'), ask('Query')];
  await worker();
  await query();
  const state = { connections: [{ caller: 'worker', fate: 'close', hit: 1, requestsLost: 0 }] };
  expect(await control('PUT', [{ caller: 'worker', fate: 'close' }])).toEqual(state);
  await worker();
  await query();
  expect(await control('GET')).toEqual(state);
});

it('a fault resets a connection at its next request', async () => {
  const worker = ask('Worker');
  await worker();
  await control('PUT', [{ caller: 'worker', fate: 'reset' }]);
  await expect(worker()).rejects.toMatchObject({ code: 'ECONNRESET' });
  await worker();
  expect(await control('GET')).toMatchObject({ connections: [{ hit: 1, requestsLost: 1 }] });
});

it('a fault leaves a request on a lost connection without an answer', async () => {
  const worker = ask('Worker');
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
