import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { healthSchema } from '../../functions/query/views/console-schemas.ts';
import { until } from '../../tools/support/until.ts';
import { deliverSigned } from '../local/pipeline/post-signed.ts';
import { pagesInBrowser } from './support/browser.ts';
import { type SharedPipeline, sharedPipeline } from './support/shared-pipeline.ts';

// The console as it is deployed: its page behind CloudFront, its API behind an authorizer, and a sign-in with a user for each group.

let pipeline: SharedPipeline;
let console: string;
/** The id of an event that the contract cannot read. */
let quarantined: string;
const bearers = new Map<string, string>();
const openInBrowser = pagesInBrowser();

beforeAll(async () => {
  pipeline = await sharedPipeline();
  console = pipeline.outputs.ConsoleUrl ?? '';
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

/** Opens a path. The stand-ins of CloudFront and of the sign-in have ports of their own. */
const openPage = async (path: string): Promise<Page> =>
  (await openInBrowser(path, { baseURL: console, origins: ['http://127.0.0.1:'] })).page;

/** Opens a path of the console, and signs in. Keeps the token that the page sends. */
async function signedIn(user: string, path = '/'): Promise<Page> {
  const page = await openPage(path);
  page.on('request', (request) => {
    const { authorization } = request.headers();
    if (authorization !== undefined) bearers.set(user, authorization);
  });
  await page.getByRole('link', { name: user }).click();
  await page.waitForURL(`${console}${path}`);
  return page;
}

/** Asks the API as the page of this user would. */
async function ask(user: string, path: string, options: RequestInit = {}) {
  if (!bearers.has(user)) {
    const page = await signedIn(user);
    await until('the page asks with a token', async () => bearers.get(user));
    await page.context().close();
  }
  const headers = { authorization: bearers.get(user) ?? '', ...options.headers };
  // A function may time out on a busy machine. The page asks again then, and so does this.
  return until('the API answers', async () => {
    const response = await fetch(`${console}${path}`, { ...options, headers });
    return response.status < 500 ? response : undefined;
  });
}

const reveal = { headers: { 'x-reveal': 'yes' } };
const failed = '/v1/messages?state=failed&since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z';
const replay = { method: 'POST', body: '{}' };
const replayPath = (entry: string) => `/v1/quarantine/${encodeURIComponent(entry)}/replay`;

describe('over HTTP', () => {
  test('a browser keeps scripts, checks the page at each visit, and keeps no error', async () => {
    const page = await fetch(console);
    const script = /assets\/[\w.-]+\.js/.exec(await page.text())?.[0];
    const cachingOf = async (path: string) => {
      const { status, headers } = await fetch(`${console}/${path}`);
      return [status, headers.get('cache-control')];
    };
    expect(page.headers.get('cache-control')).toBe('no-cache');
    expect(await cachingOf('config.json')).toEqual([200, 'no-cache']);
    expect(await cachingOf(script ?? '')).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(await cachingOf('assets/none.js')).toEqual([403, 'no-cache']);
  });

  test('a request without a token, or with one that is wrong, is answered with 401', async () => {
    for (const headers of [{}, { authorization: 'Bearer abc' }])
      expect((await fetch(`${console}/session`, { headers })).status).toBe(401);
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    await ask('local-viewer', '/session');
    const [, payload] = bearers.get('local-viewer')?.split('.') ?? [];
    const authorization = `Bearer ${none}.${payload}.`;
    expect((await fetch(`${console}${failed}`, { headers: { authorization } })).status).toBe(401);
  });

  test('a token is of no use at the routes of callers by IAM', async () => {
    await ask('local-operator', '/session');
    const authorization = bearers.get('local-operator') ?? '';
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
      detail: expect.stringContaining('none of the groups viewer, support, operator'),
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
});

describe('in a browser', () => {
  test('a user signs in, sees the page that was asked for, reloads it, and signs out', async () => {
    const page = await signedIn('local-support', '/messages/msg-old');
    await page.getByText('msg-old').first().waitFor();
    await page.getByRole('button', { name: 'Show numbers' }).click();
    await page.getByText('+1 202 555 0187').first().waitFor();
    const stored = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(await stored()).not.toMatch(/eyJ|sms-console-sign-in/);
    // The session of the sign-in is enough for new tokens.
    await page.reload();
    await page.getByRole('button', { name: 'Show numbers' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/messages/msg-old');
    await page.getByRole('button', { name: 'Display' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in as' }).waitFor();
  });

  test('a user in no group is shown whom to ask, and may sign out', async () => {
    const page = await signedIn('local-guest');
    await page.getByText('You are in no group').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
  });

  test('an operator sees the health, and may replay', async () => {
    const page = await signedIn('local-operator', '/health');
    await page.getByRole('heading', { name: 'dead-letters' }).waitFor();
    await page.goto(`/quarantine/${encodeURIComponent(quarantined)}`);
    await page.getByRole('button', { name: 'Replay' }).waitFor();
  });
});
