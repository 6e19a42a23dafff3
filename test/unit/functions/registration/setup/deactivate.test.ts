import { describe, expect, it } from 'vitest';
import {
  applyPendingDeactivation,
  deactivate,
  register,
} from '../../../../../functions/registration/setup/actions.ts';
import { answer } from '../../base/sms-service/scripted-server.ts';
import { read, set, startScriptedSetup, startSetup, webhookUrl } from './doubles/setup-under-test.ts';

it('deactivate deactivates our webhook and keeps the secret for requests under way', async () => {
  const { dependencies, service, store, state, log } = startSetup();
  await register(dependencies);
  expect(await deactivate(dependencies)).toMatchObject({
    kind: 'ok',
    value: {
      registeredUrl: '',
      state: 'deactivated',
      desiredState: 'deactivated',
      secret: { stored: true, matchesService: true },
    },
  });
  expect(await service.read()).toMatchObject({ value: { url: '' } });
  expect(store.document).toBeDefined();
  expect(state.known.desiredState).toBe('deactivated');
  expect(log.lines.at(-1)?.name).toBe('WEBHOOK_DEACTIVATED');
});

it('deactivate leaves a webhook with another URL alone and logs it', async () => {
  const { dependencies, service, changeElsewhere, log } = startSetup();
  changeElsewhere({ url: 'https://other.example/hook' });
  expect(await deactivate(dependencies)).toMatchObject({
    kind: 'ok',
    value: { registeredUrl: 'https://other.example/hook', state: 'elsewhere' },
  });
  expect(await service.read()).toMatchObject({ value: { url: 'https://other.example/hook' } });
  expect(log.lines).toEqual([{ name: 'WEBHOOK_NOT_OURS', fields: {} }]);
});

it.each([
  ['reading fails', { [read]: [answer(403)] }, 'refused'],
  [
    'setting fails',
    { [read]: [answer(200, { url: webhookUrl, secret: 's' })], [set]: [answer(422)] },
    'validation',
  ],
  [
    'the URL stays',
    {
      [read]: [answer(200, { url: webhookUrl, secret: 's' })],
      [set]: [answer(200, { url: webhookUrl, secret: 's' })],
    },
    'unexpected-answer',
  ],
])('deactivate reports that %s, and keeps the deactivation as the desired state', async (_, script, kind) => {
  const { dependencies, state } = startScriptedSetup(script);
  expect(await deactivate(dependencies)).toMatchObject({ kind: 'error', error: { kind } });
  expect(state.known.desiredState).toBe('deactivated');
});

describe('applyPendingDeactivation', () => {
  const deactivated = answer(200, { url: '', secret: 's' });

  it.each([{}, { desiredState: 'registered' } as const])(
    'asks for nothing while the desired state is %o',
    async (known) => {
      const { dependencies, state, server, log } = startScriptedSetup({ [set]: [deactivated] });
      state.known = known;
      expect(await applyPendingDeactivation(dependencies)).toBeUndefined();
      expect([server.requests, log.lines]).toEqual([[], []]);
    },
  );

  it('deactivates a webhook that was deactivated concurrently, and rotates nothing', async () => {
    const { dependencies, state, server, logged } = startScriptedSetup({ [set]: [deactivated] });
    state.known = { desiredState: 'deactivated' };
    expect(await applyPendingDeactivation(dependencies)).toBeUndefined();
    expect(server.requests.at(-1)?.body).toBe(JSON.stringify({ url: '', rotate_secret: false }));
    expect(logged()).toEqual(['WEBHOOK_DEACTIVATED']);
  });

  it('returns why the deactivation failed', async () => {
    const { dependencies, state, log } = startScriptedSetup({
      [set]: [answer(422, { url: webhookUrl })],
    });
    state.known = { desiredState: 'deactivated' };
    expect(await applyPendingDeactivation(dependencies)).toMatchObject({
      kind: 'validation',
      message: expect.stringContaining('set webhook: the SMS service answered 422'),
    });
    expect(log.lines).toEqual([
      { name: 'SETUP_FAILED', fields: { action: 'deactivate', kind: 'validation' } },
    ]);
  });
});
