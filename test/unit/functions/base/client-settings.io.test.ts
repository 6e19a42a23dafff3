import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clientSettings } from '../../../../functions/base/handler-settings.ts';
import { concurrentWrites } from '../../../../functions/receive/worker/store-batch.ts';

/** As many connections as a client of the SDK keeps. */
const maxConnections = 50;

let client: DynamoDBClient;
let connections: Set<Socket>;
/** Connections that the database resets at the next request. */
let dead: Set<Socket>;
let waiting: ServerResponse[];
let awaited: number;

/** A database that answers when as many calls as awaited are under way. */
const database = createServer((request, response) => {
  if (dead.has(request.socket)) {
    request.socket.resetAndDestroy();
    return;
  }
  request.resume();
  waiting.push(response);
  if (waiting.length < awaited) return;
  for (const each of waiting.splice(0)) each.end('{}');
});
database.on('connection', (socket: Socket) => connections.add(socket));

beforeEach(async () => {
  connections = new Set();
  dead = new Set();
  waiting = [];
  database.listen(0, '127.0.0.1');
  await once(database, 'listening');
  const address = database.address();
  client = new DynamoDBClient({
    ...clientSettings,
    // Here calls wait for each other, on a machine with much else to do.
    requestHandler: { ...clientSettings.requestHandler, connectionTimeout: 60_000, requestTimeout: 60_000 },
    endpoint: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  });
});

afterEach(async () => {
  client.destroy();
  database.closeAllConnections();
  await new Promise((resolve) => database.close(resolve));
});

/** Makes so many calls, which are all under way at once before the first is answered. */
async function callAtOnce(count: number): Promise<void> {
  awaited = count;
  const call = () =>
    client.send(new GetItemCommand({ TableName: 'history', Key: { pk: { S: 'message#1' } } }));
  await Promise.all(Array.from({ length: count }, call));
}

it('an AWS client has a connection for each concurrent write of the worker, and keeps it', async () => {
  /** Besides its writes the worker reads the state of the webhook, and writes to it. */
  const count = concurrentWrites + 2;
  for (const _ of [1, 2, 3]) await callAtOnce(count);
  expect(connections.size).toBe(count);
});

it('the writes of the worker succeed at their second attempt when all connections of the client are dead', async () => {
  await callAtOnce(maxConnections);
  dead = new Set(connections);
  await callAtOnce(concurrentWrites);
  expect(connections.size).toBe(maxConnections + concurrentWrites);
});
