import { expect, it } from 'vitest';
import {
  coldStartTargets,
  figuresOf,
  renderFigures,
  type Samples,
  summarize,
} from '../../../../../tools/bench/cold-start/cold-start-figures.ts';
import { isReached } from '../../../../../tools/bench/targets.ts';

/** Times of starts, with twice the processor time, and the processor time of warm requests. */
function took(initMs: number[], firstResponseMs: number[], warmCpuMs: number[]): Samples {
  const twice = (values: number[]) => values.map((value) => 2 * value);
  return {
    ...figuresOf((): number[] => [1]),
    ...{ initMs, initCpuMs: twice(initMs), firstResponseMs, firstCpuMs: twice(firstResponseMs) },
    warmCpuMs,
  };
}

/** One slow round must not count, nor one slow turn; of ingest and SendMessage the same one was. */
const samples = new Map([
  ['empty handler', took([40, 41, 900], [2, 2, 90], [0.1, 0.1, 9])],
  ['SendMessage only', took([60], [20], [8.9, 0.4, 0.5])],
  ['ingest', took([65, 61, 60], [900, 26, 20], [9, 0.62, 0.6])],
  ['ingest, esbuild defaults', took([91], [42], [0.7])],
]);

it('medians are set above the empty handler and against the bundle of esbuild defaults', () => {
  const [, line] = renderFigures([{ name: 'ingest', folder: '', bytes: 4000 }], summarize(samples)).split(
    '\n',
  );
  const row = ['ingest', '4.0', '61.0', '0.40', '26.0', '0.60', '52.0', '0.60', '0.620', '0.87'];
  expect(line?.split(/ {2,}/)).toEqual(row);
});

it('the targets compare the starts with the defaults, and warm CPU by the differences in a turn', () => {
  expect(coldStartTargets(samples).map(({ value, most }) => [value.toFixed(2), most])).toEqual([
    ['0.40', 0.45],
    ['0.60', 0.6],
    ['0.10', 0.1],
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
