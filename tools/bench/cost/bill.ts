import type { CostModel } from './model.ts';
import { allBillables, type Billable, costOf } from './prices.ts';
import type { Scenario } from './scenario.ts';
import { type Batches, batchesAt, usagePerEvent, usagePerMonth } from './usage.ts';

/** The cost of a month with a million events. */
export interface Bill {
  readonly lines: readonly BillLine[];
  /** Dollars for what depends on events, and for what does not. */
  readonly variable: number;
  readonly fixed: number;
  /** The part of the costs that depend on events for storing them, for their whole retention. */
  readonly kept: number;
}

interface BillLine {
  readonly billable: Billable;
  /** Units of the events, and what they cost in dollars. */
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
 * @param perSecond events a second while they come
 * @param batches in which they come; by default estimated from the rate
 */
export function billOf(
  model: CostModel,
  scenario: Scenario,
  perSecond: number,
  batches: Batches = batchesAt(perSecond, scenario),
): Bill {
  const each = usagePerEvent(model, scenario, perSecond, batches);
  const fixed = usagePerMonth(model, scenario);
  const lines = allBillables.map((billable): BillLine => {
    const units = (each[billable] ?? 0) * 1e6;
    const fixedUnits = fixed[billable] ?? 0;
    const [dollars, fixedDollars] = [costOf(billable, units), costOf(billable, fixedUnits)];
    return { billable, units, dollars, fixedUnits, fixedDollars };
  });
  return {
    lines,
    variable: lines.reduce((sum, { dollars }) => sum + dollars, 0),
    fixed: lines.reduce((sum, { fixedDollars }) => sum + fixedDollars, 0),
    kept: lines.reduce((sum, { billable, dollars }) => sum + (storage.has(billable) ? dollars : 0), 0),
  };
}
