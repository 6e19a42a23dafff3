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

  it('holds an incident responsible for a send only while it touches the subject', () => {
    const [incident] = simulated.incidents;
    if (incident?.country === undefined) throw new Error('the first incident has a country');
    const other = few.find(({ code }) => code !== incident.country)?.code ?? '';
    const sendIn = (country: string, minute: number) => {
      const send = { sendId: `${country}-${minute}`, subject: { kind: 'country', country }, minute } as const;
      return { ...send, findings: [], since: 0 };
    };
    const badSends = [
      sendIn(incident.country, incident.from),
      sendIn(incident.country, incident.until + 60),
      sendIn(incident.country, incident.from - 1),
      sendIn(incident.country, incident.until + 61),
      sendIn(other, incident.from),
    ];
    const judged = judge({ ...simulated, badSends });
    expect(judged.wronglyBlamed).toBe(2);
    expect(judged.badSendsPerWeek).toBeCloseTo(5 / (8 / 7), 5);
    expect(judged.falseAlarms).toEqual(outcome.falseAlarms);
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
