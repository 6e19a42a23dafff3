import { expect, it } from 'vitest';
import { renderTargets } from '../../../../../tools/bench/cold-start/cold-start-figures.ts';

it('a target is met at or below its value, and never without a figure', () => {
  const target = { name: 'init', most: 0.45, unit: '' };
  const verdict = (value: number) => renderTargets([{ ...target, value }]);
  expect(verdict(0.45)).toBe('reached  init: 0.450, at most 0.45');
  expect(verdict(0.4501)).toMatch(/^MISSED/);
  expect(verdict(Number.NaN)).toMatch(/^MISSED/);
  expect(renderTargets([{ ...target, value: 0.2, unit: 'ms' }])).toContain('0.200 ms, at most 0.45 ms');
});
