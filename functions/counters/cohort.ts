import { keyOf } from '../history/history-item-store.ts';

/** What figures are kept for: a send, or the messages and replies of a quarter hour or a day (UTC) in one country. */
export type Cohort =
  | { readonly kind: 'send'; readonly sendId: string }
  | {
      readonly kind: 'quarter' | 'day';
      /** When it begins; milliseconds since 1970. */
      readonly start: number;
      /** ISO 3166-1, or ZZ. */
      readonly country: string;
    };

export const quarterMs = 900_000;
export const dayMs = 86_400_000;

/** The key of an item of the table of counters. */
export interface CounterKey {
  readonly pk: string;
  readonly sk: string;
}

/** The sort key of items that are alone in their partition. */
export const onlySort = '-';

/** Returns the beginning of the keys of all sends. @param generation of the counters */
export const sendPrefix = (generation: string): string => `${generation}#s#`;

/** Returns the partition of the list of sends in the index `bySendTime`. */
export const sendList = (generation: string): string => `${generation}#sends`;

/** Returns the partition of a day's quarter hours. */
export const quarterPartition = (generation: string, start: number): string =>
  `${generation}#q#${isoOf(start).slice(0, 10)}`;

/** Returns the partition of a month's days. */
export const dayPartition = (generation: string, start: number): string =>
  `${generation}#d#${isoOf(start).slice(0, 7)}`;

/** Returns the key of a cohort's counters. A send whose id does not fit is keyed by a hash of it. */
export function cohortKey(generation: string, cohort: Cohort): CounterKey {
  if (cohort.kind === 'send') return { pk: keyOf(sendPrefix(generation), cohort.sendId), sk: onlySort };
  const { kind, start, country } = cohort;
  return kind === 'quarter'
    ? { pk: quarterPartition(generation, start), sk: `${isoOf(start).slice(11, 16)}#${country}` }
    : { pk: dayPartition(generation, start), sk: `${isoOf(start).slice(0, 10)}#${country}` };
}

/** Returns the key of the replies to a message of which no send is known. */
export function waitingRepliesKey(generation: string, messageId: string): CounterKey {
  return { pk: keyOf(`${generation}#m#`, messageId), sk: onlySort };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns the beginning of the quarter hour, or of the day, of a time. */
export const startOf = (ms: number, lengthMs: number): number => Math.floor(ms / lengthMs) * lengthMs;
