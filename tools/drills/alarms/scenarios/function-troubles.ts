import { createQueryClient } from '../../../../cli/stores/query-client.ts';
import { until } from '../../../support/until.ts';
import { statusEvent } from '../event-bodies.ts';
import { expectText, type Scenario } from '../scenario.ts';
import type { Site } from '../site.ts';
import { untilPublished } from './publisher.ts';

type Act = (site: Site) => unknown;
type Step = readonly [text: string, act: Act];

/** One function is in trouble, and works again as soon as the trouble is over. */
interface Trouble {
  readonly alarm: string;
  readonly how: string;
  /** Begins the trouble. @returns how to end it */
  readonly begin: (site: Site) => Promise<() => unknown>;
  /** Has the function do what its alarm counts. */
  readonly cause: Act;
  /** What the page of the runbook says to look at. */
  readonly looks: readonly Step[];
  /** What the page says to do then. */
  readonly end: string;
  /** The function does its work. */
  readonly works: Step;
}

function scenarioOf({ alarm, how, begin, cause, looks, end, works }: Trouble): Scenario {
  return {
    alarms: [alarm],
    how,
    async play({ site, fired, step, fixed, undo }) {
      const endTrouble = await begin(site);
      undo(endTrouble);
      await cause(site);
      await fired();
      for (const [text, act] of looks) await step(text, () => act(site));
      await step(end, () => endTrouble());
      await step(works[0], () => works[1](site));
      await fixed();
      await works[1](site);
    },
  };
}

/** The function cannot start. */
function broken(label: string, parts: Pick<Trouble, 'alarm' | 'cause' | 'works'> & Partial<Trouble>) {
  return scenarioOf({
    how: `a deployment of ${label} that does not start`,
    begin: async (site) => site.breakCode(label),
    end: 'fix it and deploy again',
    ...parts,
    looks: [
      ...(parts.looks ?? []),
      [`the log of ${label} names the error`, (site) => site.expectLogged(label, 'does not start')],
    ],
  });
}

/** DynamoDB throttles the function. */
const throttled = (caller: string) => (site: Site) =>
  site.spoil({ caller, service: 'dynamodb', kind: 'throttle' });

const catchesUp: Step = [
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
  alarm: 'PublisherPublisherThrottled',
  how: 'reserved concurrency 0 for the publisher (PutFunctionConcurrency)',
  begin: (site) => site.throttle('publisher'),
  cause: (site) => site.post(statusEvent('drill-not-started')),
  looks: [],
  end: 'aws lambda delete-function-concurrency',
  works: catchesUp,
});

const askSeven: Act = async (site) => {
  for (let question = 0; question < 7; question += 1) await expectAnswer(site, false);
};
const answers: Step = [
  'questions are answered',
  (site) => until('an answer', () => expectAnswer(site, true).then(() => true)),
];
export const queryBroken = broken('query', { alarm: 'QueryQueryErrors', cause: askSeven, works: answers });
export const queryThrottled = scenarioOf({
  alarm: 'QueryQueryFailed',
  how: 'DynamoDB throttles the query function (/local/faults); seven questions',
  begin: throttled('query'),
  cause: askSeven,
  looks: [
    [
      'log Query QUERY-01: throttled',
      (site) => site.expectLogged('query', 'QUERY-01', /Throttling|ThroughputExceeded/),
    ],
  ],
  end: 'wait',
  works: answers,
});

export const setupBroken = broken('setup', {
  alarm: 'SetupSetupErrors',
  cause: async (site) => {
    for (let run = 0; run < 2; run += 1) await site.invoke('setup', { action: 'reconcile' });
  },
  looks: [['webhook status fails (exit code 1)', (site) => site.sms('webhook status', 1)]],
  works: [
    'webhook status and reconcile answer again',
    async (site) => {
      await site.sms('webhook status');
      await site.sms('webhook reconcile');
    },
  ],
});

const sweeps: Step = [
  'run it by hand (aws lambda invoke)',
  async (site) => {
    if (!(await site.invoke('sweep'))) throw new Error('it failed');
  },
];
export const sweepBroken = broken('sweep', {
  alarm: 'SweepSweepErrors',
  cause: async (site) => {
    for (let run = 0; run < 2; run += 1) await site.invoke('sweep');
  },
  works: sweeps,
});
export const sweepThrottled = scenarioOf({
  alarm: 'SweepSweepUnfinished',
  how: 'DynamoDB throttles the sweep (/local/faults), run by hand as its schedule does',
  begin: throttled('sweep'),
  cause: (site) => site.invoke('sweep'),
  looks: [['log Sweep SWEEP-02: throttling', (site) => site.expectLogged('sweep', 'SWEEP-02', /throttling/)]],
  end: "raise its share of the table's writes",
  works: sweeps,
});

export const queueUnavailable = scenarioOf({
  alarm: 'IngestServerErrors',
  how: 'SQS answers 500 to ingest (/local/faults)',
  begin: (site) => site.spoil({ caller: 'ingest', service: 'sqs', operation: 'SendMessage', kind: 'fail' }),
  cause: (site) => site.post(statusEvent('drill-unaccepted'), 503),
  looks: [
    ['log Ingest INGEST-02, INGEST-03, INGEST-04', (site) => site.expectLogged('ingest', 'INGEST-02')],
    [
      'the history has no such message as the service reported',
      async (site) =>
        expectText(await site.sms('history message drill-unaccepted', 1), 'No message "drill-unaccepted"'),
    ],
  ],
  end: 'INGEST-02: SQS did not confirm; wait until it does',
  works: [
    'the service sends the event again',
    async (site) => {
      await site.post(statusEvent('drill-unaccepted'));
      await site.untilStored('drill-unaccepted');
    },
  ],
});

/** @throws Error where a question is answered otherwise than expected */
async function expectAnswer(site: Site, isGood: boolean): Promise<void> {
  const client = createQueryClient({
    baseUrl: site.output('QueryUrl'),
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const answer = await client.failed().then(
    () => 'an answer',
    (error: unknown) => String(error),
  );
  if ((answer === 'an answer') !== isGood) throw new Error(`a question got: ${answer}`);
}
