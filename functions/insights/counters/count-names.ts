import {
  type CanonicalErrorReason,
  type CanonicalStatus,
  canonicalErrorReasons,
  canonicalStatuses,
  rankOf,
} from '../../../contract/schema/sms-event.ts';
import { bucketOf, lastMillisecondOf } from './delivery-times.ts';
import { addTallies, type Tally } from './tally.ts';

// The names of counts, which are attributes of stored items.

/** The name of the count of messages with a status: the status itself, or `other` if the contract does not list it with this rank. */
export type StatusName = CanonicalStatus | 'other';

export const statusNames: readonly StatusName[] = [...canonicalStatuses, 'other'];

export function statusName(status: string, rank: number): StatusName {
  return canonicalStatuses.find((one) => one === status && rankOf(one) === rank) ?? 'other';
}

const timePrefix = 'deliveredWithin#';

/** Returns the name of the count of a bucket of delivery times, such as `deliveredWithin#4109`: no time of the bucket is longer. */
export function timeName(bucket: number): string {
  return timePrefix + lastMillisecondOf(bucket);
}

/** Returns the bucket in the name of a count; undefined for the name of another count. */
export function bucketOfName(name: string): number | undefined {
  return name.startsWith(timePrefix) ? bucketOf(Number(name.slice(timePrefix.length))) : undefined;
}

/** The name of the sum of the parts in which messages were sent. */
export const segmentsName = 'segments';

const spendPrefix = 'spend#';
const pricedPrefix = 'priced#';

/** Returns the name of the spend in a currency, in millionths: `spend#USD`. */
export const spendName = (currency: string): string => spendPrefix + currency;

/** Returns the name of the count of messages with a price in a currency: `priced#USD`. */
export const pricedName = (currency: string): string => pricedPrefix + currency;

/** Returns the currency in the name of a count of priced messages; undefined for the name of another count. */
export function pricedCurrency(name: string): string | undefined {
  return name.startsWith(pricedPrefix) ? name.slice(pricedPrefix.length) : undefined;
}

/** The code under which failures count whose code has no count of its own. */
export const otherCode = '*';

/**
 * So many codes have counts of their own. With 15 reasons, and codes of at most 12 bytes, an item then has at most 340 KB of the 400 KB that
 * DynamoDB stores (Amazon DynamoDB Developer Guide, "Constraints"). Two counts for each of about 300 currencies add at most 20 KB.
 */
export const maxCodes = 500;

const failurePrefix = 'error#';

/** Returns the name of the count of failures for a reason with a code of the service, which may be empty: `error#unreachable#30003`. */
export function failureName(reason: CanonicalErrorReason, code: string): string {
  return `${failurePrefix}${reason}#${code}`;
}

/** Returns the reason and the code in the name of a count; undefined for the name of another count. A reason of a newer version is `unknown`. */
export function failureOfName(
  name: string,
): { readonly reason: CanonicalErrorReason; readonly code: string } | undefined {
  if (!name.startsWith(failurePrefix)) return undefined;
  const [reason, ...code] = name.slice(failurePrefix.length).split('#');
  return {
    reason: canonicalErrorReasons.find((one) => one === reason) ?? 'unknown',
    code: code.join('#'),
  };
}

/** Returns the codes in the names of counts. */
export function codesOf(tally: Tally): string[] {
  return Object.keys(tally).flatMap((name) => failureOfName(name)?.code || []);
}

/** Returns a tally with the codes that have counts of their own, and {@link otherCode} for the rest. */
export type CodeNames = (tally: Tally) => Tally;

/**
 * Returns how to name codes. While there is room, a code that is not known gets a count of its own.
 *
 * @param known the codes that have one
 */
export function codeNames(known: ReadonlySet<string>): CodeNames {
  if (known.size < maxCodes) return (tally) => tally;
  return (tally) =>
    addTallies(
      Object.entries(tally).map(([name, count]) => {
        const { reason, code = '' } = failureOfName(name) ?? {};
        const isOther = reason !== undefined && code !== '' && !known.has(code);
        return { [isOther ? failureName(reason, otherCode) : name]: count };
      }),
    );
}
