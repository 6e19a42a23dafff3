import { renderTable } from '../../support/table.ts';
import { allInPerMillion, type Bill, billOf, perMillion } from './bill.ts';
import type { CostModel } from './model.ts';
import { billables, type PriceFile } from './prices.ts';
import { type Scenario, variationsOf } from './scenario.ts';
import { batchesAt, daysPerMonth, receivesOf } from './usage.ts';

/** Formats dollars with significant digits only. */
function dollars(amount: number): string {
  if (amount === 0) return '-';
  const digits = Math.abs(amount) >= 1000 ? 0 : Math.abs(amount) >= 0.1 ? 2 : 4;
  return amount.toFixed(digits);
}

/** A difference, with its sign. */
function difference(amount: number): string {
  return Math.abs(amount) < 0.00005 ? '-' : `${amount > 0 ? '+' : ''}${dollars(amount)}`;
}

/** Formats a count, for example as `10K` or `2.346M`. */
const { format: countText } = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumSignificantDigits: 4,
});

/** Dollars for a million events, without what is fixed, that the project aims at. */
export const targetPerMillion = 5;

interface ReportInput {
  readonly model: CostModel;
  readonly scenario: Scenario;
  readonly prices: PriceFile;
  /** Events of a month that were asked for. */
  readonly events: number;
  /** The same, the columns of the table. */
  readonly volumes: readonly number[];
  /** Events a second while they come. */
  readonly perSecond: number;
}

/** Everything that is printed, part by part. */
export function reportOf(input: ReportInput): string[] {
  return [
    monthTable(input),
    fixedTable(input),
    receivesLine(input),
    databaseTable(input),
    settingsTable(input),
    verdict(input),
  ];
}

function monthTable({ model, scenario, prices, volumes, perSecond }: ReportInput): string {
  const bills = volumes.map((events) => billOf(model, scenario, prices, { events, perSecond }));
  const even = volumes.map((events) => billOf(model, scenario, prices, { events, perSecond: 0 }));
  const lines = (bills[0]?.lines ?? []).flatMap(({ billable }, index) => {
    const ofBills = bills.map(({ lines }) => lines[index]);
    if (ofBills.every((line) => line === undefined || line.dollars === 0)) return [];
    const [first] = ofBills;
    const units = ((first?.units ?? 0) / (bills[0]?.events ?? 1)) * 1e6;
    return [[billables[billable], countText(units), ...ofBills.map((line) => dollars(line?.dollars ?? 0))]];
  });
  const row = (name: string, value: (bill: Bill) => number, of = bills) => [
    name,
    '',
    ...of.map((bill) => dollars(value(bill))),
  ];
  return [
    `US dollars a month, by events a month (${prices.region}); they come at ${perSecond} a second while they come`,
    renderTable([
      ['', 'units per million', ...volumes.map((events) => countText(events))],
      ...lines,
      row('by events', ({ variable }) => variable),
      row('of this, keeping them', ({ kept }) => kept),
      row('fixed', ({ fixed }) => fixed),
      row('all in', ({ variable, fixed }) => variable + fixed),
      row('a million, variable', perMillion),
      row('a million, variable, spread evenly over the month', perMillion, even),
      row('a million, all in', allInPerMillion),
    ]),
    `Storage counts for the ${scenario.retentionDays} days that an event is kept: the bill of a month once the table is as full as it gets.`,
  ].join('\n');
}

function fixedTable({ model, scenario, prices }: ReportInput): string {
  const { lines, fixed } = billOf(model, scenario, prices, { events: 1e6, perSecond: 0 });
  return [
    'Fixed, US dollars a month',
    renderTable([
      ['', 'units', 'dollars'],
      ...lines
        .filter(({ fixedDollars }) => fixedDollars > 0)
        .map(({ billable, fixedUnits, fixedDollars }) => [
          billables[billable],
          countText(fixedUnits),
          dollars(fixedDollars),
        ]),
      ['sum', '', dollars(fixed)],
    ]),
  ].join('\n');
}

function receivesLine({ model, scenario, prices, perSecond }: ReportInput): string {
  const { worker } = batchesAt(perSecond, scenario);
  const { least, assumed, most } = receivesOf(worker);
  const { sqsRequests } = prices.prices;
  const line = billOf(model, scenario, prices, { events: 1e6, perSecond }).lines.find(
    ({ billable }) => billable === 'sqsRequests',
  );
  const dollarsAt = (receives: number) =>
    dollars(
      (line?.dollars ?? 0) + ((receives - assumed) / worker) * 1e6 * (sqsRequests.amount / sqsRequests.per),
    );
  return `Receives are assumed, not counted. ${billables.sqsRequests}, US dollars for a million events at ${perSecond} a second: ${dollarsAt(assumed)}; ${dollarsAt(least)} if each receive brings ten, ${dollarsAt(most)} if each brings one`;
}

function databaseTable({ model: { event }, scenario, prices: { prices } }: ReportInput): string {
  const unit = (prices.dynamoDbWriteUnits.amount / prices.dynamoDbWriteUnits.per) * 1e6;
  const months = scenario.retentionDays / daysPerMonth;
  const kept = prices.dynamoDbStorage.amount / prices.dynamoDbStorage.per;
  const backedUp = scenario.isBackedUp ? prices.dynamoDbBackup.amount / prices.dynamoDbBackup.per : 0;
  const dollarsOf = (bytes: number, each: number) => dollars((bytes / 1000) * months * each);
  return [
    `DynamoDB: where it goes, US dollars for a million events, kept for ${scenario.retentionDays} days`,
    renderTable([
      ['', 'for each event', 'dollars'],
      ...Object.entries(event.writeUnitsBy).map(([name, units]) => [
        `write units, ${name}`,
        units.toFixed(3),
        dollars(units * unit),
      ]),
      ['bytes, table and backup', event.tableBytes.toFixed(0), dollarsOf(event.tableBytes, kept + backedUp)],
      ['bytes, indexes', event.indexBytes.toFixed(0), dollarsOf(event.indexBytes, kept)],
      ['each 10 bytes less in the table', '-10', dollarsOf(-10, kept + backedUp)],
    ]),
  ].join('\n');
}

function settingsTable({ model, scenario, prices, perSecond }: ReportInput): string {
  const at = { events: 1e6, perSecond };
  const base = billOf(model, scenario, prices, at);
  const slow = billOf(model, scenario, prices, { ...at, perSecond: 0 });
  return [
    `What settings change, each alone, in US dollars: for a million events at ${perSecond} a second, for a million spread evenly over a month, and fixed a month`,
    renderTable([
      ['', `at ${perSecond}/s`, 'spread', 'fixed'],
      ...variationsOf(scenario).map(({ name, scenario: other }) => {
        const bill = billOf(model, other, prices, at);
        const spread = billOf(model, other, prices, { ...at, perSecond: 0 });
        return [
          name,
          difference(bill.variable - base.variable),
          difference(spread.variable - slow.variable),
          difference(bill.fixed - base.fixed),
        ];
      }),
    ]),
  ].join('\n');
}

/** Lists costs that depend on events; fixed costs are shown beside them. */
function verdict({ model, scenario, prices, events, perSecond }: ReportInput): string {
  const billFor = (count: number) => billOf(model, scenario, prices, { events: count, perSecond });
  const bill = billFor(1e6);
  const each = perMillion(bill);
  const dominating = bill.lines
    .toSorted((a, b) => b.dollars - a.dollars)
    .slice(0, 5)
    .map((line) => `${billables[line.billable]} ${dollars(line.dollars)}`);
  const allIn = [...new Set([1e6, events])].map(
    (count) => `${dollars(allInPerMillion(billFor(count)))} at ${countText(count)} events a month`,
  );
  return [
    `${each <= targetPerMillion ? 'kept' : 'MISSED'}: ${dollars(each)} US dollars for a million events, variable, at ${perSecond} events a second; ${targetPerMillion} aimed at; ${dollars(bill.kept)} of it for keeping them`,
    `all in, with ${dollars(bill.fixed)} a month fixed, for a million events: ${allIn.join(', ')}`,
    `most of the variable part: ${dominating.join('; ')}`,
  ].join('\n');
}
