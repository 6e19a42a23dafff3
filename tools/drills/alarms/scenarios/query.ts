import { createQueryClient } from '../../../../cli/stores/query-client.ts';
import { until } from '../../../support/until.ts';
import type { Scenario } from '../scenario.ts';
import type { Site } from '../site.ts';

/** DynamoDB throttles the reads. */
export const queryThrottled: Scenario = {
  alarms: ['QueryQueryFailed'],
  how: 'DynamoDB throttles the query function (/local/faults); seven questions',
  async play({ site, fired, step, fixed, undo }) {
    const fix = await site.spoil({ caller: 'query', service: 'dynamodb', kind: 'throttle' });
    undo(fix);
    for (let question = 0; question < 7; question += 1) await expectAnswer(site, false);
    await fired();
    await step('log Query QUERY-01: throttled; wait', async () => {
      const lines = site.logged('query', 'QUERY-01');
      if (!lines.some((line) => /Throttling|ThroughputExceeded/.test(line)))
        throw new Error('no such QUERY-01');
      await fix();
    });
    await fixed();
    await step('questions are answered', () =>
      until('an answer', () => expectAnswer(site, true).then(() => true)),
    );
  },
};

/** The function query cannot start. */
export const queryBroken: Scenario = {
  alarms: ['QueryQueryErrors'],
  how: 'a deployment of query that does not start; seven questions',
  async play({ site, fired, step, fixed, undo }) {
    const deploy = site.breakCode('query');
    undo(deploy);
    for (let question = 0; question < 7; question += 1) await expectAnswer(site, false);
    await fired();
    await step('the log of query names the error: fix it and deploy again', () => {
      if (site.logged('query', 'does not start').length === 0) throw new Error('no error in the log');
      deploy();
    });
    await fixed();
    await step('questions are answered', () => expectAnswer(site, true));
  },
};

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
