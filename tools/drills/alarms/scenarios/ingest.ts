import { foreignSecret, postSigned } from '../../../support/post-signed.ts';
import { until } from '../../../support/until.ts';
import { statusEvent } from '../event-bodies.ts';
import { expectText, type Scenario } from '../scenario.ts';

/** More comes than the HTTP API lets in. */
export const tooManyRequests: Scenario = {
  alarms: ['IngestRequestsThrottled'],
  how: 'the API lets in 5 requests at once and one a second (UpdateStage, as with such settings); 25 genuine events at once',
  async play({ site, fired, step, fixed, undo }) {
    const raise = await site.throttleApi(1, 5);
    undo(raise);
    const events = Array.from({ length: 25 }, (_, number) => statusEvent(`drill-throttled-${number}`));
    const answers = await Promise.all(
      events.map(async (event) => ({ event, status: await postSigned(site.pipeline, event) })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    if (refused.length === 0 || refused.some(({ status }) => status !== 429))
      throw new Error(`expected some of 429, not ${answers.map(({ status }) => status).join(', ')}`);
    await fired();
    await step('the addresses in the access log (a local run has none) are those of the service', () => {});
    await step('raise the throttle', raise);
    await fixed();
    await step(
      'the history has no message that was refused, and each one after the service has sent it again',
      async () => {
        for (const { event } of refused) {
          const { id } = event.data;
          expectText(await site.sms(`history message ${id}`, 1), `No message "${id}"`);
          await site.post(event);
        }
        for (const { event } of answers) await site.untilStored(event.data.id);
      },
    );
  },
};

/** Events are forged. */
export const forgeries: Scenario = {
  alarms: ['IngestRequestsRejected'],
  how: '25 requests signed with a secret of their own',
  async play({ site, fired, step, fixed }) {
    const secret = foreignSecret();
    for (let number = 0; number < 25; number += 1)
      await site.post(statusEvent(`forged-${number}`), 401, { secret });
    await fired();
    await step('webhook status: Secret the same as at the service', async () =>
      expectText(await site.sms('webhook status'), 'the same as at the SMS service'),
    );
    await step('RejectedSignatureMismatch counts all of them: forgeries, nothing to do', () =>
      until('it is counted', () => site.monitor.sum('RejectedSignatureMismatch', 'ingest') >= 25),
    );
    await fixed();
    await site.post(statusEvent('drill-genuine'));
  },
};

/** Requests come from an address that is not allowed. */
export const foreignAddress: Scenario = {
  alarms: ['IngestRejectedSource'],
  how: '25 genuine requests from 127.0.0.2, where sms:allowedSourceIps is 127.0.0.1/32',
  async play({ site, fired, step, fixed }) {
    for (let number = 0; number < 25; number += 1)
      await site.post(statusEvent('elsewhere'), 403, { fromAddress: '127.0.0.2' });
    await fired();
    await step(
      'the addresses in the access log (a local run has none: the drill knows its own), not those of the service: nothing',
      () => {},
    );
    await fixed();
    await site.post(statusEvent('drill-allowed'));
  },
};
