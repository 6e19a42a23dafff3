import { expect, it } from 'vitest';
import {
  type ColdFigures,
  coldStartTargets,
  renderFigures,
  type Samples,
  summarize,
} from '../../../../../tools/bench/cold-start/cold-start-figures.ts';
import { variantNames } from '../../../../../tools/bench/cold-start/variants.ts';
import { isReached } from '../../../../../tools/bench/targets.ts';

const variants = variantNames.map((name, index) => ({ name, folder: '/nowhere', bytes: 1000 * (index + 1) }));

/** Processor time of each is twice the time. */
function took(initMs: number, firstResponseMs: number): ColdFigures {
  return { initMs, initCpuMs: 2 * initMs, firstResponseMs, firstCpuMs: 2 * firstResponseMs };
}

const warm = (...cpu: number[]) => cpu.map((warmCpuMs) => ({ warmMs: 1, warmCpuMs }));

/** One slow round must not count, nor one slow turn; of ingest and SendMessage the same one was. */
const samples: Samples = {
  cold: {
    'empty handler': [took(40, 2), took(41, 2), took(900, 90)],
    'HMAC only': [took(45, 3)],
    'SendMessage only': [took(60, 20)],
    ingest: [took(65, 900), took(61, 26), took(60, 20)],
    'ingest, not awaited': [took(50, 38)],
    'ingest, esbuild defaults': [took(91, 42)],
  },
  warm: {
    'empty handler': warm(0.1, 0.1, 9),
    'HMAC only': warm(0.2),
    'SendMessage only': warm(8.9, 0.4, 0.5),
    ingest: warm(9, 0.62, 0.6),
    'ingest, not awaited': warm(0.6),
    'ingest, esbuild defaults': warm(0.7),
  },
};
const rows = summarize(variants, samples);

it('medians are set above the empty handler and against the bundle of esbuild defaults', () => {
  const ingest = renderFigures(rows)
    .split('\n')
    .find((line) => line.startsWith('ingest '))
    ?.split(/ {2,}/);
  expect(ingest).toEqual(['ingest', '4.0', '61.0', '0.40', '26.0', '0.60', '52.0', '0.60', '0.620', '0.87']);
});

it('the targets compare the starts with the defaults, and warm CPU by the differences in a turn', () => {
  expect(coldStartTargets(rows, samples).map(({ value, most }) => [value.toFixed(2), most])).toEqual([
    ['0.40', 0.45],
    ['0.60', 0.6],
    ['0.10', 0.1],
  ]);
  expect(() => coldStartTargets([], samples)).toThrow('no figures');
});

it.each([
  [0.45, true],
  [0.4501, false],
  [Number.NaN, false],
])('a target of 0.45 is met at or below it, and never without a figure: %d', (value, reached) => {
  expect(isReached({ value, most: 0.45 })).toBe(reached);
});
