import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { healthSchema } from '../../functions/query/console-routes.ts';
import { chromiumPath } from '../../tools/support/chromium-path.ts';
import { type LocalPipeline, startLocalPipeline } from '../../tools/support/local-pipeline.ts';
import { postSigned } from '../../tools/support/post-signed.ts';
import { until } from '../../tools/support/until.ts';

// The console as it is deployed: its page behind CloudFront, its API behind an authorizer, and a sign-in with a user for each group.

let pipeline: LocalPipeline;
let browser: Browser;
let console: string;
/** The id of an event that the contract cannot read. */
let quarantined: string;
const problems: string[] = [];
const bearers = new Map<string, string>();

beforeAll(async () => {
  [pipeline, browser] = await Promise.all([
    startLocalPipeline({ 'sms:console': 'on' }),
    chromium.launch({ executablePath: chromiumPath(), args: ['--disable-dev-shm-usage'] }),
  ]);
  console = pipeline.outputs.ConsoleUrl ?? '';
  const to = '+12025550143';
  const data = { id: 'msg-1', to, status: 'undelivered', occurred_at: '2026-01-15T12:00:00.000Z' };
  expect(await postSigned(pipeline, { type: 'sms.status', data })).toBe(200);
  expect(await postSigned(pipeline, { type: 'sms.other', data })).toBe(200);
  await pipeline.untilQueueIsEmpty(pipeline.outputs.EventsQueueUrl);
  quarantined = await until('the other event is in quarantine', async () => {
    const page = (await (await ask('local-viewer', '/v1/quarantine')).json()) as {
      entries: { id: string }[];
    };
    return page.entries[0]?.id;
  });
});

afterAll(async () => {
  await browser.close();
  await pipeline.stop();
});

afterEach(() => {
  expect(problems.splice(0)).toEqual([]);
});

async function openPage(): Promise<Page> {
  const context = await browser.newContext({ baseURL: console, locale: 'en-US', reducedMotion: 'reduce' });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => {
    // A page without a token is answered with 401 first.
    const isAnswer = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isAnswer) problems.push(message.text());
  });
  return page;
}

/** Opens a path of the console, and signs in. Keeps the token that the page sends. */
async function signedIn(user: string, path = '/'): Promise<Page> {
  const page = await openPage();
  page.on('request', (request) => {
    const { authorization } = request.headers();
    if (authorization !== undefined) bearers.set(user, authorization);
  });
  await page.goto(path);
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
    expect(text).toContain('msg-1');
    expect(text).not.toContain('2025550143');
    expect((await ask('local-viewer', failed, reveal)).status).toBe(403);
    expect((await ask('local-viewer', '/v1/opt-outs')).status).toBe(403);
  });

  test.each(['local-support', 'local-operator'])('%s gets whole numbers, which is logged', async (user) => {
    expect(await (await ask(user, failed)).text()).not.toContain('2025550143');
    expect(await (await ask(user, failed, reveal)).text()).toContain('+12025550143');
    const line = await until('the line is in the log', async () =>
      pipeline
        .functionLog('query')
        .split('\n')
        .find((one) => one.includes(user)),
    );
    expect(line).toContain('listMessages');
    expect(pipeline.functionLog('query')).not.toContain('2025550143');
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
    expect((await ask('local-operator', replayPath('none'), replay)).status).toBe(404);
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
    expect(states).toMatchObject({ verified: 'ok', queues: 'ok', 'dead-letters': 'ok', alarms: 'skipped' });
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
    const page = await signedIn('local-support', '/messages/msg-1');
    await page.getByText('msg-1').first().waitFor();
    await page.getByRole('button', { name: 'Show numbers' }).click();
    await page.getByText('+1 202 555 0143').first().waitFor();
    const stored = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(await stored()).not.toMatch(/eyJ|sms-console-sign-in/);
    // The session of the sign-in is enough for new tokens.
    await page.reload();
    await page.getByRole('button', { name: 'Show numbers' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/messages/msg-1');
    await page.getByRole('button', { name: 'Display' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in as' }).waitFor();
    await page.context().close();
  });

  test('a user in no group is shown whom to ask, and may sign out', async () => {
    const page = await signedIn('local-guest');
    await page.getByText('You are in no group').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
    await page.context().close();
  });

  test('a code that this page did not ask for is not exchanged', async () => {
    const page = await openPage();
    await page.goto('/signed-in?code=stolen&state=other');
    await page.getByText('The sign-in did not work').waitFor();
    expect(bearers.size).toBeGreaterThan(0);
    await page.context().close();
  });

  test('an operator sees the health, and may replay', async () => {
    const page = await signedIn('local-operator', '/health');
    await page.getByRole('heading', { name: 'dead-letters' }).waitFor();
    await page.goto(`/quarantine/${encodeURIComponent(quarantined)}`);
    await page.getByRole('button', { name: 'Replay' }).waitFor();
    await page.context().close();
  });
});
