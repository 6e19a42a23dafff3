import { describe, expect, it } from 'vitest';
import type { PassResult } from '../../../../../tools/bench/pipeline/pass.ts';
import { describeCpu, judge, render } from '../../../../../tools/bench/pipeline/report.ts';

const storing = {
  ...{ what: 'storing', events: 1500, seconds: 10 },
  cpu: { parts: [['worker', 12] as const, ['gateway', 3] as const, ['setup', 0] as const], others: 1 },
};
const passOf = (arrangement: PassResult['arrangement'], stored: number): PassResult => ({
  ...{ name: `${arrangement} ${stored}`, arrangement, messages: 500, events: 1500, isQueuedFirst: true },
  ...{ accepted: 500, stored, published: 480, stretches: [storing] },
});

const updateRates = [900, 1000, 1400];
const passes = [passOf('apart', 600), passOf('apart', 599), passOf('together', 1100)];
const verdicts = judge(updateRates, passes);

it('judge compares with the median of what DynamoDB Local alone took, by the target of each load', () => {
  expect(verdicts.map(({ ratio, isReached }) => [ratio, isReached])).toEqual([
    [0.6, true],
    [0.599, false],
    [1.1, false],
  ]);
});

describe('the CPU time of a period', () => {
  it.each([
    [2, 'something else than the cores bounds it'],
    [1.6, '1.60 of 1.6 cores at work, the cores bound it'],
  ])('is compared with all that %d cores can do', (cores, text) => {
    expect(describeCpu(storing, cores)).toContain(text);
  });

  it('is divided among the parts that used any', () => {
    const text = 'worker 80 % (8.00 ms an event), gateway 20 % (2.00 ms an event)';
    expect(describeCpu(storing, 2).endsWith(text)).toBe(true);
  });
});

it('the table names a missed target, and judges no pass without one', () => {
  const other = { ...passOf('apart', 700), name: 'one host' };
  const text = render({ cores: 2, updateRates, passes: [...passes, other], verdicts });
  expect(text).toMatch(/apart 599 +1500 +500 +599 +480 +0\.60 +0\.6 +MISSED/);
  expect(text).toMatch(/one host +1500 +500 +700 +480$/m);
});
