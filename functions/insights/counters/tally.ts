import { canonicalStatuses } from '../../../contract/schema/sms-event.ts';
import type { Item } from '../../history/index.ts';

/** Counts by the name of their attribute (docs/reference/data-model.md, "Insights"). A tally has no zeros. A change of counters has negative counts too. */
export type Tally = Readonly<Record<string, number>>;

/** Adds counts of the same name. There may be hundreds of thousands of tallies, more than a call may have arguments. */
export function addTallies(tallies: Iterable<Tally>): Tally {
  const sums = new Map<string, number>();
  for (const tally of tallies)
    for (const [name, count] of Object.entries(tally)) sums.set(name, (sums.get(name) ?? 0) + count);
  return Object.fromEntries([...sums].filter(([, count]) => count !== 0));
}

/** Returns a tally that undoes another. */
export function negated(tally: Tally): Tally {
  return Object.fromEntries(Object.entries(tally).map(([name, count]) => [name, -count]));
}

export function isEmpty(tally: Tally): boolean {
  return Object.keys(tally).length === 0;
}

/**
 * Returns a tally without the counts below zero. A message from before insights was never counted, and a change of it is subtracted all the
 * same, until a rebuild.
 */
export function withoutNegative(tally: Tally): Tally {
  return Object.fromEntries(Object.entries(tally).filter(([, count]) => count > 0));
}

const countNames: ReadonlySet<string> = new Set([
  ...canonicalStatuses,
  'other',
  'replies',
  'optOuts',
  'segments',
]);
const countPrefixes = ['error#', 'deliveredWithin#', 'spend#', 'priced#'];

/** Returns whether an attribute is a count (count-names.ts). Others are the keys of an item, its times and its id. */
const isCount = (name: string) =>
  countNames.has(name) || countPrefixes.some((prefix) => name.startsWith(prefix));

/** Reads the counts of an item. */
export function tallyOfItem(item: Item): Tally {
  return Object.fromEntries(
    Object.entries(item).flatMap(([name, { N }]) => {
      const count = N === undefined || !isCount(name) ? 0 : Number(N);
      return count === 0 ? [] : [[name, count] as const];
    }),
  );
}
