import { describe, expect, it } from 'vitest';
import type { PassResult } from '../../../../../tools/bench/pipeline/pass.ts';
import { boundOf, judge, render } from '../../../../../tools/bench/pipeline/report.ts';

const cores = { database: 0.9, client: 0.6 };
const updates = [900, 1000, 1400].map((direct) => ({
  ...{ direct, folded: 700 },
  cores: { direct: { database: direct / 1000, client: 0.6 }, folded: cores },
}));

const passOf = (arrangement: PassResult['arrangement'], stored: number): PassResult => ({
  arrangement,
  events: 1500,
  isQueuedFirst: true,
  accepted: 500,
  stored,
  published: 480,
  longestPauseSeconds: 121.4,
  stretches: [
    {
      what: 'storing',
      events: 1500,
      seconds: 10,
      cpu: {
        parts: [
          ['worker', 12],
          ['gateway', 3],
          ['setup', 0],
        ],
        others: 1,
      },
    },
  ],
});

describe('judge', () => {
  it('compares with the median of what DynamoDB Local alone took, by the target of each load', () => {
    const verdicts = judge(updates, [passOf('apart', 600), passOf('apart', 599), passOf('together', 1100)]);
    expect(verdicts.map(({ ratio, isReached }) => [ratio, isReached])).toEqual([
      [0.6, true],
      [0.599, false],
      [1.1, false],
    ]);
  });
});

describe('boundOf', () => {
  it.each([
    [2, 'something else than the cores bounds it'],
    [1.6, '1.60 of 1.6 cores at work, the cores bound it'],
  ])('looks at the work of all programs on %d cores', (cores, text) => {
    expect(boundOf(passOf('apart', 1), cores)).toContain(text);
  });

  it('names the parts that need most, with their shares of the pipeline', () => {
    expect(boundOf(passOf('apart', 1), 2)).toContain('most need worker 80 %, gateway 20 %');
  });
});

describe('render', () => {
  const passes = [passOf('apart', 599)];
  const text = render({ cores: 2, updates, passes, scaling: [], verdicts: judge(updates, passes) });

  it('names a missed target', () => {
    expect(text).toMatch(/apart, queued first +1500 +500 +599 +480 +121 +0\.60 +0\.6 +MISSED/);
  });

  it('names the bound of the baseline: the busy cores of database and client', () => {
    expect(text).toMatch(/cores at work meanwhile.*\none event in each +1\.00 +0\.60$/m);
  });

  it('lists the time of each part, in shares and for an event, without parts that used none', () => {
    expect(text).toMatch(/worker +12\.0 +80 % +1\.20 +8\.000/);
    expect(text).toMatch(/all parts +15\.0 +100 % +1\.50 +10\.000/);
    expect(text).not.toContain('setup');
  });
});
