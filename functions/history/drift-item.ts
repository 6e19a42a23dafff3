import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DriftDay, NotedMismatch } from '../../contract/drift/drift-watch.ts';
import type { Item } from './item-keys.ts';

/** The attributes with mismatches begin with this. */
export const mismatchPrefix = 'mismatch#';

/** The attributes that count the events with a mismatch begin with this, and end with its id. */
export const eventsPrefix = 'events#';

/** The keys of days begin with this. */
export const driftPrefix = 'drift#';

/** @param day `yyyy-mm-dd` */
export const driftKey = (day: string): string => driftPrefix + day;

/** Returns the mismatches of a day. */
export function driftDayFromItem(item: Item): DriftDay {
  const { day, ...rest } = unmarshall(item);
  const mismatches = Object.entries(rest)
    .filter(([name]) => name.startsWith(mismatchPrefix))
    .map(([name, value]): [string, NotedMismatch] => {
      const id = name.slice(mismatchPrefix.length);
      const events: number | undefined = rest[eventsPrefix + id];
      return [id, { ...value, ...(events !== undefined && { events }) }];
    });
  return { day, mismatches: new Map(mismatches) };
}
