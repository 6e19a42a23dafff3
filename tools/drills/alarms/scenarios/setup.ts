import { isDeepStrictEqual } from 'node:util';
import { expectText, type Scenario } from '../scenario.ts';

/** The webhook was changed at the service. */
export const webhookDrifted: Scenario = {
  alarms: ['SetupWebhookDrifted'],
  how: "the webhook's URL is changed at the service, past the pipeline; reconcile runs",
  async play({ site, fired, step, fixed, undo }) {
    undo(() => site.sms('webhook register'));
    const driftBefore = site.logged('setup', 'SETUP-11').length;
    await site.sandbox('POST', 'webhook', { url: 'https://elsewhere.example/hook' });
    await step('webhook status names it', async () =>
      expectText(await site.sms('webhook status'), 'elsewhere'),
    );
    await site.sms('webhook reconcile');
    await fired();
    await step('log Setup SETUP-11', () => {
      if (site.logged('setup', 'SETUP-11').length === driftBefore) throw new Error('no SETUP-11');
    });
    await fixed();
    await step('with webhookDrift: repair it has been put right: webhook status', async () =>
      expectText(await site.sms('webhook status'), 'registered: the SMS service sends its events here'),
    );
    await step('webhook register changes nothing at the service', async () => {
      const before = await site.serviceWebhook();
      await site.sms('webhook register');
      if (!isDeepStrictEqual(await site.serviceWebhook(), before)) throw new Error('the webhook is another');
    });
    await site.sms('webhook reconcile');
  },
};
