import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { lookupsCost } from '../../../../tools/bench/look-ups-cost.ts';

it('look-ups cost at most 0.10 dollars a million events, and the page on cost has the figures', () => {
  const { reads, writes, lambda, all } = lookupsCost(1e6);
  expect(all).toBeLessThanOrEqual(0.1);
  const page = readFileSync(new URL('../../../../docs/reference/cost.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('\n## Look-ups\n');
  const figures = [
    ...(section.split('\n## ')[0] ?? '').matchAll(/^\|.*\| (?:\*\*)?(\d\.\d+)(?:\*\*)? \|$/gm),
  ];
  expect(figures.map(([, figure]) => figure)).toEqual(
    [reads, writes, lambda, all].map((dollars) => dollars.toFixed(3)),
  );
});
