import type { Item } from '../../history/index.ts';
import type { CounterKey } from './cohort.ts';

/** The index of sends by time. */
export const sendTimeIndex = 'bySendTime';

/** Names an item within the table. */
export const nameOf = ({ pk, sk }: CounterKey): string => `${pk} ${sk}`;

export const keyAttributes = ({ pk, sk }: CounterKey) => ({ pk: { S: pk }, sk: { S: sk } });

/** Returns a time as an item has it: ISO 8601 in UTC with milliseconds. @param ms since 1970 */
export const timeAttribute = (ms: number) => ({ S: new Date(ms).toISOString() });

/** Returns the time of the earliest report of a send, in milliseconds since 1970; undefined for an item without one. */
export function firstReportOf(item: Item | undefined): number | undefined {
  return item?.firstReportAt?.S === undefined ? undefined : Date.parse(item.firstReportAt.S);
}

/** Returns the key of an item. */
export function keyOfItem(item: Item): CounterKey {
  return { pk: item.pk?.S ?? '', sk: item.sk?.S ?? '' };
}
