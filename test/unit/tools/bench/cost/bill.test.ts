import { describe, expect, it } from 'vitest';
import { allInPerMillion, billOf, perMillion } from '../../../../../tools/bench/cost/bill.ts';
import { parsePrices } from '../../../../../tools/bench/cost/prices.ts';
import shipped from '../../../../../tools/bench/cost/prices-us-east-1.json' with { type: 'json' };
import { reportOf } from '../../../../../tools/bench/cost/report.ts';
import { model, scenario } from './figures.ts';

const prices = parsePrices(JSON.stringify(shipped), 'shipped');
const bill = (events: number, perSecond: number) => billOf(model, scenario, prices, { events, perSecond });

describe('the bill of a month', () => {
  it('separates costs of events from fixed costs, and lists both in its lines', () => {
    const { lines, fixed } = bill(1e6, 50);
    const lineOf = (name: string) => lines.find(({ billable }) => billable === name);
    expect(lineOf('httpApiRequests')).toMatchObject({ units: 1e6, dollars: 1, fixedDollars: 0 });
    expect(lineOf('dynamoDbWriteUnits')?.dollars).toBeCloseTo(2.5 * 0.625);
    expect(lineOf('alarms')).toMatchObject({ dollars: 0, fixedDollars: 2 });
    expect(lineOf('customMetrics')?.fixedDollars).toBeCloseTo(3);
    expect(fixed).toBeCloseTo(lines.reduce((sum, { fixedDollars }) => sum + fixedDollars, 0));
  });

  it('raises a rate at which the events would need more than a month', () => {
    expect(bill(1e9, 1).perSecond).toBeCloseTo(1e9 / (730 * 3600));
    expect(bill(1e6, 50).perSecond).toBe(50);
  });

  it('is lower for a million events that arrive together', () => {
    expect(perMillion(bill(1e6, 50))).toBeLessThan(perMillion(bill(1e6, 0)));
  });
});

describe('the report', () => {
  const reportWith = (changes: object) =>
    reportOf({
      ...{ model, prices, events: 10e6, volumes: [1e4, 1e6], perSecond: 50 },
      scenario: { ...scenario, ...changes },
    }).join('\n\n');
  const text = reportWith({});

  it('judges the costs that depend on events, and also shows the full cost of a million', () => {
    expect(text).toMatch(
      /^MISSED: \d+\.\d\d US dollars for a million events, variable, at 50 events a second; 5 aimed at/m,
    );
    const [one, ten] = [bill(1e6, 50), bill(10e6, 50)].map((each) => allInPerMillion(each).toFixed(2));
    expect(text).toContain(`for a million events: ${one} at 1M events a month, ${ten} at 10M events a month`);
    const cheap = reportWith({ retentionDays: 1 });
    expect(cheap).toMatch(/^kept: 4\.\d\d US dollars for a million events, variable/m);
    expect(cheap).toMatch(/^all in, .* 1\d\.\d\d at 1M events a month/m);
  });

  it('has the bounds of the assumed number of receives', () => {
    // A send, a delete for ten, and of eleven events 2, 1.1 or 11 receives.
    expect(text).toContain('at 50 a second: 0.51; 0.48 if each receive brings ten, 0.84 if each brings one');
  });

  it('has units, fixed costs, and each setting by its name', () => {
    expect(text).toMatch(/^DynamoDB: write units +2\.5M +0\.0156 +1\.56$/m);
    expect(text).toMatch(/^write units, byPhone +0\.500 +0\.31$/m);
    expect(text).toMatch(/^CloudWatch: alarms +20 +2\.00$/m);
    expect(text).toMatch(/^dashboard=off +- +- +-3\.00$/m);
  });
});
