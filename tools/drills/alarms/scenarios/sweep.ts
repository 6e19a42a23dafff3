import type { Scenario } from '../scenario.ts';

/** The function sweep cannot start. */
export const sweepBroken: Scenario = {
  alarms: ['SweepSweepErrors'],
  how: 'a deployment of sweep that does not start, run by hand as its schedule does',
  async play({ site, fired, step, fixed, undo }) {
    const deploy = site.breakCode('sweep');
    undo(deploy);
    const failedBefore = site.logged('sweep', 'SWEEP-03').length;
    for (let run = 0; run < 2; run += 1) await site.invoke('sweep');
    await fired();
    await step('the log of sweep has no SWEEP-03, but the error: fix it and deploy again', () => {
      if (site.logged('sweep', 'does not start').length === 0) throw new Error('no error in the log');
      if (site.logged('sweep', 'SWEEP-03').length > failedBefore) throw new Error('SWEEP-03 came');
      deploy();
    });
    await fixed();
    await step('run it by hand (aws lambda invoke)', async () => {
      if (!(await site.invoke('sweep'))) throw new Error('it failed');
    });
  },
};

/** DynamoDB throttles the sweep. */
export const sweepThrottled: Scenario = {
  alarms: ['SweepSweepUnfinished'],
  how: 'DynamoDB throttles the sweep (/local/faults), run by hand as its schedule does',
  async play({ site, fired, step, fixed, undo }) {
    const fix = await site.spoil({ caller: 'sweep', service: 'dynamodb', kind: 'throttle' });
    undo(fix);
    await site.invoke('sweep');
    await fired();
    await step('log Sweep SWEEP-02: throttling', () => {
      if (!site.logged('sweep', 'SWEEP-02').some((line) => line.includes('throttling')))
        throw new Error('no such SWEEP-02');
    });
    await step("raise its share of the table's writes", fix);
    await fixed();
    await step('run it by hand (aws lambda invoke)', async () => {
      if (!(await site.invoke('sweep'))) throw new Error('it failed');
    });
  },
};
