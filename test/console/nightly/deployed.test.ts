import { afterAll, beforeAll, expect, test } from 'vitest';
import { healthSchema } from '../../../functions/query/api/views/console-schemas.ts';
import { consoleApiOffset } from '../../../local/services/console-hosting/resources.ts';
import { until } from '../../../tools/support/until.ts';
import { deliverSigned } from '../../local/pipeline/post-signed.ts';
import { type ConsoleIssuer, startConsoleIssuer } from '../support/console-issuer.ts';
import { type SharedPipeline, sharedPipeline } from '../support/shared-pipeline.ts';

// The rights of each role at the API of the deployed console: its routes, its authorizer, and its functions under their roles.

let pipeline: SharedPipeline;
let issuer: ConsoleIssuer;
let api: string;
/** The id of an event that the contract cannot read. */
let quarantined: string;

const groupsOf: Readonly<Record<string, readonly string[]>> = {
  'local-viewer': ['viewer'],
  'local-support': ['support'],
  'local-operator': ['operator'],
  'local-guest': [],
};

beforeAll(async () => {
  pipeline = await sharedPipeline();
  issuer = await startConsoleIssuer(pipeline.port);
  api = `http://127.0.0.1:${pipeline.port + consoleApiOffset}`;
  const to = '+12025550187';
  const data = { id: 'msg-old', to, status: 'undelivered', occurred_at: '2026-01-15T12:00:00.000Z' };
  await deliverSigned(pipeline, { type: 'sms.status', data });
  await deliverSigned(pipeline, { type: 'sms.other', data });
  quarantined = await until('the other event is in quarantine', async () => {
    const path = '/v1/quarantine?reason=unknown-kind';
    const page = (await (await ask('local-viewer', path)).json()) as { entries: { id: string }[] };
    return page.entries[0]?.id;
  });
  await pipeline.untilQueueIsEmpty(pipeline.outputs.EventsQueueUrl);
});

afterAll(() => issuer?.close());

/** Asks the API as the page of this user would. */
async function ask(user: string, path: string, options: RequestInit = {}) {
  const token = await issuer.token(user, groupsOf[user] ?? []);
  const headers = { authorization: `Bearer ${token}`, ...options.headers };
  // A function may time out on a busy machine. The page asks again then, and so does this.
  return until('the API answers', async () => {
    const response = await fetch(`${api}${path}`, { ...options, headers });
    return response.status < 500 ? response : undefined;
  });
}

const reveal = { headers: { 'x-reveal': 'yes' } };
const failed = '/v1/messages?state=failed&since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z';
const replay = { method: 'POST', body: '{}' };
const replayPath = (entry: string) => `/v1/quarantine/${encodeURIComponent(entry)}/replay`;

test('a request without a token, or with one that is wrong, is answered with 401', async () => {
  for (const headers of [{}, { authorization: 'Bearer abc' }])
    expect((await fetch(`${api}/session`, { headers })).status).toBe(401);
  const none = Buffer.from('{"alg":"none"}').toString('base64url');
  const [, payload] = (await issuer.token('local-viewer', ['viewer'])).split('.');
  const authorization = `Bearer ${none}.${payload}.`;
  expect((await fetch(`${api}${failed}`, { headers: { authorization } })).status).toBe(401);
});

test('a token is of no use at the routes of callers by IAM', async () => {
  const authorization = `Bearer ${await issuer.token('local-operator', ['operator'])}`;
  const url = `${pipeline.outputs.QueryUrl}/messages?state=failed`;
  expect((await fetch(url, { headers: { authorization } })).status).toBe(403);
});

test('a viewer gets masked numbers, and may not reveal them', async () => {
  const answer = await ask('local-viewer', failed);
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text).toContain('msg-old');
  expect(text).not.toContain('2025550187');
  expect((await ask('local-viewer', failed, reveal)).status).toBe(403);
  expect((await ask('local-viewer', '/v1/opt-outs')).status).toBe(403);
});

test.each(['local-support', 'local-operator'])('%s gets whole numbers, which is logged', async (user) => {
  expect(await (await ask(user, failed)).text()).not.toContain('2025550187');
  expect(await (await ask(user, failed, reveal)).text()).toContain('+12025550187');
  const line = await until('the line is in the log', async () =>
    pipeline
      .functionLog('query')
      .split('\n')
      .find((one) => one.includes(user)),
  );
  expect(line).toContain('listMessages');
  expect(pipeline.functionLog('query')).not.toContain('2025550187');
});

test('a user in no group is told so', async () => {
  const answer = await ask('local-guest', '/session');
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({
    detail: expect.stringContaining('not in one of the groups viewer, support, operator'),
  });
  expect((await ask('local-guest', failed)).status).toBe(403);
});

test.each(['local-viewer', 'local-support'])('%s may not replay', async (user) => {
  const answer = await ask(user, replayPath(quarantined), replay);
  expect(answer.status).toBe(403);
  expect(await answer.json()).toMatchObject({ type: 'urn:sms-event-pipeline:problem:not-permitted' });
});

test('an operator replays an entry, which is logged', async () => {
  const answer = await ask('local-operator', replayPath(quarantined), replay);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ outcome: 'unreadable' });
  // The function answers, and not an API without such a route.
  const none = await ask('local-operator', replayPath('none'), replay);
  expect(none.status).toBe(404);
  expect(await none.json()).toMatchObject({
    type: 'urn:sms-event-pipeline:problem:unknown-quarantine-entry',
  });
  const line = await until('the line is in the log', async () =>
    pipeline
      .functionLog('console')
      .split('\n')
      .find((one) => one.includes('CONSOLE-01') && one.includes('unreadable')),
  );
  expect(line).toContain('local-operator');
  expect(line).toContain(quarantined);
});

test.each(['local-viewer', 'local-operator'])('%s reads the health', async (user) => {
  const answer = await ask(user, '/v1/health');
  expect(answer.status).toBe(200);
  const health = healthSchema.parse(await answer.json());
  const states = Object.fromEntries(health.checks.map(({ check, state }) => [check, state]));
  expect(states).toMatchObject({
    verified: 'ok',
    queues: 'ok',
    'dead-letters': 'ok',
    alarms: 'ok',
    'contract-drift': expect.stringMatching(/ok|warn/),
  });
  expect((await ask('local-guest', '/v1/health')).status).toBe(403);
});

test('each role has its rights in its session', async () => {
  const rights = ['local-viewer', 'local-support', 'local-operator'].map(async (user) => {
    return (await ask(user, '/session')).json();
  });
  expect(await Promise.all(rights)).toMatchObject([
    { role: 'viewer', canReveal: false, place: 'deployed' },
    { role: 'support', canReveal: true, canReplay: false, place: 'deployed' },
    { role: 'operator', canReveal: true, canReplay: true, place: 'deployed' },
  ]);
});
