import type { Server } from 'node:http';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HttpApi } from '../../../local/http-api/server.ts';
import { closeServer } from '../../../local/services/http.ts';
import { freePorts } from '../../support/free-port.ts';
import { hostFunction, type LocalFunctionUnderTest } from '../../support/local-function.ts';

// Real processes and servers, on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

/** Answers with the event, or with whatever the request's body says. */
const CODE = `exports.handler = async (event) => {
  const body = event.body && event.headers['content-type'] === 'application/json' ? JSON.parse(event.body) : {};
  if (body.throws) throw new Error('no');
  return body.answer ?? { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(event) };
};`;

let url: string;
let port: number;
let server: Server;
let hosted: LocalFunctionUnderTest;

beforeAll(async () => {
  hosted = hostFunction(CODE, { limit: 1 });
  const target = { definition: hosted.definition, arn: 'arn', pool: hosted.pool };
  const api = new HttpApi('local', () => Date.UTC(2026, 0, 5, 6, 7, 8));
  api.addRoute('ANY /webhooks/sms', target);
  api.addRoute('GET /messages/{id}', target);
  api.addRoute('POST /any/{proxy+}', target);
  port = await freePorts();
  server = await api.listen(port);
  url = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  await closeServer(server);
  await hosted.pool.stop();
});

/** Sends headers just as given, repeated ones too. */
function send(path: string, method: string, headers: string[], body: string | Buffer): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function post(body: string | Buffer, contentType?: string): Promise<unknown> {
  const headers = ['Host', `127.0.0.1:${port}`, 'Content-Length', String(Buffer.byteLength(body))];
  return send(
    '/webhooks/sms',
    'POST',
    contentType ? [...headers, 'Content-Type', contentType] : headers,
    body,
  );
}

async function answer(result: unknown): Promise<Response> {
  return fetch(`${url}/webhooks/sms`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ answer: result }),
  });
}

describe('the event of a request, payload format 2.0', () => {
  it('has what API Gateway puts into it', async () => {
    const event = await send(
      '/webhooks/sms?a=1&b=x%20y&a=2',
      'PUT',
      [
        'Host',
        'example.test',
        'X-Custom',
        'one',
        'x-custom',
        'two',
        'Cookie',
        'a=1; b=2',
        'Content-Length',
        '2',
        'Content-Type',
        'text/plain; charset=utf-8',
      ],
      'hi',
    );
    expect(event).toEqual({
      version: '2.0',
      routeKey: 'ANY /webhooks/sms',
      rawPath: '/webhooks/sms',
      rawQueryString: 'a=1&b=x%20y&a=2',
      cookies: ['a=1', 'b=2'],
      headers: {
        host: 'example.test',
        'x-custom': 'one,two',
        'content-length': '2',
        'content-type': 'text/plain; charset=utf-8',
        'x-amzn-trace-id': expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-port': String(port),
        'x-forwarded-proto': 'http',
      },
      queryStringParameters: { a: '1,2', b: 'x y' },
      requestContext: {
        accountId: '000000000000',
        apiId: 'local',
        domainName: 'example.test',
        domainPrefix: 'local',
        http: {
          method: 'PUT',
          path: '/webhooks/sms',
          protocol: 'HTTP/1.1',
          sourceIp: '127.0.0.1',
          userAgent: '',
        },
        requestId: expect.any(String),
        routeKey: 'ANY /webhooks/sms',
        stage: '$default',
        time: '05/Jan/2026:06:07:08 +0000',
        timeEpoch: Date.UTC(2026, 0, 5, 6, 7, 8),
      },
      body: 'hi',
      isBase64Encoded: false,
    });
  });

  it.each([
    ['application/json', false],
    ['application/json; charset=utf-8', false],
    ['application/cloudevents+json', false],
    ['text/xml', false],
    ['application/x-www-form-urlencoded', true],
    ['application/octet-stream', true],
    [undefined, true],
  ])('has a body of type %s as it is or as base64', async (contentType, isBase64Encoded) => {
    const body = '{"text":"ü"}';
    expect(await post(body, contentType)).toMatchObject({
      isBase64Encoded,
      body: isBase64Encoded ? Buffer.from(body).toString('base64') : body,
    });
  });

  it('has no body for a request without one', async () => {
    const event = await send('/webhooks/sms', 'GET', ['Host', 'x'], '');
    expect(event).not.toHaveProperty('body');
    expect(event).toMatchObject({ isBase64Encoded: false, headers: { 'content-length': '0' } });
  });

  it('has path parameters', async () => {
    const one = await fetch(`${url}/messages/a%20b`);
    expect(await one.json()).toMatchObject({ routeKey: 'GET /messages/{id}', pathParameters: { id: 'a b' } });
    const greedy = await fetch(`${url}/any/x/y`, { method: 'POST' });
    expect(await greedy.json()).toMatchObject({ pathParameters: { proxy: 'x/y' } });
  });
});

describe('the answer', () => {
  it('has status, headers and cookies of the function', async () => {
    const response = await answer({
      statusCode: 201,
      headers: { 'Retry-After': 3 },
      cookies: ['a=1', 'b=2'],
      body: Buffer.from('böb').toString('base64'),
      isBase64Encoded: true,
    });
    expect([response.status, response.headers.get('retry-after'), response.headers.getSetCookie()]).toEqual([
      201,
      '3',
      ['a=1', 'b=2'],
    ]);
    expect(await response.text()).toBe('böb');
  });

  it('is the result itself when that has no status', async () => {
    const response = await answer({ plain: true });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(await response.json()).toEqual({ plain: true });
  });

  it.each([
    ['a result that makes no sense', { answer: { statusCode: 'twelve' } }],
    ['a function that throws', { throws: true }],
  ])('is a 500 for %s', async (_, body) => {
    const response = await fetch(`${url}/webhooks/sms`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([response.status, await response.json()]).toEqual([500, { message: 'Internal Server Error' }]);
  });

  it.each([
    ['GET', '/nothing'],
    ['POST', '/messages/1'],
    ['GET', '/messages/1/2'],
    ['GET', '/webhooks/sms/'],
  ])('is a 404 for %s %s', async (method, path) => {
    const response = await fetch(url + path, { method });
    expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }]);
  });

  it('is a 413 for a body over 10 MB', async () => {
    const response = await fetch(`${url}/webhooks/sms`, {
      method: 'POST',
      body: Buffer.alloc(10 * 1024 * 1024 + 1),
    });
    expect([response.status, await response.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
  });
});
