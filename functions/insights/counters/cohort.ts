import { mainSource } from '../../../contract/events/source-id.ts';
import { keyOf } from '../../history/index.ts';

/** What figures are kept for: a send, or the messages and replies of a quarter hour or a day (UTC) in one country from one source. */
export type Cohort =
  | { readonly kind: 'send'; readonly sendId: string }
  | {
      readonly kind: 'quarter' | 'day';
      /** When it begins; milliseconds since 1970. */
      readonly start: number;
      /** ISO 3166-1, or ZZ. */
      readonly country: string;
      readonly source: string;
    };

export const quarterMs = 900_000;
export const dayMs = 86_400_000;

/** The key of an item of the table of counters. */
export interface CounterKey {
  readonly pk: string;
  readonly sk: string;
}

/** The sort key of items that are alone in their partition. */
export const onlySort = 'figures';

/** The beginning of the keys of all sends. */
const sendPrefix = 'send#';

/** The partition of the list of sends in the index `bySendTime`. */
export const sendList = 'sends';

const quarterPrefix = 'quarter-hours#';
const dayPrefix = 'days#';

/** The beginning of the keys of replies to messages of which no send is known. */
export const waitingPrefix = 'waiting-replies#';

/** Returns the partition of a day's quarter hours. */
export const quarterPartition = (start: number): string => quarterPrefix + isoOf(start).slice(0, 10);

/** Returns the partition of a month's days. */
export const dayPartition = (start: number): string => dayPrefix + isoOf(start).slice(0, 7);

/** Returns the key of a cohort's counters. A send whose id does not fit is keyed by a hash of it. */
export function cohortKey(cohort: Cohort): CounterKey {
  if (cohort.kind === 'send') return { pk: keyOf(sendPrefix, cohort.sendId), sk: onlySort };
  const { kind, start, country, source } = cohort;
  const place = source === mainSource ? country : `${country}#${source}`;
  return kind === 'quarter'
    ? { pk: quarterPartition(start), sk: `${isoOf(start).slice(11, 16)}#${place}` }
    : { pk: dayPartition(start), sk: `${isoOf(start).slice(0, 10)}#${place}` };
}

/** The parts of the sort key of a quarter hour or a day. */
export function partsOfSort(sk: string): {
  readonly time: string;
  readonly country: string;
  readonly source: string;
} {
  const [time = '', country = '', source = mainSource] = sk.split('#');
  return { time, country, source };
}

/** Returns the key of the replies to a message of which no send is known. */
export function waitingRepliesKey(messageId: string): CounterKey {
  return { pk: keyOf(waitingPrefix, messageId), sk: onlySort };
}

/** Returns the cohort of a key of counters; undefined for other keys. @param sendId of the item, because the key of a send may have a hash */
export function cohortOfKey({ pk, sk }: CounterKey, sendId: string | undefined): Cohort | undefined {
  const { country, source } = partsOfSort(sk);
  if (pk.startsWith(sendPrefix)) return sendId === undefined ? undefined : { kind: 'send', sendId };
  if (pk.startsWith(quarterPrefix)) {
    const start = Date.parse(`${pk.slice(quarterPrefix.length)}T${sk.slice(0, 5)}:00Z`);
    return { kind: 'quarter', start, country, source };
  }
  if (pk.startsWith(dayPrefix))
    return { kind: 'day', start: Date.parse(`${sk.slice(0, 10)}T00:00:00Z`), country, source };
  return undefined;
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns the beginning of the quarter hour, or of the day, of a time. */
export const startOf = (ms: number, lengthMs: number): number => Math.floor(ms / lengthMs) * lengthMs;
