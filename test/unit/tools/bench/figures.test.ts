import { expect, it } from 'vitest';
import { eventFigures } from '../../../../tools/bench/event-figures.ts';
import { isMissed, renderFigures } from '../../../../tools/bench/figure.ts';
import committed from '../../../../tools/cost/measured-usage.json' with { type: 'json' };

it('a figure misses its target if it is above, or could not be measured', () => {
  const missed = [1, 2, 2.1, Number.NaN].map((value) => isMissed({ value, target: 2 }));
  expect(missed).toEqual([false, false, true, true]);
  expect(isMissed({ value: 7 })).toBe(false);
  expect(renderFigures([{ name: 'units', value: 2.1, target: 2, unit: 'ms' }])).toContain('MISSED');
});

it('the bench fails if an event uses more, or less, than estimates of the cost are computed from', () => {
  const missedWith = (tableBytes: number) =>
    eventFigures({ ...committed, inSends: { ...committed.inSends, tableBytes } }, committed)
      .filter(isMissed)
      .map(({ name }) => name);
  expect(missedWith(committed.inSends.tableBytes)).toEqual([]);
  const difference = 'counts, by those of tools/cost/measured-usage.json';
  expect(missedWith(committed.inSends.tableBytes * 1.04)).toEqual([difference]);
  expect(missedWith(committed.inSends.tableBytes * 0.96)).toEqual([difference]);
});
