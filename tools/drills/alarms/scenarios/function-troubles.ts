import * as z from 'zod';
import { createClient } from '../../../../client/index.ts';
import { until } from '../../../support/until.ts';
import { statusEvent } from '../event-bodies.ts';
import type { Scenario, Stage } from '../scenario.ts';
import type { Site } from '../site.ts';
import { untilPublished } from './publisher.ts';

type Act = (site: Site) => unknown;

/** One function is in trouble, and works again as soon as the trouble is over. */
interface Trouble {
  readonly alarm: string;
  readonly how: string;
  /** Begins the trouble. @returns how to end it */
  readonly begin: (site: Site) => Promise<() => unknown>;
  /** Has the function do what its alarm counts. */
  readonly cause: Act;
  /** What the page of the runbook says to look at. */
  readonly look?: (stage: Stage) => Promise<unknown>;
  /** What the page says to do then. */
  readonly end: string;
  /** The function does its work. */
  readonly works: readonly [text: string, act: Act];
}

function scenarioOf({ alarm, how, begin, cause, look, end, works: [text, act] }: Trouble): Scenario {
  return {
    alarms: [alarm],
    how,
    async play(stage) {
      const { site, fired, step, fixed, undo } = stage;
      const endTrouble = await undo(begin(site));
      await cause(site);
      await fired();
      await look?.(stage);
      await step(end, endTrouble);
      await step(text, () => act(site));
      await fixed();
      await act(site);
    },
  };
}

/** The function cannot start. */
function broken(label: string, parts: Pick<Trouble, 'alarm' | 'cause' | 'look' | 'works'>) {
  return scenarioOf({
    ...parts,
    how: `a deployment of ${label} that does not start`,
    begin: async (site) => site.breakCode(label),
    end: 'fix it and deploy again',
    look: async (stage) => {
      await parts.look?.(stage);
      await stage.log(label, 'does not start');
    },
  });
}

/** DynamoDB throttles the function. */
const throttled = (caller: string) => (site: Site) =>
  site.spoil({ caller, service: 'dynamodb', kind: 'throttle' });

const catchesUp: Trouble['works'] = [
  'it catches up by itself',
  async (site) => {
    const id = `drill-published-${Date.now()}`;
    await site.post(statusEvent(id));
    await untilPublished(site, id);
  },
];
export const publisherBroken = broken('publisher', {
  alarm: 'PublisherPublisherErrors',
  cause: (site) => site.post(statusEvent('drill-unpublished')),
  works: catchesUp,
});
export const publisherThrottled = scenarioOf({
  alarm: 'PublisherPublisherErrors',
  how: 'reserved concurrency 0 for the publisher (PutFunctionConcurrency)',
  begin: (site) => site.throttle('publisher'),
  cause: (site) => site.post(statusEvent('drill-not-started')),
  end: 'aws lambda delete-function-concurrency',
  works: catchesUp,
});

const askSeven: Act = async (site) => {
  for (let question = 0; question < 7; question += 1) await expectAnswer(site, false);
};
const answers: Trouble['works'] = [
  'questions are answered',
  (site) => until('an answer', () => expectAnswer(site, true).then(() => true)),
];
export const queryBroken = broken('query', { alarm: 'QueryQueryErrors', cause: askSeven, works: answers });
export const queryThrottled = scenarioOf({
  alarm: 'QueryQueryErrors',
  how: 'DynamoDB throttles the query function (/local/faults); seven questions',
  begin: throttled('query'),
  cause: askSeven,
  look: ({ log }) => log('query', 'QUERY-01', /Throttling|ThroughputExceeded/),
  end: 'wait',
  works: answers,
});

export const setupBroken = broken('setup', {
  alarm: 'SetupSetupErrors',
  cause: async (site) => {
    for (let run = 0; run < 2; run += 1) await site.invoke('setup', { action: 'reconcile' });
  },
  look: ({ sms }) => sms('webhook status', '', 1),
  works: [
    'webhook status and reconcile answer again',
    async (site) => {
      await site.sms('webhook status');
      await site.sms('webhook reconcile');
    },
  ],
});

const sweeps: Trouble['works'] = ['run it by hand (aws lambda invoke)', (site) => site.succeed('sweep')];
export const sweepBroken = broken('sweep', {
  alarm: 'SweepSweepErrors',
  cause: async (site) => {
    for (let run = 0; run < 2; run += 1) await site.invoke('sweep');
  },
  works: sweeps,
});
export const sweepThrottled = scenarioOf({
  alarm: 'SweepSweepErrors',
  how: 'DynamoDB throttles the sweep (/local/faults), run by hand as its schedule does',
  begin: throttled('sweep'),
  cause: (site) => site.invoke('sweep'),
  look: ({ log }) => log('sweep', 'SWEEP-02', /throttling/),
  end: "raise its share of the table's writes",
  works: sweeps,
});

export const deliveryWatchBroken = broken('delivery-watch', {
  alarm: 'DeliveryWatchDeliveryWatchErrors',
  cause: async (site) => {
    for (let run = 0; run < 2; run += 1) await site.invoke('delivery-watch');
  },
  works: ['it judges the quarter hours that it missed', (site) => site.succeed('delivery-watch')],
});

export const queueUnavailable = scenarioOf({
  alarm: 'IngestRequestsNotAccepted',
  how: 'SQS answers 500 to ingest (/local/faults)',
  begin: (site) => site.spoil({ caller: 'ingest', service: 'sqs', operation: 'SendMessage', kind: 'fail' }),
  cause: (site) => site.post(statusEvent('drill-unaccepted'), 503),
  look: async ({ sms, log }) => {
    await log('ingest', 'INGEST-02');
    await sms('message get drill-unaccepted', 'No message "drill-unaccepted"', 1);
  },
  end: 'INGEST-02: SQS did not confirm; wait until it does',
  works: [
    'the service sends the event again',
    async (site) => {
      await site.post(statusEvent('drill-unaccepted'));
      await site.untilStored('drill-unaccepted');
    },
  ],
});

export const webhookDrifted: Scenario = {
  alarms: ['SetupWebhookDrifted'],
  how: "the webhook's URL is changed at the service, past the pipeline; reconcile runs",
  async play({ site, fired, step, sms, fixed, undo }) {
    await undo(() => site.sms('webhook register'));
    const driftBefore = site.logged('setup', 'SETUP-11').length;
    await site.sandbox.changeUrl('https://elsewhere.example/hook');
    await sms('webhook status', 'elsewhere');
    await site.sms('webhook reconcile');
    await fired();
    await step('log Setup SETUP-11', () => {
      if (site.logged('setup', 'SETUP-11').length === driftBefore) throw new Error('no SETUP-11');
    });
    await fixed();
    // With webhookDrift: repair it has been put right.
    await sms('webhook status', 'registered: the SMS service sends its events here');
    const before = await webhookAtService(site);
    await sms('webhook register');
    if ((await webhookAtService(site)) !== before) throw new Error('the webhook is another');
    await site.sms('webhook reconcile');
  },
};

/** The webhook as the service has it; JSON. */
async function webhookAtService({ pipeline }: Site): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${pipeline.port + 1}/sandbox/state`);
  const { webhook } = z.object({ webhook: z.unknown() }).parse(await response.json());
  return JSON.stringify(webhook);
}

/** @throws Error where a question is answered otherwise than expected */
async function expectAnswer(site: Site, isGood: boolean): Promise<void> {
  const client = createClient({
    baseUrl: site.output('QueryUrl'),
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const answer = await client.listMessages({ state: 'failed' }).then(() => 'an answer', String);
  if ((answer === 'an answer') !== isGood) throw new Error(`a question got: ${answer}`);
}
