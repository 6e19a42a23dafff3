import { expect, it, type MockInstance, onTestFinished, vi } from 'vitest';
import {
  answer,
  breakOff,
  type Step,
  startScriptedServer,
} from '../functions/base/sms-service/scripted-server.ts';

async function fanOut(old: Step, pipeline: Step) {
  const server = await startScriptedServer(
    { 'POST /old': [old], 'POST /pipeline': [pipeline], 'GET /old': [old], 'GET /pipeline': [pipeline] },
    () => undefined,
  );
  const errors = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { handler } = await load(`${server.url}/old`, `${server.url}/pipeline`);
  onTestFinished(async () => {
    errors.mockRestore();
    await server.close();
  });
  return { handler, requests: server.requests, errors };
}

/** Starts the function with these addresses. */
function load(oldUrl: string, pipelineUrl: string) {
  vi.stubEnv('OLD_URL', oldUrl);
  vi.stubEnv('PIPELINE_URL', pipelineUrl);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.resetModules();
  return import('../../../examples/fan-out/handler.ts');
}

/** The system and the reason of each logged line. */
const logged = (errors: MockInstance<typeof console.error>) =>
  errors.mock.calls.map(([line]) => {
    const { system, reason } = JSON.parse(line);
    return [system, reason];
  });

const body = '{"id":"msg-1" , "name":"José"}';
const event = {
  body: Buffer.from(body).toString('base64'),
  isBase64Encoded: true,
  headers: { 'Content-Type': 'application/json', 'X-Signature': 'v1,abc', Host: 'old.example.com' },
  rawQueryString: 'attempt=1',
  requestContext: { http: { method: 'POST' } },
};

it('passes the bytes, the signature and the query on to both systems, and answers what the old one answered', async () => {
  const { handler, requests, errors } = await fanOut(answer(202, 'noted'), answer(200, {}));
  expect(await handler(event)).toMatchObject({ statusCode: 202, body: 'noted' });
  expect(requests.map(({ path }) => path).sort()).toEqual(['/old?attempt=1', '/pipeline?attempt=1']);
  for (const request of requests) {
    expect(request.body).toBe(body);
    expect(request.headers).toMatchObject({ 'x-signature': 'v1,abc', 'content-type': 'application/json' });
    expect(request.headers.host).not.toBe('old.example.com');
  }
  expect(errors).not.toHaveBeenCalled();
});

it.each([
  [401, answer(401, {})],
  ['TypeError', breakOff],
])(
  'answers what the old system answered when the pipeline fails (%s), and logs no content',
  async (reason, step) => {
    const { handler, errors } = await fanOut(answer(200, 'ok'), step);
    expect(await handler(event)).toMatchObject({ statusCode: 200, body: 'ok' });
    expect(logged(errors)).toEqual([['pipeline', reason]]);
    expect(errors.mock.calls.join()).not.toMatch(/msg-1|127\.0\.0\.1/);
  },
);

it('lets the service send again when the old system cannot be reached, and logs that', async () => {
  const { handler, requests, errors } = await fanOut(breakOff, answer(200, {}));
  expect(await handler(event)).toEqual({ statusCode: 503, body: '' });
  expect(requests).toHaveLength(2);
  expect(logged(errors)).toEqual([['old system', 'TypeError']]);
});

it('logs both systems if both reject a request', async () => {
  const { handler, errors } = await fanOut(answer(500, 'msg-1'), answer(401, {}));
  expect(await handler(event)).toMatchObject({ statusCode: 500 });
  expect(logged(errors)).toEqual([
    ['old system', 500],
    ['pipeline', 401],
  ]);
  expect(errors.mock.calls.join()).not.toMatch(/msg-1|127\.0\.0\.1/);
});

it.each([
  ['OLD_URL', '', 'https://pipeline.example.com'],
  ['PIPELINE_URL', 'https://old.example.com', 'pipeline.example.com:443/webhooks'],
  // Numbers and texts would travel in the clear.
  ['OLD_URL', 'http://old.example.com', 'https://pipeline.example.com'],
  ['PIPELINE_URL', 'https://old.example.com', 'http://127.0.0.1.example.com/webhooks'],
])('does not start without a URL in %s', async (variable, oldUrl, pipelineUrl) => {
  await expect(load(oldUrl, pipelineUrl)).rejects.toThrow(`Set ${variable} to a URL`);
});

it.each([
  ['OLD_URL', 'https://old.example.com/sms?key=1', 'https://pipeline.example.com/webhooks/sms'],
  ['PIPELINE_URL', 'https://old.example.com/sms', 'https://pipeline.example.com/webhooks/sms?token=secret'],
  ['PIPELINE_URL', 'https://old.example.com/sms', 'https://user:secret@pipeline.example.com/webhooks/sms'],
])(
  'does not start with a secret in %s, which every request would get',
  async (variable, oldUrl, pipelineUrl) => {
    await expect(load(oldUrl, pipelineUrl)).rejects.toThrow(
      `Remove the query, the user and the password from ${variable}`,
    );
  },
);

it.each([
  { Expect: '100-continue' },
  { Upgrade: 'h2c' },
  { 'Keep-Alive': 'timeout=5' },
  { Connection: 'keep-alive, X-Hop', 'X-Hop': '1' },
  { TE: 'trailers', Trailer: 'X-Sum', 'Transfer-Encoding': 'chunked' },
  { 'Proxy-Authorization': 'Basic abc', 'Proxy-Connection': 'keep-alive' },
  { 'Content-Length': '1' },
  { 'X-Name': 'José \u0100' },
  { 'X Name': 'a' },
])('passes a request on without a header that it cannot send: %j', async (odd) => {
  const { handler, requests, errors } = await fanOut(answer(200, 'ok'), answer(200, {}));
  expect(await handler({ ...event, headers: { ...event.headers, ...odd } })).toMatchObject({
    statusCode: 200,
  });
  expect(requests.map(({ path }) => path).sort()).toEqual(['/old?attempt=1', '/pipeline?attempt=1']);
  const left = Object.keys(odd).map((name) => name.toLowerCase());
  for (const request of requests) {
    expect(request.body).toBe(body);
    expect(request.headers).toMatchObject({ 'x-signature': 'v1,abc' });
    for (const [name, value] of Object.entries(request.headers))
      expect(left.includes(name) && Object.values(odd).includes(String(value))).toBe(false);
  }
  expect(errors).not.toHaveBeenCalled();
});

it.each(['HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'PUT', 'get'])(
  'answers %s with 405, and passes nothing on',
  async (method) => {
    const { handler, requests } = await fanOut(answer(200, 'ok'), answer(200, {}));
    expect(await handler({ ...event, requestContext: { http: { method } } })).toMatchObject({
      statusCode: 405,
    });
    expect(requests).toEqual([]);
  },
);

it('passes on the query of a service that calls by GET', async () => {
  const { handler, requests } = await fanOut(answer(200, 'ok'), answer(200, {}));
  await handler({ headers: {}, rawQueryString: 'id=msg-1', requestContext: { http: { method: 'GET' } } });
  expect(requests.map(({ method, path, body }) => [method, path, body]).sort()).toEqual([
    ['GET', '/old?id=msg-1', ''],
    ['GET', '/pipeline?id=msg-1', ''],
  ]);
});
