import { expect, it } from 'vitest';
import type { PassResult } from '../../../../../tools/bench/pipeline/pass.ts';
import { judge, render } from '../../../../../tools/bench/pipeline/report.ts';

const cpu = { parts: [['ingest', 0.6] as const, ['worker', 0.2] as const], others: 1 };
const pass: PassResult = {
  ...{ name: 'apart, all at once', arrangement: 'apart', messages: 33, isQueuedFirst: false, events: 100 },
  ...{ accepted: 210, stored: 200, published: 190 },
  stretches: [{ what: 'all at once', events: 100, seconds: 1, cpu }],
};
const updates = [
  { perSecond: 100, cpuMs: 12 },
  { perSecond: 200, cpuMs: 8 },
  { perSecond: 300, cpuMs: 4 },
];

it('the bench compares what was stored with the median of DynamoDB Local alone, by rate and by CPU', () => {
  const [verdict] = judge(updates, [pass]);
  expect(verdict).toEqual({ name: pass.name, ratio: 1, cpuRatio: 1, target: 0.85, isReached: true });
  const [slower] = judge(updates, [{ ...pass, arrangement: 'together' }]);
  expect(slower).toMatchObject({ ratio: 1, target: 1.2, isReached: false });
});

it('the report shows batches, ratios and the CPU of an event by part', () => {
  const passes = [pass];
  const text = render({ cores: 2, batchSize: 6, updates, passes, verdicts: judge(updates, passes) });
  expect(text).toContain('Batches of at most 6.');
  expect(text).toContain('100 (12.00 ms of CPU each), 200 (8.00 ms of CPU each)');
  expect(text).toMatch(/apart, all at once +100 +210 +200 +190 +1\.00 +1\.00 +0\.85 +reached/);
  expect(text).toContain('8.00 ms of CPU an event, 1.80 of 2 cores at work');
  expect(text).toContain('ingest 75 % (6.00 ms an event), worker 25 % (2.00 ms an event)');
});
