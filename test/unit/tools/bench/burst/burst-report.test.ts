import { expect, it } from 'vitest';
import { playBurst } from '../../../../../tools/bench/burst/burst-model.ts';
import { renderSummary, renderTimeline, summarize } from '../../../../../tools/bench/burst/burst-report.ts';

const load = { messages: 1_000_000, overSeconds: 60, steadyPerSecond: 0 };
const worker = {
  batchSize: 100,
  windowSeconds: 1,
  batchMs: 250,
  maximumConcurrency: 5,
  visibilitySeconds: 121,
  maxReceiveCount: 20,
  tablePerSecond: Number.POSITIVE_INFINITY,
};

it('the report shows when the backlog is largest, how long it lasts and which alarm goes off', () => {
  expect(summarize(playBurst(load, worker, 3600), load)).toEqual({
    peakBacklog: { messages: 880_000, second: 60 },
    oldest: { seconds: 440, second: 499 },
    drainedAfterSeconds: 500,
    drainSeconds: 440,
    maxConcurrency: 5,
    failedReceives: 0,
    deadLetters: 0,
    behind: { from: 480, to: 600 },
    failing: undefined,
  });
});

it('the report names a table that throttles', () => {
  // The maximum in flight, so that all messages are redelivered in each turn.
  const inFlight = { ...load, messages: 100_000 };
  const summary = summarize(playBurst(inFlight, { ...worker, tablePerSecond: 0 }, 3600), inFlight);
  expect(summary.deadLetters).toBeGreaterThan(0);
  expect(summary.failing).toMatchObject({ from: 600 });
});

it('the report shows the backlog over time in a few lines', () => {
  const run = playBurst(load, worker, 3600);
  const lines = renderTimeline(run).split('\n');
  expect(lines).toHaveLength(17);
  expect(lines.at(-1)?.split(/ {2,}/).slice(1)).toEqual(['8 m 20 s', '5', '2,000', '0', '0', '0 s']);
  const text = renderSummary(summarize(run, load), load, worker);
  expect(text).toContain("drained                       7 m 20 s after the burst's end");
  expect(text).toContain('alarm EventsQueueBehind       after 8 m 0 s at the earliest, over after 10 m 0 s');
});

it('the report shows that a burst is not worked off', () => {
  const run = playBurst(load, worker, 120);
  expect(renderSummary(summarize(run, load), load, worker)).toContain('not by the end');
});
