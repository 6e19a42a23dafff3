import { expect, it, onTestFinished, vi } from 'vitest';
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
  vi.stubEnv('OLD_URL', `${server.url}/old?key=1`);
  vi.stubEnv('PIPELINE_URL', `${server.url}/pipeline`);
  vi.resetModules();
  const { handler } = await import('../../../examples/fan-out/handler.ts');
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    errors.mockRestore();
    await server.close();
  });
  return { handler, requests: server.requests, errors };
}

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
  expect(requests.map(({ path }) => path).sort()).toEqual(['/old?key=1&attempt=1', '/pipeline?attempt=1']);
  for (const request of requests) {
    expect(request.body).toBe(body);
    expect(request.headers).toMatchObject({ 'x-signature': 'v1,abc', 'content-type': 'application/json' });
    expect(request.headers.host).not.toBe('old.example.com');
  }
  expect(errors).not.toHaveBeenCalled();
});

it.each([
  ['401', answer(401, {})],
  ['TypeError', breakOff],
])(
  'answers what the old system answered when the pipeline fails (%s), and logs no content',
  async (reason, step) => {
    const { handler, errors } = await fanOut(answer(200, 'ok'), step);
    expect(await handler(event)).toMatchObject({ statusCode: 200, body: 'ok' });
    expect(errors.mock.calls).toEqual([[expect.stringContaining(reason)]]);
    expect(JSON.stringify(errors.mock.calls)).not.toContain('msg-1');
  },
);

it('lets the service send again when the old system cannot be reached', async () => {
  const { handler, requests } = await fanOut(breakOff, answer(200, {}));
  expect(await handler(event)).toEqual({ statusCode: 503, body: '' });
  expect(requests).toHaveLength(2);
});

it('passes on the query of a service that calls by GET', async () => {
  const { handler, requests } = await fanOut(answer(200, 'ok'), answer(200, {}));
  await handler({ headers: {}, rawQueryString: 'id=msg-1', requestContext: { http: { method: 'GET' } } });
  expect(requests.map(({ method, path, body }) => [method, path, body]).sort()).toEqual([
    ['GET', '/old?key=1&id=msg-1', ''],
    ['GET', '/pipeline?id=msg-1', ''],
  ]);
});
