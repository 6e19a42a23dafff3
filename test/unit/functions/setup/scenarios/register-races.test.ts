import { expect, it } from 'vitest';
import { register } from '../../../../../functions/setup/actions.ts';
import { answer } from '../../sms-service/scripted-server.ts';
import {
  documentWith,
  read,
  startScriptedSetup,
  startSetup,
  webhookUrl,
} from '../doubles/setup-under-test.ts';

const config = { url: webhookUrl, secret: 'whsec_bmV3' };

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
  const setWebhook: typeof service.setWebhook = async (webhook) => {
    // Before the URL is set, and so soon that the deactivation finds nothing to do.
    if (webhook.url !== '') await state.setWanted('deactivated');
    return service.setWebhook(webhook);
  };
  await register({ ...dependencies, service: { ...service, setWebhook } });
  expect(await service.readWebhook()).toMatchObject({ value: { url: '' } });
});

it('register stores the desired state before it calls the service, and confirms the secret once it is stored', async () => {
  const { dependencies, state } = startScriptedSetup({ [read]: [answer(403)] });
  await register(dependencies);
  expect(state.known).toEqual({ wanted: 'registered' });
  const other = startScriptedSetup({ [read]: [answer(200, config)] });
  await register(other.dependencies);
  const stored = await other.store.read();
  expect(other.state.known).toEqual({
    wanted: 'registered',
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
