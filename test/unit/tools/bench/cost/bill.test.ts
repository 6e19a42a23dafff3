import { describe, expect, it } from 'vitest';
import { billOf } from '../../../../../tools/bench/cost/bill.ts';
import { billTable, settingsTable, targetBill, verdict } from '../../../../../tools/bench/cost/report.ts';
import { model, scenario } from './figures.ts';

describe('the bill of a month', () => {
  it('separates costs of events from fixed costs, and lists both in its lines', () => {
    const { lines, fixed } = targetBill(model, scenario);
    const lineOf = (name: string) => lines.find(({ billable }) => billable === name);
    expect(lineOf('httpApiRequests')).toMatchObject({ units: 1e6, dollars: 1, fixedDollars: 0 });
    expect(lineOf('dynamoDbWriteUnits')?.dollars).toBeCloseTo(2.5 * 0.625);
    expect(lineOf('alarms')).toMatchObject({ dollars: 0, fixedDollars: 2 });
    expect(lineOf('customMetrics')?.fixedDollars).toBeCloseTo(3);
    expect(fixed).toBeCloseTo(lines.reduce((sum, { fixedDollars }) => sum + fixedDollars, 0));
  });

  it('is lower for a million events that arrive together', () => {
    expect(targetBill(model, scenario).variable).toBeLessThan(billOf(model, scenario, 0).variable);
  });
});

describe('the report', () => {
  it('has units, fixed costs, where DynamoDB spends them, and each setting by its name', () => {
    const table = billTable(model, scenario);
    expect(table).toMatch(/^DynamoDB: write units +2\.5M +1\.56 +1\.56 +0 +-$/m);
    expect(table).toMatch(/^CloudWatch: metrics of alarms +0 +- +- +20 +2\.00$/m);
    expect(table).toContain('300 bytes in the table, 200 in indexes; write units table 1.000, byPhone 0.500');
    expect(settingsTable(model, scenario)).toMatch(/^dashboard=off +- +- +-3\.00$/m);
  });

  it('judges the costs that depend on events, and also shows the full cost of a million', () => {
    const bill = { lines: [], variable: 5, fixed: 10, kept: 0 };
    expect(verdict(bill, 10e6)).toContain('kept: 5.00 US dollars for a million events, variable');
    expect(verdict(bill, 10e6)).toContain('15.00 at 1M events a month, 6.00 at 10M events a month');
    expect(verdict({ ...bill, variable: 5.01 }, 10e6)).toContain('MISSED: 5.01');
  });
});
