import { describe, expect, it } from 'vitest';
import { countries } from '../../../../tools/watch-simulation/countries.ts';
import { judge, missed, rowOf } from '../../../../tools/watch-simulation/outcome.ts';
import { simulate } from '../../../../tools/watch-simulation/simulate.ts';

describe('a simulation of two countries with an incident of each kind in eight days', () => {
  const few = countries.filter(({ code }) => code === 'DE' || code === 'FR');
  const options = { seed: 7, countries: few, historyDays: 14, days: 8, incidents: 4 };
  const simulated = simulate(options);
  const outcome = judge(simulated);

  it('finds all four, with few false alarms', () => {
    expect(simulated.messages).toBeGreaterThan(300_000);
    expect(outcome.incidents.map(({ found }) => found !== undefined)).toEqual([true, true, true, true]);
    expect(outcome.falseAlarms.length).toBeLessThanOrEqual(1);
  });

  it('reports each subject in turns: degraded, recovered, degraded', () => {
    const bySubject = Map.groupBy(simulated.changes, ({ subject }) => JSON.stringify(subject));
    for (const changes of bySubject.values())
      expect(changes.map(({ kind }) => kind)).toEqual(
        changes.map((_, index) => (index % 2 === 0 ? 'degraded' : 'recovered')),
      );
  });

  it('reports a send once, and not as a false alarm', () => {
    const ids = simulated.badSends.map(({ sendId }) => sendId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(outcome.badSendsPerWeek).toBeCloseTo(ids.length / (8 / 7), 5);
    expect(outcome.wronglyBlamed).toBeLessThanOrEqual(ids.length);
  });

  it('says which targets it misses', () => {
    const nothingFound = {
      ...outcome,
      incidents: outcome.incidents.map(({ incident }) => ({
        incident,
        found: undefined,
        minutes: undefined,
      })),
    };
    expect(missed([{ ...nothingFound, falseAlarmsPerWeek: 3 }])).toEqual([
      '0.0 found within 30 minutes, target 18',
      '3.00 false alarms a week, target 1',
    ]);
    expect(rowOf(nothingFound).slice(0, 3)).toEqual(['7', '0/4', '0/4']);
  });
});
