import { renderTable } from '../../../support/table.ts';
import { insightsPerMillion } from '../../insights/report.ts';
import { insightsPerEvent } from '../../insights/usage.ts';
import { type Bill, billOf } from '../bill.ts';
import type { CostModel } from '../model.ts';
import { perSecond, spread, targetBill } from '../report.ts';
import type { Scenario } from '../scenario.ts';

/** The cost of a month in dollars, by what it is for. */
export interface Parts {
  readonly fixed: number;
  /** Without insights. */
  readonly processing: number;
  /** Storage, for the whole retention. */
  readonly keeping: number;
  readonly insights: number;
}

/** What a month with so many events costs. */
export interface Month {
  readonly name: string;
  readonly inSends: Parts;
  /** If the events come alone: at most this. */
  readonly evenly: Parts;
}

/** A message has three reports, and one in twenty is answered. */
const eventsPerMessage = 3.05;

/** Millions of events, by name. */
const volumes: readonly (readonly [name: string, millions: number])[] = [
  ['1 million events', 1],
  ['1 million messages', eventsPerMessage],
  ['5 million events', 5],
  ['10 million events', 10],
];

/** Computes the months that docs/reference/cost.md has. */
export function monthsOf(model: CostModel, scenario: Scenario): readonly Month[] {
  const inSends = partsAt(perSecond, targetBill(model, scenario), scenario);
  const evenly = partsAt(spread, billOf(model, scenario, spread), scenario);
  return volumes.map(([name, millions]) => ({
    name,
    inSends: inSends(millions),
    evenly: evenly(millions),
  }));
}

function partsAt(rate: number, { variable, kept, fixed }: Bill, scenario: Scenario) {
  const insights = insightsPerMillion(insightsPerEvent(scenario.insights, rate));
  return (millions: number): Parts => ({
    fixed,
    processing: (variable - kept - insights) * millions,
    keeping: kept * millions,
    insights: insights * millions,
  });
}

/** Adds up the parts of a month. */
export function sumOf({ fixed, processing, keeping, insights }: Parts): number {
  return fixed + processing + keeping + insights;
}

/** The months as a table, in whole dollars. */
export function monthsTable(months: readonly Month[]): string {
  return [
    'US dollars for a month, all in; a message has three reports, and one in twenty a reply',
    renderTable([
      ['', `at ${perSecond}/s`, 'spread, at most'],
      ...months.map(({ name, inSends, evenly }) => [
        name,
        sumOf(inSends).toFixed(0),
        sumOf(evenly).toFixed(0),
      ]),
    ]),
  ].join('\n');
}
