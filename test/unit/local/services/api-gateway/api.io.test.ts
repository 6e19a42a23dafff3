import { request, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSignedFetch } from '../../../../../client/index.ts';
import { closeServer } from '../../../../../local/aws-protocol/http.ts';
import { forwardedRequest } from '../../../../../local/aws-protocol/local-request.ts';
import { authorizeByIam, HttpApi } from '../../../../../local/services/api-gateway/api.ts';
import { freePorts } from '../../../../../tools/support/free-port.ts';
import { inMemoryFunction } from '../../../../support/local-lambda.ts';

/** Answers with the event, or with what the JSON of the request's body says. */
function echo(event: { body?: string; headers: Record<string, string> }): unknown {
  const isJson = event.headers['content-type'] === 'application/json';
  const body = isJson ? JSON.parse(event.body ?? '{}') : {};
  if (body.throws) throw new Error('no');
  const headers = { 'Content-Type': 'application/json' };
  return body.answer ?? { statusCode: 200, headers, body: JSON.stringify(event) };
}

const NOW = Date.UTC(2026, 0, 5, 6, 7, 8);

const target = inMemoryFunction(echo);

let url: string;
let port: number;
let server: Server;

beforeAll(async () => {
  const api = new HttpApi('local', () => NOW);
  api.addRoute('ANY /webhooks/sms', target);
  api.addRoute('ANY /webhooks/sms/{proxy+}', target);
  api.addRoute('GET /messages/{id}', target);
  api.addRoute('POST /any/{proxy+}', target);
  api.addRoute('ANY /v1/{proxy+}', target, authorizeByIam);
  port = await freePorts();
  server = await api.listen(port);
  url = `http://127.0.0.1:${port}`;
});

afterAll(() => closeServer(server));

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

/** Asks the function to do what the body says. */
const ask = (body: object) =>
  fetch(`${url}/webhooks/sms`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the event of a request, payload format 2.0', () => {
  it('has the fields of API Gateway', async () => {
    const event = await send(
      '/webhooks/sms?a=1&b=x%20y&a=2',
      'PUT',
      [
        'Host',
        'localhost',
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
        host: 'localhost',
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
        domainName: 'localhost',
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
        timeEpoch: NOW,
      },
      body: 'hi',
      isBase64Encoded: false,
    });
  });

  it.each([
    ['application/json', false],
    ['application/cloudevents+json', false],
    ['application/x-www-form-urlencoded', true],
    [undefined, true],
  ])('has a body of type %s as text or as base64', async (contentType, isBase64Encoded) => {
    const body = '{"text":"ü"}';
    expect(await post(body, contentType)).toMatchObject({
      isBase64Encoded,
      body: isBase64Encoded ? Buffer.from(body).toString('base64') : body,
    });
  });

  it('has no body for a request without one', async () => {
    const event = await send('/webhooks/sms', 'GET', ['Host', 'localhost'], '');
    expect(event).not.toHaveProperty('body');
    expect(event).toMatchObject({ isBase64Encoded: false, headers: { 'content-length': '0' } });
  });

  it.each([
    ['/any/%2B12025550143/x', '/any/+12025550143/x'],
    ['/any/100%2525', '/any/100%25'],
    ['/any/a%3Fb/c', '/any/a'],
    ['/any/%E2%82%AC', '/any/€'],
    ['/any/%zz', '/any/%zz'],
  ])('has the path %s decoded, as HTTP APIs do: %s', async (path, decoded) => {
    const event = await send(`${path}?q=%2F`, 'POST', ['Host', 'localhost'], '');
    expect(event).toMatchObject({
      rawPath: decoded,
      rawQueryString: 'q=%2F',
      pathParameters: { proxy: decoded.slice('/any/'.length) },
      requestContext: { http: { path: decoded } },
    });
  });
});

describe('a request with the header local-clock', () => {
  const at = new Date(NOW - 86_400_000).toISOString();
  const postAt = (clock: string) =>
    fetch(`${url}/webhooks/sms`, { method: 'POST', headers: { 'local-clock': clock }, body: 'hi' });

  it('runs its function at that time, which sees no such header', async () => {
    const event: unknown = await (await postAt(at)).json();
    expect(target.clockOffsetsMs.at(-1)).toBe(-86_400_000);
    expect(event).toMatchObject({ requestContext: { timeEpoch: NOW - 86_400_000 } });
    expect(event).not.toHaveProperty(['headers', 'local-clock']);
    await ask({});
    expect(target.clockOffsetsMs.at(-1)).toBeUndefined();
  });

  it('is answered with 400 where that is no time', async () => {
    const response = await postAt('yesterday');
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('local-clock: expected a time in ISO 8601');
  });
});

describe('a route with IAM authorization', () => {
  const date = '20260105T060708Z';
  const authorization = (changes: { scope?: string; headers?: string; signature?: string } = {}) =>
    `AWS4-HMAC-SHA256 Credential=AKID/${changes.scope ?? '20260105/us-east-1/execute-api/aws4_request'}, ` +
    `SignedHeaders=${changes.headers ?? 'host;x-amz-date'}, Signature=${changes.signature ?? 'ab'.repeat(32)}`;
  const askSigned = (headers: Record<string, string>) => fetch(`${url}/v1/messages/m-1?x=1`, { headers });

  it.each([
    'X-Forwarded-For',
    'x-forwarded-host',
    'Forwarded',
    'Via',
    'X-Real-IP',
    'cf-connecting-ip',
    'ngrok-trace-id',
    'Tailscale-User-Login',
  ])('rejects a signed request that a tunnel brings, which %s shows', async (header) => {
    const signed = { authorization: authorization(), 'x-amz-date': date };
    const forwarded = await askSigned({ ...signed, [header]: 'x' });
    expect([forwarded.status, await forwarded.json()]).toEqual([403, { message: forwardedRequest }]);
    expect((await fetch(`${url}/webhooks/sms`, { method: 'POST', headers: { [header]: 'x' } })).status).toBe(
      200,
    );
  });

  it('passes a signed request with its signer to the function', async () => {
    const signedFetch = createSignedFetch({
      region: 'us-east-1',
      credentials: { accessKeyId: 'AKID', secretAccessKey: 'any' },
      clock: () => NOW - 299_000,
    });
    const response = await signedFetch(`${url}/v1/messages/m-1?x=1`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      routeKey: 'ANY /v1/{proxy+}',
      requestContext: {
        authorizer: {
          iam: {
            accessKey: 'AKID',
            accountId: '000000000000',
            callerId: 'AKID',
            cognitoIdentity: null,
            principalOrgId: '',
            userArn: 'arn:aws:iam::000000000000:user/local',
            userId: 'AKID',
          },
        },
      },
    });
  });

  it.each([
    ['no signature at all', undefined, undefined],
    ['no date', authorization(), undefined],
    ['a date of six minutes ago', authorization(), '20260105T060107Z'],
    ['a date in six minutes', authorization(), '20260105T061309Z'],
    ['another day', authorization({ scope: '20260104/us-east-1/execute-api/aws4_request' }), date],
    ['another service', authorization({ scope: '20260105/us-east-1/dynamodb/aws4_request' }), date],
    ['a signature that leaves out the host', authorization({ headers: 'x-amz-date' }), date],
    ['another algorithm', authorization().replace('HMAC-SHA256', 'ECDSA-P256-SHA256'), date],
  ])('rejects %s', async (_, signature, signedAt) => {
    const response = await askSigned({
      ...(signature !== undefined && { authorization: signature }),
      ...(signedAt !== undefined && { 'x-amz-date': signedAt }),
    });
    expect([response.status, await response.json()]).toEqual([403, { message: 'Forbidden' }]);
  });

  it('accepts the valid request that the rejected ones derive from', async () => {
    expect((await askSigned({ authorization: authorization(), 'x-amz-date': date })).status).toBe(200);
    // As curl writes it.
    const curl = authorization({ headers: 'host;x-amz-content-sha256;x-amz-date' }).replaceAll(', ', ',');
    expect((await askSigned({ authorization: curl, 'x-amz-date': date })).status).toBe(200);
  });
});

describe('the answer', () => {
  it('has status, headers and cookies of the function', async () => {
    const response = await ask({
      answer: {
        statusCode: 201,
        headers: { 'Retry-After': 3 },
        cookies: ['a=1', 'b=2'],
        body: Buffer.from('böb').toString('base64'),
        isBase64Encoded: true,
      },
    });
    expect([response.status, response.headers.get('retry-after'), response.headers.getSetCookie()]).toEqual([
      201,
      '3',
      ['a=1', 'b=2'],
    ]);
    expect(await response.text()).toBe('böb');
  });

  it('without content has no body, no content type, and only with 205 a length', async () => {
    const headersOf = async (statusCode: number) => {
      const { status, headers, ...response } = await ask({ answer: { statusCode } });
      const shown = ['content-type', 'content-length', 'transfer-encoding'].map((name) => headers.get(name));
      return [status, ...shown, response];
    };
    expect(await headersOf(204)).toEqual([204, null, null, null, {}]);
    expect(await headersOf(205)).toEqual([205, null, '0', null, {}]);
    // A client reads the next answer of the same connection.
    const next = await ask({ answer: { statusCode: 204, body: 'dropped', headers: {} } });
    expect(await next.text()).toBe('');
    expect(await (await ask({ answer: { plain: true } })).json()).toEqual({ plain: true });
  });

  it('is that of the longer route for a path below the webhook, whose rest the event has decoded', async () => {
    const event = await send('/webhooks/sms/delivered/m%201', 'POST', ['Host', 'localhost'], '');
    expect(event).toMatchObject({
      routeKey: 'ANY /webhooks/sms/{proxy+}',
      pathParameters: { proxy: 'delivered/m 1' },
    });
  });

  it('is the result itself when it has no status', async () => {
    const response = await ask({ answer: { plain: true } });
    expect([response.status, await response.json()]).toEqual([200, { plain: true }]);
  });

  it.each([
    ['a result that makes no sense', { answer: { statusCode: 'twelve' } }],
    ['a function that throws', { throws: true }],
  ])('is a 500 for %s', async (_, body) => {
    const response = await ask(body);
    expect([response.status, await response.json()]).toEqual([500, { message: 'Internal Server Error' }]);
  });

  it.each([
    ['GET', '/nothing'],
    ['GET', '/messages/1/2'],
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
