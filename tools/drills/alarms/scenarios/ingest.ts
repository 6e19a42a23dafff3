import { foreignSecret, type PostOptions, postSigned } from '../../../support/post-signed.ts';
import { until } from '../../../support/until.ts';
import { statusEvent } from '../event-bodies.ts';
import { expectText, type Scenario, type Stage } from '../scenario.ts';

export const tooManyRequests: Scenario = {
  alarms: ['IngestRequestsNotAccepted'],
  how: 'the API lets in 5 requests at once and one a second (UpdateStage, as with such settings); 25 genuine events at once',
  async play({ site, fired, step, fixed, undo }) {
    const raise = await undo(site.throttleApi(1, 5));
    const events = Array.from({ length: 25 }, (_, number) => statusEvent(`drill-throttled-${number}`));
    const answers = await Promise.all(
      events.map(async (event) => ({ event, status: await postSigned(site.pipeline, event) })),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    if (refused.length === 0 || refused.some(({ status }) => status !== 429))
      throw new Error(`expected some of 429, not ${answers.map(({ status }) => status).join(', ')}`);
    await fired();
    await step('raise the throttle', raise);
    await fixed();
    await step('history has what was refused only after the service has sent it again', async () => {
      for (const { event } of refused) {
        const { id } = event.data;
        expectText(await site.sms(`message get ${id}`, 1), `No message "${id}"`);
        await site.post(event);
      }
      for (const { event } of answers) await site.untilStored(event.data.id);
    });
  },
};

/** 25 requests are refused, and nothing is to be fixed. */
function refused(
  alarm: string,
  how: string,
  { status, options }: { readonly status: number; readonly options: () => PostOptions },
  look: (stage: Stage) => Promise<unknown>,
): Scenario {
  return {
    alarms: [alarm],
    how,
    async play(stage) {
      const { site, fired, fixed } = stage;
      const same = options();
      for (let number = 0; number < 25; number += 1)
        await site.post(statusEvent(`refused-${number}`), status, same);
      await fired();
      await look(stage);
      await fixed();
      await site.post(statusEvent('drill-genuine'));
    },
  };
}

export const forgeries = refused(
  'IngestRequestsRejected',
  '25 requests signed with a secret of their own',
  { status: 401, options: () => ({ secret: foreignSecret() }) },
  async ({ site, step, sms }) => {
    await sms('webhook status', 'the same as at the SMS service');
    await step('RejectedSignatureMismatch counts all of them: forgeries, nothing to do', () =>
      until('it is counted', () => site.monitor.sum('RejectedSignatureMismatch', 'ingest') >= 25),
    );
  },
);

export const foreignAddress = refused(
  'IngestRejectedSource',
  '25 genuine requests from 127.0.0.2, where sms:allowedSourceIps is 127.0.0.1/32',
  { status: 403, options: () => ({ fromAddress: '127.0.0.2' }) },
  // The page asks for the addresses in the access log, which a local run has none of.
  async () => {},
);
