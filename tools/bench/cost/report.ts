import { renderTable } from '../../support/table.ts';
import { type Bill, billOf } from './bill.ts';
import type { CostModel } from './model.ts';
import { billables } from './prices.ts';
import { type Scenario, variationsOf } from './scenario.ts';
import { secondsPerMonth } from './usage.ts';

/** Dollars for a million events, without what is fixed, that the project aims at. */
export const targetPerMillion = 5;
/** Events a second in a send of 1,000 messages within a minute. */
export const perSecond = 50;
/** A million events spread evenly over a month. */
export const spread = 1e6 / secondsPerMonth;

/** Formats dollars with significant digits only. */
function dollars(amount: number): string {
  if (Math.abs(amount) < 0.00005) return '-';
  return amount.toFixed(Math.abs(amount) >= 0.1 ? 2 : 4);
}

/** Formats a count, for example as `10K` or `2.346M`. */
const { format: countText } = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumSignificantDigits: 4,
});

/** What a million events cost in a month, at the rate that the target is for. */
export function targetBill(model: CostModel, scenario: Scenario): Bill {
  return billOf(model, scenario, perSecond);
}

/** The bill by part: of a million events, of those spread evenly, and of what is there without events. */
export function billTable(model: CostModel, scenario: Scenario): string {
  const bill = targetBill(model, scenario);
  const even = billOf(model, scenario, spread);
  const rows = bill.lines.flatMap(({ billable, units, fixedUnits, ...line }, index) => {
    const cells = [line.dollars, even.lines[index]?.dollars ?? 0, line.fixedDollars].map(dollars);
    if (cells.every((cell) => cell === '-')) return [];
    const [first = '', second = '', fixed = ''] = cells;
    return [[billables[billable], countText(units), first, second, countText(fixedUnits), fixed]];
  });
  const { tableBytes, indexBytes, writeUnitsBy } = model.event;
  const units = Object.entries(writeUnitsBy).map(([name, each]) => `${name} ${each.toFixed(3)}`);
  return [
    'US dollars: for a million events, for a million spread evenly over a month, and fixed a month',
    renderTable([
      ['', 'units a million', `at ${perSecond}/s`, 'spread', 'units a month', 'fixed'],
      ...rows,
      ['all', '', dollars(bill.variable), dollars(even.variable), '', dollars(bill.fixed)],
      ['of this, keeping them', '', dollars(bill.kept), dollars(even.kept)],
    ]),
    `Storage counts for the ${scenario.retentionDays} days that an event is kept: the bill of a month once the table is as full as it gets.`,
    `an event in DynamoDB: ${tableBytes.toFixed(0)} bytes in the table, ${indexBytes.toFixed(0)} in indexes; write units ${units.join(', ')}`,
  ].join('\n');
}

/** What settings change, each alone. */
export function settingsTable(model: CostModel, base: Scenario): string {
  const difference = (amount: number) => `${amount > 0.00005 ? '+' : ''}${dollars(amount)}`;
  const columns = (scenario: Scenario) => {
    const { variable, fixed } = targetBill(model, scenario);
    return [variable, billOf(model, scenario, spread).variable, fixed];
  };
  const before = columns(base);
  return [
    'What settings change, each alone, in the same dollars',
    renderTable([
      ['', `at ${perSecond}/s`, 'spread', 'fixed'],
      ...variationsOf(base).map(([name, scenario]) => [
        name,
        ...columns(scenario).map((amount, index) => difference(amount - (before[index] ?? 0))),
      ]),
    ]),
  ].join('\n');
}

/** Judges costs that depend on events; fixed costs are shown beside them. @param events of a month */
export function verdict({ variable, fixed }: Bill, events: number): string {
  const allIn = [...new Set([1e6, events])].map(
    (count) => `${dollars(variable + (fixed / count) * 1e6)} at ${countText(count)} events a month`,
  );
  return [
    `${variable <= targetPerMillion ? 'kept' : 'MISSED'}: ${dollars(variable)} US dollars for a million events, variable, at ${perSecond} events a second; ${targetPerMillion} aimed at`,
    `all in, with ${dollars(fixed)} a month fixed, for a million events: ${allIn.join(', ')}`,
  ].join('\n');
}
