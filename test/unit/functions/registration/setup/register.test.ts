import { describe, expect, it } from 'vitest';
import { register } from '../../../../../functions/registration/setup/actions.ts';
import { answer } from '../../base/sms-service/scripted-server.ts';
import {
  documentWith,
  read,
  reportOf,
  set,
  startScriptedSetup,
  startSetup,
  webhookUrl,
} from './doubles/setup-under-test.ts';

const elsewhere = 'https://other.example/hook';
const config = { url: webhookUrl, secret: 'whsec_bmV3LXNlY3JldC1vZi1hLXRlc3Q=' };

describe('register at the sandbox', () => {
  it('registers a webhook that was never configured, and stores its secret', async () => {
    const { dependencies, store, service, log } = startSetup();
    expect(await register(dependencies)).toEqual({
      kind: 'ok',
      value: reportOf(),
    });
    expect(await service.read()).toEqual({
      kind: 'ok',
      value: { url: webhookUrl, secret: store.document?.current.secret },
    });
    expect(log.lines).toEqual([{ name: 'WEBHOOK_REGISTERED', fields: {} }]);
  });

  it('changes nothing the second time', async () => {
    const { dependencies, store, logged } = startSetup();
    const first = await register(dependencies);
    const { document } = store;
    expect(await register(dependencies)).toEqual(first);
    expect([store.document, store.stored.length]).toEqual([document, 1]);
    expect(logged()).toEqual(['WEBHOOK_REGISTERED', 'WEBHOOK_UNCHANGED']);
  });

  it('sets its URL again, and keeps the secret', async () => {
    const { dependencies, store, service, logged } = startSetup();
    const before = await service.set(elsewhere);
    expect(await register(dependencies)).toMatchObject({ kind: 'ok', value: { state: 'registered' } });
    expect(before).toMatchObject({ kind: 'ok', value: { secret: store.document?.current.secret } });
    expect(logged()).toEqual(['WEBHOOK_REPLACED', 'WEBHOOK_REGISTERED']);
    // The secret is known before the URL is set and does not change: it is stored once.
    expect(store.stored).toHaveLength(1);
  });
});

describe('register at a service with unusual answers', () => {
  it('never asks for a rotation', async () => {
    const { dependencies, server } = startScriptedSetup({
      [read]: [answer(200, {})],
      [set]: [answer(200, config)],
    });
    await register(dependencies);
    expect(server.requests.at(-1)?.body).toBe(JSON.stringify({ url: webhookUrl, rotate_secret: false }));
  });

  it('stores a secret that it already knows before it sets the URL, and a new one after', async () => {
    const { dependencies, store, journal } = startScriptedSetup(
      { [read]: [answer(200, { url: '', secret: 'a-secret-known-before-1' })], [set]: [answer(200, config)] },
      documentWith('old'),
    );
    await register(dependencies);
    expect(journal).toEqual([read, 'store secrets', set, 'store secrets']);
    expect(store.document).toMatchObject({
      current: { secret: 'whsec_bmV3LXNlY3JldC1vZi1hLXRlc3Q=' },
      previous: { secret: 'a-secret-known-before-1' },
    });
  });

  it.each([
    [
      'no secret',
      { url: webhookUrl, secret: '' },
      'set webhook: the SMS service answered without a signing secret',
    ],
    [
      'another URL',
      { url: elsewhere, secret: 'whsec_bmV3LXNlY3JldC1vZi1hLXRlc3Q=' },
      'set webhook: the SMS service answered with another URL than the one it was sent',
    ],
  ])('fails on %s, and keeps what is stored', async (_, body, message) => {
    const { dependencies, store } = startScriptedSetup(
      { [read]: [answer(404)], [set]: [answer(200, body)] },
      documentWith('old'),
    );
    expect(await register(dependencies)).toMatchObject({
      kind: 'error',
      error: { kind: 'unexpected-answer', message },
    });
    expect([store.document, store.stored]).toEqual([documentWith('old'), []]);
  });

  it('fails if the webhook cannot be read, and sets nothing', async () => {
    const { dependencies, server } = startScriptedSetup({
      [read]: [answer(403, 'no')],
      [set]: [answer(200, config)],
    });
    expect(await register(dependencies)).toMatchObject({
      kind: 'error',
      error: { kind: 'refused', message: 'read webhook: the SMS service answered 403 (refused): no' },
    });
    expect(server.count(set)).toBe(0);
  });

  it.each([
    ['shows', { [read]: [answer(200, { url: elsewhere, secret: 'whsec_***' })] }],
    ['gives', { [read]: [answer(404)], [set]: [answer(200, { url: webhookUrl, secret: 'whsec_***' })] }],
  ])('reports a secret that the service %s if it does not match the contract', async (_, script) => {
    const { dependencies, store } = startScriptedSetup(script);
    expect(await register(dependencies)).toMatchObject({ kind: 'error', error: { kind: 'unusable-secret' } });
    expect(store.stored).toEqual([]);
  });
});

it('register reads again if another run stored first, and overwrites nothing', async () => {
  const { dependencies, store, journal } = startScriptedSetup({ [read]: [answer(200, config)] });
  store.beforeSwap = async () => store.put(documentWith(config.secret));
  expect(await register(dependencies)).toMatchObject({ kind: 'ok' });
  expect(journal).toEqual([read, 'lose secrets', 'pause 200', read]);
  expect(store.document).toEqual(documentWith(config.secret));
});

it('register fails if other runs keep storing', async () => {
  const { dependencies, store, journal } = startScriptedSetup({ [read]: [answer(200, config)] });
  let others = 0;
  store.beforeSwap = async () => store.put(documentWith(`other-${others++}`));
  expect(await register(dependencies)).toMatchObject({
    kind: 'error',
    error: { kind: 'conflict', message: expect.stringContaining('Run it again') },
  });
  const pauses = [200, 400, 600, 800, 1_000].map((ms) => `pause ${ms}`);
  expect(journal.filter((entry) => entry !== read)).toEqual([
    ...pauses.flatMap((pause) => ['lose secrets', pause]),
    'lose secrets',
  ]);
});

it('register yields to a deactivation that is requested while it runs', async () => {
  const { dependencies, service, state } = startSetup();
  const setLate: typeof service.set = async (url) => {
    // Before the URL is set, and so soon that the deactivation finds nothing to do.
    await state.setDesiredState('deactivated');
    return service.set(url);
  };
  await register({ ...dependencies, service: { ...service, set: setLate } });
  expect(await service.read()).toMatchObject({ value: { url: '' } });
});

it('register stores the desired state before it calls the service, and confirms the secret once it is stored', async () => {
  const { dependencies, state } = startScriptedSetup({ [read]: [answer(403)] });
  await register(dependencies);
  expect(state.known).toEqual({ desiredState: 'registered' });
  const other = startScriptedSetup({ [read]: [answer(200, config)] });
  await register(other.dependencies);
  const stored = await other.store.read();
  expect(other.state.known).toEqual({
    desiredState: 'registered',
    registeredAt: '2026-01-15T12:00:00.000Z',
    confirmed: { at: '2026-01-15T12:00:00.000Z', versionId: stored?.versionId },
    lastReconcile: { at: '2026-01-15T12:00:00.000Z' },
  });
});

it('register confirms the secret as of the time of the request, not of the answer or the store', async () => {
  const { dependencies, store, state, advance } = startScriptedSetup({
    [read]: [answer(429, '', { 'retry-after': '7' }), answer(200, config)],
  });
  store.beforeSwap = async () => advance(5_000);
  await register(dependencies);
  expect(dependencies.clock()).toBe(Date.parse('2026-01-15T12:00:12.125Z'));
  expect(state.known.confirmed?.at).toBe('2026-01-15T12:00:00.000Z');
});
