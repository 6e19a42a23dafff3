import { expect, it } from 'vitest';
import {
  coldStartTargets,
  figuresOf,
  renderFigures,
  type Samples,
  summarize,
} from '../../../../../tools/bench/cold-start/cold-start-figures.ts';
import { isReached } from '../../../../../tools/bench/targets.ts';

/** Processor times of the starts of some rounds, and of warm requests; times are half of them. */
function took(initCpuMs: number[], firstCpuMs: number[], warmCpuMs: number[]): Samples {
  const coldCpuMs = initCpuMs.map((value, round) => value + (firstCpuMs[round] ?? 0));
  const half = (values: number[]) => values.map((value) => value / 2);
  return {
    ...figuresOf((): number[] => [1]),
    ...{ initMs: half(initCpuMs), initCpuMs, firstResponseMs: half(firstCpuMs), firstCpuMs },
    ...{ coldMs: half(coldCpuMs), coldCpuMs, warmCpuMs },
  };
}

/** The machine was slow in the last round, and the more so the longer a process ran: ten times. */
const samples = new Map([
  ['empty handler', took([40, 42, 400], [2, 2, 20], [0.1, 0.1, 1])],
  ['SendMessage only', took([50, 52, 500], [12, 12, 120], [0.4, 0.4, 4])],
  ['ingest', took([80, 82, 800], [12, 12, 120], [0.5, 0.7, 5])],
  ['ingest, not awaited', took([60, 62, 600], [32, 32, 320], [0.5, 0.7, 5])],
  ['ingest, esbuild defaults', took([120, 122, 1200], [42, 42, 420], [1.1, 1.1, 11])],
]);
const variants = [...samples.keys()].map((name) => ({ name, folder: '', bytes: 4000 }));

it('ratios are above the empty handler and against the bundle of esbuild defaults, round by round', () => {
  const lines = renderFigures(variants, summarize(samples)).split('\n');
  const rows = lines.filter((line) => line.startsWith('ingest  ')).map((line) => line.split(/ {2,}/));
  const half = '0.50 (0.50-0.50)';
  const quarter = '0.25 (0.25-0.25)';
  const cold = '0.42 (0.42-0.42)';
  expect(rows).toEqual([
    ['ingest', '4.0', '41.0', '82.0', '6.0', '12.0', '47.0', '94.0', '0.700'],
    ['ingest', half, half, quarter, quarter, cold, cold, '0.40 (0.40-0.60)'],
  ]);
});

it('the targets judge processor time: ratios of rounds, and warm requests by the differences in a turn', () => {
  const targets = coldStartTargets(samples).map(({ value, interval, most }) =>
    [value, interval?.low ?? 0, interval?.high ?? 0, most].map((number) => number.toFixed(2)),
  );
  expect(targets).toEqual([
    ['0.42', '0.42', '0.42', '0.40'],
    ['0.25', '0.25', '0.25', '0.33'],
    ['0.30', '0.10', '1.00', '0.10'],
  ]);
  expect(() => coldStartTargets(new Map())).toThrow('no figures');
});

it.each([
  [0.45, true],
  [0.4501, false],
  [Number.NaN, false],
])('a target of 0.45 is met at or below it, and never without a figure: %d', (value, reached) => {
  expect(isReached({ value, most: 0.45 })).toBe(reached);
});
