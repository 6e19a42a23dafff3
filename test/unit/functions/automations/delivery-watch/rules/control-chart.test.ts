import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addToSum,
  advanceChart,
  type ChartState,
  calmQuarters,
  chartAtRest,
  type Step,
} from '../../../../../../functions/automations/delivery-watch/rules/control-chart.ts';
import { assertProperty } from '../../../../../support/property.ts';

function run(steps: readonly Step[], state: ChartState = chartAtRest): ChartState {
  return steps.reduce(advanceChart, state);
}
const times = (count: number, step: Step) => Array.from({ length: count }, () => step);

describe('a signal', () => {
  it('is out at once with a large effect and a high score', () => {
    expect(run([{ score: 4, effect: 'large' }]).isOut).toBe(true);
    expect(run([{ score: 3.9, effect: 'large' }]).isOut).toBe(false);
    expect(run([{ score: 20, effect: 'notable' }]).isOut).toBe(false);
  });

  it('is out when a notable effect lasts', () => {
    expect(run(times(3, { score: 2.5, effect: 'notable' })).isOut).toBe(false);
    expect(run(times(4, { score: 2.5, effect: 'notable' })).isOut).toBe(true);
  });

  it('is never out by an effect that is too small to matter', () => {
    expect(run(times(50, { score: 30, effect: 'small' })).isOut).toBe(false);
  });

  it('stays within its limits by chance', () => {
    const chance = times(200, { score: 1.2, effect: 'notable' }).map((step, index) =>
      index % 2 === 0 ? step : { ...step, score: -1.2 },
    );
    expect(run(chance).isOut).toBe(false);
  });

  it('returns after an hour of normal quarter hours in a row', () => {
    const out = run([{ score: 9, effect: 'large' }]);
    const normal: Step = { score: 0, effect: 'none' };
    expect(run(times(calmQuarters - 1, normal), out).isOut).toBe(true);
    expect(run(times(calmQuarters, normal), out)).toEqual(chartAtRest);
    const relapse: Step[] = [...times(calmQuarters - 1, normal), { score: 3, effect: 'small' }, normal];
    expect(run(relapse, out).isOut).toBe(true);
  });

  it('is never out below the score that counts as present', () => {
    const step = fc.record({
      score: fc.double({ min: -10, max: 1.99, noNaN: true }),
      effect: fc.constantFrom<Step['effect'][]>('none', 'small', 'notable', 'large'),
    });
    assertProperty(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        expect(run(steps).isOut).toBe(false);
      }),
    );
  });
});

it('a quarter hour that must not take a signal out adds to its sum', () => {
  const held = addToSum({ ...chartAtRest, sum: 6 }, 9);
  expect(held).toEqual({ sum: 8.75, isOut: false, calm: 0 });
  expect(advanceChart(held, { score: 2.5, effect: 'notable' }).isOut).toBe(true);
});
