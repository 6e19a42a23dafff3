import { expect, it } from 'vitest';
import { applyPendingDeactivation } from '../../../../functions/setup/actions.ts';
import { answer } from '../sms-service/scripted-server.ts';
import { set, startScriptedSetup, webhookUrl } from './doubles/setup-under-test.ts';

const deactivated = answer(200, { url: '', secret: 's' });

it.each([{}, { wanted: 'registered' } as const])('asks for nothing while %o is wanted', async (known) => {
  const { dependencies, state, server, log } = await startScriptedSetup({ [set]: [deactivated] });
  state.known = known;
  expect(await applyPendingDeactivation(dependencies)).toBeUndefined();
  expect([server.requests, log.lines]).toEqual([[], []]);
});

it('deactivates a deactivated webhook meanwhile, and rotates nothing', async () => {
  const { dependencies, state, server, logged } = await startScriptedSetup({ [set]: [deactivated] });
  state.known = { wanted: 'deactivated' };
  expect(await applyPendingDeactivation(dependencies)).toBeUndefined();
  expect(server.requests.at(-1)?.body).toBe(JSON.stringify({ url: '', rotate_secret: false }));
  expect(logged()).toEqual(['WEBHOOK_DEACTIVATED']);
});

it('returns why the deactivation failed', async () => {
  const { dependencies, state, log } = await startScriptedSetup({
    [set]: [answer(422, { url: webhookUrl })],
  });
  state.known = { wanted: 'deactivated' };
  expect(await applyPendingDeactivation(dependencies)).toEqual({
    kind: 'validation',
    message: expect.stringContaining('set webhook: the SMS service answered 422'),
  });
  expect(log.lines).toEqual([{ name: 'SETUP_FAILED', fields: { action: 'deactivate', kind: 'validation' } }]);
});
