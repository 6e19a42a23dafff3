import { expect, it } from 'vitest';
import { register } from '../../../functions/setup/register.ts';
import { status } from '../../../functions/setup/status.ts';
import { answer } from '../adapters/sms-service/scripted-server.ts';
import { startScriptedSetup, startSetup, webhookUrl } from './setup-under-test.ts';

it('tells a webhook that was never configured', async () => {
  const { dependencies } = await startSetup();
  expect(await status(dependencies)).toEqual({
    ok: true,
    report: {
      webhookUrl,
      registeredUrl: '',
      state: 'never-configured',
      secret: { stored: false, matchesService: null, since: null, previousValidUntil: null },
    },
  });
});

it('finds a secret that was rotated elsewhere, and changes nothing', async () => {
  const { dependencies, service, store } = await startSetup();
  await register(dependencies);
  await service.setWebhook({ url: webhookUrl, rotate_secret: true });
  expect(await status(dependencies)).toMatchObject({
    report: { state: 'registered', secret: { stored: true, matchesService: false } },
  });
  expect(store.writes).toBe(1);
});

it('says that the service cannot be asked', async () => {
  const { dependencies } = await startScriptedSetup({ 'GET /v1/account/webhook': [answer(403)] });
  expect(await status(dependencies)).toMatchObject({ ok: false, error: { kind: 'refused' } });
});
