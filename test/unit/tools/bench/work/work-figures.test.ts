import { expect, it } from 'vitest';
import { renderWork, workTargets } from '../../../../../tools/bench/work/work-figures.ts';

const rows = [
  { name: 'worker', batchSize: 100, perMessage: 1, cpuMicroseconds: 900, sdkCalls: 1 },
  { name: 'worker', batchSize: 100, perMessage: 3, cpuMicroseconds: 450, sdkCalls: 0.34 },
  { name: 'publisher', batchSize: 100, perMessage: 3, cpuMicroseconds: 200, sdkCalls: 0.1 },
] as const;

it('the targets are about the worker in batches of 100 with three events a message', () => {
  expect(workTargets(rows).map(({ value, most }) => [value, most])).toEqual([
    [0.45, 0.6],
    [0.34, 0.4],
  ]);
  expect(() => workTargets(rows.slice(0, 1))).toThrow('no figures');
});

it('a row says what was given, what it took and what was called', () => {
  expect(renderWork(rows).split('\n')[2]?.trim().split(/ +/)).toEqual(['worker', '3', '100', '450', '0.340']);
});
