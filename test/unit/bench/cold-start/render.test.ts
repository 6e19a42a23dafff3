import { describe, expect, it } from 'vitest';
import { median } from '../../../bench/cold-start/median.ts';
import { renderTable } from '../../../bench/cold-start/render-table.ts';
import { renderTargets } from '../../../bench/cold-start/target.ts';

describe('the median', () => {
  it.each([
    [[3], 3],
    [[9, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[10, 9, 1], 9],
  ])('of %j is %d', (values, middle) => {
    expect(median(values)).toBe(middle);
  });

  it('of nothing is no number, and its values keep their order', () => {
    expect(median([])).toBeNaN();
    const values = [2, 1];
    median(values);
    expect(values).toEqual([2, 1]);
  });
});

it('a table is aligned: names to the left, numbers to the right', () => {
  expect(
    renderTable([
      ['', 'ms'],
      ['a', '1'],
      ['long', '100'],
    ]),
  ).toBe(['       ms', 'a       1', 'long  100'].join('\n'));
});

it('a target is reached at most at its value, and never without a figure', () => {
  const target = { name: 'init', most: 0.45, unit: '' };
  const verdict = (value: number) => renderTargets([{ ...target, value }]);
  expect(verdict(0.45)).toBe('reached  init: 0.450, at most 0.45');
  expect(verdict(0.4501)).toMatch(/^MISSED/);
  expect(verdict(Number.NaN)).toMatch(/^MISSED/);
  expect(renderTargets([{ ...target, value: 0.2, unit: 'ms' }])).toContain('0.200 ms, at most 0.45 ms');
});
