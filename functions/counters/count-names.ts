import type { CanonicalErrorReason } from '../../contract/schema/sms-event.ts';
import { zeroBucket } from './delivery-times.ts';
import { addTallies, type Tally } from './tally.ts';

// The names of counts, which are attributes of stored items.

/** The letters of reasons in names of counts, which are part of the format. */
const reasonLetters: Readonly<Record<CanonicalErrorReason, string>> = {
  invalid_number: 'i',
  unreachable: 'u',
  landline: 'l',
  blocked: 'b',
  opted_out: 'o',
  spam: 's',
  content_rejected: 'c',
  carrier_rejected: 'r',
  unregistered_sender: 'g',
  no_route: 'n',
  expired: 'x',
  throttled: 't',
  insufficient_funds: 'f',
  service_error: 'e',
  unknown: 'k',
};

/** Returns the letter of a reason; that of `unknown` for one that this version does not know. */
export function letterOf(reason: CanonicalErrorReason): string {
  return reasonLetters[reason] ?? reasonLetters.unknown;
}

/** Returns the reason of a letter; `unknown` for one that this version does not know. */
export function reasonOf(letter: string): CanonicalErrorReason {
  const reasons = Object.entries(reasonLetters) as [CanonicalErrorReason, string][];
  return reasons.find(([, one]) => one === letter)?.[0] ?? 'unknown';
}

const zeroName = 'h-';

/** Returns the name of the count of a bucket of delivery times. */
export function timeName(bucket: number): string {
  return bucket === zeroBucket ? zeroName : `h${bucket.toString(36)}`;
}

/** Returns the bucket in the name of a count. */
export function bucketOfName(name: string): number {
  return name === zeroName ? zeroBucket : Number.parseInt(name.slice(1), 36);
}

/** The code under which failures count whose code has no count of its own. */
export const otherCode = '*';

/**
 * So many codes have counts of their own. With 15 reasons, and names of at most 15 bytes, an item then has less than 250 KB of the 400 KB that
 * DynamoDB stores (Amazon DynamoDB Developer Guide, "Constraints").
 */
export const maxCodes = 500;

/** Returns the name of the count of failures for a reason with a code of the service, which may be empty. */
export function failureName(reason: CanonicalErrorReason, code: string): string {
  return `e${letterOf(reason)}#${code}`;
}

/** The code follows `e`, the letter of the reason, and `#`. */
const codeAt = 3;

function codeIn(name: string): string | undefined {
  return name.startsWith('e') ? name.slice(codeAt) : undefined;
}

/** Returns the codes in the names of counts. */
export function codesOf(tally: Tally): string[] {
  return Object.keys(tally).flatMap((name) => codeIn(name) || []);
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
      ...Object.entries(tally).map(([name, count]) => {
        const code = codeIn(name);
        const isOther = code !== undefined && code !== '' && !known.has(code);
        return { [isOther ? name.slice(0, codeAt) + otherCode : name]: count };
      }),
    );
}
