import type { CanonicalErrorReason } from '../../contract/schema/sms-event.ts';
import { zeroBucket } from './delivery-times.ts';

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
