import { once } from 'node:events';
import { Agent, createServer, request, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeStaleConnections } from '../../../../functions/base/handler-settings.ts';

const maxIdleMs = 5_000;

let now: number;
let agent: Agent;
let url: string;
/** Connections by the order in which they were made. */
let connections: Socket[];
/** Connections on which the server leaves requests without an answer. */
let lost: Set<Socket>;
/** Answers that the server holds back. */
let held: ServerResponse[];
let holds: number;

const server = createServer((incoming, response) => {
  if (lost.has(incoming.socket)) {
    if (incoming.headers['x-reset'] === 'yes') incoming.socket.resetAndDestroy();
    return;
  }
  held.push(response);
  if (held.length >= holds) for (const each of held.splice(0)) each.end();
});

beforeEach(async () => {
  now = Date.parse('2026-01-15T12:00:00.000Z');
  connections = [];
  lost = new Set();
  held = [];
  holds = 1;
  agent = closeStaleConnections(new Agent({ keepAlive: true }), maxIdleMs, () => now);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
});

server.on('connection', (socket: Socket) => connections.push(socket));

afterEach(async () => {
  agent.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Resolves when the connection is idle again. @returns the number of the connection */
async function ask(headers: Record<string, string> = {}): Promise<number> {
  const sent = request(url, { agent, headers }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  const socket = sent.socket;
  await once(sent, 'close');
  return connections.findIndex(({ remotePort }) => remotePort === socket?.localPort);
}

/** Asks so many times at once, so that as many connections are idle afterwards. */
async function askAtOnce(count: number): Promise<void> {
  holds = count;
  await Promise.all(Array.from({ length: count }, () => ask()));
  holds = 1;
}

it('a connection that has been idle for a short time is used again', async () => {
  await ask();
  now += maxIdleMs;
  expect(await ask()).toBe(0);
  expect(connections).toHaveLength(1);
});

it('a connection that has been idle for too long is closed, and the request goes on a new one', async () => {
  await ask();
  now += maxIdleMs + 1;
  await ask();
  expect(connections).toHaveLength(2);
  expect(agent.freeSockets).toMatchObject({ [Object.keys(agent.freeSockets)[0] ?? '']: { length: 1 } });
});

it('all connections that have been idle for too long are closed at the first use of one', async () => {
  await askAtOnce(20);
  now += 3_600_000;
  for (const socket of connections) lost.add(socket);
  await askAtOnce(20);
  expect(connections).toHaveLength(40);
});

it('each connection counts by its own last use', async () => {
  await askAtOnce(2);
  now += maxIdleMs - 1;
  await ask();
  now += 2;
  await askAtOnce(2);
  expect(connections).toHaveLength(3);
});

it('connections are closed when the clock was set back', async () => {
  await ask();
  now -= 1;
  await ask();
  expect(connections).toHaveLength(2);
});

it('after a request that failed on an idle connection no other idle connection is used', async () => {
  await askAtOnce(20);
  for (const socket of connections) lost.add(socket);
  await expect(ask({ 'x-reset': 'yes' })).rejects.toMatchObject({ code: 'ECONNRESET' });
  await ask();
  expect(connections).toHaveLength(21);
});

it('after a request that was given up on an idle connection no other idle connection is used', async () => {
  await askAtOnce(20);
  for (const socket of connections) lost.add(socket);
  const hanging = request(url, { agent }).end();
  const failed = once(hanging, 'error');
  hanging.destroy(new Error('no answer'));
  await failed.catch(() => undefined);
  await ask();
  expect(connections).toHaveLength(21);
});

it('after a request that failed on a new connection the idle ones are kept', async () => {
  await askAtOnce(2);
  const refused = request('http://127.0.0.1:1/', { agent }).end();
  await expect(once(refused, 'response')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await askAtOnce(2);
  expect(connections).toHaveLength(2);
});
