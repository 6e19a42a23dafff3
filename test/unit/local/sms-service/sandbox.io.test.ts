import { expect, it } from 'vitest';
import { until } from '../../../../tools/support/until.ts';
import { startSandbox } from './sandbox-under-test.ts';

const webhookPath = '/v1/account/webhook';
const url = 'https://a.example/';

it('the sandbox shows its state without the secret', async () => {
  const { call, authorized } = await startSandbox();
  await authorized('PUT', webhookPath, { url });
  const contact = { phone: '+12025550143', unknown: 1 };
  const { json: id } = await authorized('POST', '/v1/contacts/store', contact);
  expect((await call('GET', '/sandbox/state')).json).toEqual({
    webhook: { url, hasSecret: true, rotations: 0 },
    contacts: [{ id, phone: '+12025550143' }],
    lookups: 0,
    tokens: 2,
    deliveries: { sent: 0, accepted: 0, failed: 0, attempts: 0, signsWithNewestOnly: true },
  });
});

it('the sandbox rejects a port that is in use', async () => {
  const port = Number(new URL((await startSandbox()).url).port);
  await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('the sandbox applies a delayed change even if the client has timed out', async () => {
  const sleeps: (() => void)[] = [];
  const sleep = () => new Promise<void>((end) => sleeps.push(end));
  const { call, exchange, url: base } = await startSandbox({ sleep });
  await call('PUT', '/sandbox/faults', { applyDelayMs: 30_000 });
  const headers = { authorization: `Bearer ${await exchange()}` };
  const client = new AbortController();
  const body = JSON.stringify({ url });
  const answer = fetch(base + webhookPath, { method: 'PUT', headers, body, signal: client.signal });
  await until('the change waits', () => sleeps.length === 1);
  client.abort();
  await expect(answer).rejects.toThrow();
  const webhook = async () => Object((await call('GET', '/sandbox/state')).json).webhook;
  expect(await webhook()).toMatchObject({ url: '' });
  sleeps[0]?.();
  await until('it is applied', async () => (await webhook()).url === url);
});

it('the sandbox leaves changes without an answer until it is closed, and is not blocked by them', async () => {
  const { call, authorized, close } = await startSandbox();
  const set = () => authorized('PUT', webhookPath, { url, rotate_secret: true });
  await call('PUT', '/sandbox/faults', { dropAnswers: 2 });
  expect((await authorized('PUT', webhookPath, { url: 'nowhere' })).status).toBe(422);
  const unanswered = [set(), set()].map((answer) => answer.catch(() => 'broken off'));
  const rotations = async () => Object((await call('GET', '/sandbox/state')).json).webhook.rotations;
  // The first change makes the first secret.
  await until('both are applied', async () => (await rotations()) === 1);
  expect((await set()).status).toBe(200);
  expect(await Promise.race([...unanswered, 'no answer yet'])).toBe('no answer yet');
  await close();
  expect(await Promise.all(unanswered)).toEqual(['broken off', 'broken off']);
});
