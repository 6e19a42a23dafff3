import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, it } from 'vitest';
import { clientSettings } from '../../../functions/adapters/client-settings.ts';
import { concurrentWrites } from '../../../functions/worker/store-batch.ts';
import { freePorts } from '../../support/free-port.ts';

const sockets = new Set<Socket>();
let waiting: (() => void)[] = [];
let allAreHere: () => void = () => {};
let awaited = 0;

/** A database that answers when as many calls as awaited are under way. */
const database = createServer((request, response) => {
  request.resume();
  waiting.push(() => response.end('{}'));
  if (waiting.length === awaited) allAreHere();
});
database.on('connection', (socket: Socket) => sockets.add(socket));

afterEach(() => {
  database.closeAllConnections();
  database.close();
});

it('a client has a connection for each write that the worker has under way, and keeps it', async () => {
  const port = await freePorts();
  await new Promise<void>((resolve) => database.listen(port, '127.0.0.1', resolve));
  const client = new DynamoDBClient({
    ...clientSettings,
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  });
  /** Besides its writes the worker reads the state of the webhook, and writes to it. */
  awaited = concurrentWrites + 2;
  for (let round = 0; round < 3; round += 1) {
    const here = new Promise<void>((resolve) => {
      allAreHere = resolve;
    });
    const calls = Array.from({ length: awaited }, () =>
      client.send(new GetItemCommand({ TableName: 'history', Key: { pk: { S: 'message#1' } } })),
    );
    // Calls without a connection are given up after a time.
    await Promise.race([here, Promise.all(calls)]);
    const answers = waiting;
    waiting = [];
    for (const answer of answers) answer();
    await Promise.all(calls);
  }
  expect(sockets.size).toBe(awaited);
  client.destroy();
});
