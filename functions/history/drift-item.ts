import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DriftDay, NotedMismatch } from '../../contract/drift/drift-watch.ts';
import type { Item } from './item-keys.ts';

/** The attributes with mismatches begin with this. */
export const mismatchPrefix = 'mismatch#';

/** The keys of days begin with this. */
export const driftPrefix = 'drift#';

/** @param day `yyyy-mm-dd` */
export const driftKey = (day: string): string => driftPrefix + day;

/** Returns the mismatches of a day. */
export function driftDayFromItem(item: Item): DriftDay {
  const { day, ...rest } = unmarshall(item);
  const mismatches = Object.entries(rest)
    .filter(([name]) => name.startsWith(mismatchPrefix))
    .map(([name, value]): [string, NotedMismatch] => [name.slice(mismatchPrefix.length), value]);
  return { day, mismatches: new Map(mismatches) };
}
