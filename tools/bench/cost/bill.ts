import type { CostModel } from './model.ts';
import { allBillables, type Billable, costOf, type PriceFile } from './prices.ts';
import type { Scenario } from './scenario.ts';
import { secondsPerMonth, type Units, usagePerEvent, usagePerMonth } from './usage.ts';

/** The cost of a month. */
export interface Bill {
  readonly events: number;
  /** Events a second while they come. */
  readonly perSecond: number;
  readonly lines: readonly BillLine[];
  /** Dollars for what depends on events, and for what does not. */
  readonly variable: number;
  /** The storage part of the costs that depend on events, for their whole retention. */
  readonly kept: number;
  readonly fixed: number;
}

interface BillLine {
  readonly billable: Billable;
  /** Units of the events of the month, and what they cost in dollars. */
  readonly units: number;
  readonly dollars: number;
  /** The same of what is there without events. */
  readonly fixedUnits: number;
  readonly fixedDollars: number;
}

const storage: ReadonlySet<Billable> = new Set([
  ...(['dynamoDbStorage', 'dynamoDbBackup', 'eventBridgeArchive', 'logsStorage'] as const),
]);

/**
 * The bill of a month with so many events. They come at `perSecond` while they come, but at least as fast as the month's number
 * spread evenly makes it.
 */
export function billOf(
  model: CostModel,
  scenario: Scenario,
  { prices }: PriceFile,
  { events, perSecond }: Pick<Bill, 'events' | 'perSecond'>,
): Bill {
  const rate = Math.max(perSecond, events / secondsPerMonth);
  const each = usagePerEvent(model, scenario, rate);
  const fixed = usagePerMonth(model, scenario);
  const lines = allBillables.map((billable): BillLine => {
    const amount = (units: Units) => units[billable] ?? 0;
    const units = amount(each) * events;
    return {
      billable,
      units,
      dollars: costOf(prices[billable], units),
      fixedUnits: amount(fixed),
      fixedDollars: costOf(prices[billable], amount(fixed)),
    };
  });
  return {
    ...{ events, perSecond: rate, lines },
    variable: lines.reduce((sum, { dollars }) => sum + dollars, 0),
    kept: lines.reduce((sum, { billable, dollars }) => sum + (storage.has(billable) ? dollars : 0), 0),
    fixed: lines.reduce((sum, { fixedDollars }) => sum + fixedDollars, 0),
  };
}

/** Dollars for a million events, without what is there anyway. */
export function perMillion({ variable, events }: Pick<Bill, 'variable' | 'events'>): number {
  return (variable / events) * 1e6;
}

/** Dollars for a million events, each with its part of what is fixed. */
export function allInPerMillion({
  variable,
  fixed,
  events,
}: Pick<Bill, 'variable' | 'fixed' | 'events'>): number {
  return ((variable + fixed) / events) * 1e6;
}
