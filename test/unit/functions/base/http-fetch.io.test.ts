import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createRawServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { createEventReceiver } from '../../../../functions/automations/forward/event-receiver-client.ts';
import {
  createHttpFetch,
  FetchError,
  type HttpFetch,
  type HttpInit,
} from '../../../../functions/base/http-client.ts';
import { until } from '../../../../tools/support/until.ts';
import { describeHttpFetch } from '../../../support/suites/http-fetch.ts';
import { startScriptedServer } from './sms-service/scripted-server.ts';

describeHttpFetch('the HTTP client', async (script, expire) => {
  const server = await startScriptedServer(script, expire);
  onTestFinished(() => server.close());
  return { ...server, fetch: createHttpFetch(Date.now) };
});

const time = Date.parse('2026-01-15T12:00:00.000Z');

type Answer = (request: IncomingMessage, response: ServerResponse, count: number) => void;

/** A server that counts requests and connections; closed after the test. */
async function start(answer: Answer) {
  const connections: Socket[] = [];
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    count += 1;
    answer(request, response, count);
  });
  server.on('connection', (socket) => connections.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  return { url: `http://127.0.0.1:${port}/path`, connections, requests: () => count };
}

/** Posts an event through this `fetch`. */
const postEvent = (url: string, fetch: HttpFetch) =>
  createEventReceiver(url, {
    fetch,
    timeoutSignal: () => new AbortController().signal,
    clock: () => time,
  }).post(new TextEncoder().encode('{}'), {});

const post: HttpInit = {
  method: 'POST',
  headers: { 'content-type': 'text/plain' },
  body: 'é',
  signal: new AbortController().signal,
  redirect: 'manual',
};

async function textOf(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

it.each(['POST', 'PUT', 'DELETE', 'PATCH'])(
  'the HTTP client sends a %s body with its length',
  async (method) => {
    const { url } = await start(async (request, response) => {
      response.end(`${request.headers['content-length']} ${request.headers['content-type']}`);
    });
    const { status, body } = await createHttpFetch(() => time)(url, { ...post, method });
    expect([status, await textOf(body)]).toEqual([200, '2 text/plain']);
  },
);

it('the connection of a small answer whose body is discarded is used again', async () => {
  const { url, connections } = await start((_, response) => response.end('x'.repeat(60_000)));
  const fetch = createHttpFetch(() => time);
  await until('a request needs no new connection', async () => {
    const { length } = connections;
    const { body } = await fetch(url, post);
    await body?.cancel();
    return connections.length === length;
  });
});

it('the HTTP client uses no connection that has been idle for longer than servers keep one', async () => {
  let now = time;
  const { url, connections } = await start((_, response) => response.end());
  const fetch = createHttpFetch(() => now);
  const ask = async () => textOf((await fetch(url, post)).body);
  await ask();
  now += 4_000;
  await ask();
  expect(connections).toHaveLength(1);
  now += 4_001;
  await ask();
  expect(connections).toHaveLength(2);
});

it('the HTTP client names the system error, and whether an idle connection was lost', async () => {
  const fetch = createHttpFetch(() => time);
  const { url } = await start((request, response, count) =>
    count === 2 ? request.socket.resetAndDestroy() : response.end(),
  );
  await textOf((await fetch(url, post)).body);
  await expect(fetch(url, post)).rejects.toMatchObject({ wasIdle: true, cause: { code: 'ECONNRESET' } });
  await expect(fetch('http://127.0.0.1:1/', post)).rejects.toMatchObject({
    wasIdle: false,
    cause: { code: 'ECONNREFUSED' },
  });
});

it.each([
  ['again, where the connection was lost that had been idle', true, 2, { kind: 'answered', status: 204 }],
  ['once, where it was a new one', false, 1, { kind: 'network', code: 'ECONNRESET' }],
])('an event is posted %s', async (_, wasIdle, attempts, outcome) => {
  const { url } = await start((_request, response) => response.writeHead(204).end());
  const lost = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  const fetch = createHttpFetch(() => time);
  let made = 0;
  const posted = await postEvent(url, async (...request) => {
    made += 1;
    if (made === 1) throw new FetchError(lost, wasIdle);
    return fetch(...request);
  });
  expect(posted).toMatchObject(outcome);
  expect(made).toBe(attempts);
});

it('an event is posted at most twice', async () => {
  const lost = new FetchError(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }), true);
  let made = 0;
  const posted = await postEvent('https://receiver.test/', () => {
    made += 1;
    return Promise.reject(lost);
  });
  expect(posted).toEqual({ kind: 'network', code: 'EPIPE' });
  expect(made).toBe(2);
});

it('an answer that switches protocols is an error, though Node.js emits neither a response nor an error', async () => {
  const server = createRawServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => void (await new Promise((resolve) => server.close(resolve))));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : '';
  const posted = await postEvent(
    `http://127.0.0.1:${port}/`,
    createHttpFetch(() => time),
  );
  expect(posted).toEqual({ kind: 'network', code: 'NO_RESPONSE' });
});

it.each([
  ['with its length', { 'content-length': String(64 * 1024 * 1024) }],
  ['without its length', {}],
])('a large answer to an event, sent %s, is not downloaded', async (_, headers) => {
  let finished: (isSent: boolean) => void = () => undefined;
  const sent = new Promise<boolean>((resolve) => {
    finished = resolve;
  });
  const { url } = await start((_request, response) => {
    response.on('close', () => finished(response.writableFinished));
    response.writeHead(200, headers);
    Readable.from(Array.from({ length: 1024 }, () => Buffer.alloc(64 * 1024))).pipe(response);
  });
  const posted = await postEvent(
    url,
    createHttpFetch(() => time),
  );
  expect(posted).toMatchObject({ status: 200 });
  expect(await sent).toBe(false);
});
