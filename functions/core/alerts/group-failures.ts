import type { detailTypes } from '../bus/detail-types.ts';
import type { Details } from '../bus/details.ts';
import { maskDigits } from './mask-digits.ts';

/** A message that did not arrive. */
export type Failure = Pick<
  Details[typeof detailTypes.statusChanged],
  'eventId' | 'messageId' | 'phone' | 'status' | 'errorCode' | 'errorReason' | 'errorText' | 'occurredAt'
>;

/** A failure as it was delivered. */
export interface DeliveredFailure {
  readonly failure: Failure;
  /** Takes it off the queue. */
  readonly receiptHandle: string;
}

/** Failures with one cause, as far as the service tells. */
export interface FailureGroup {
  /** What they have in common; of digits that may be a phone number nothing is left. */
  readonly cause: { readonly by: 'error code' | 'status'; readonly is: string };
  /** The newest of each message, newest first. */
  readonly failures: readonly Failure[];
  /** Of all deliveries, the repeated ones included. */
  readonly receiptHandles: readonly string[];
}

/** Digits in a row that no service's error code has: a contract that reads the code from the wrong field would tell numbers. */
const fewestDigitsOfCode = 9;
/** Of a status, which is words. */
const fewestDigitsOfStatus = 6;

/**
 * Groups failures by error code, or by status where there is none. Repeats count once, and of a message that failed several
 * times for one cause only the newest failure counts. The largest group comes first.
 */
export function groupFailures(delivered: readonly DeliveredFailure[]): FailureGroup[] {
  const keyByEvent = new Map<string, string>();
  const groups = new Map<
    string,
    { cause: FailureGroup['cause']; failures: Failure[]; receiptHandles: string[] }
  >();
  for (const { failure, receiptHandle } of delivered) {
    const { eventId } = failure;
    const cause = causeOf(failure);
    const key = keyByEvent.get(eventId) ?? JSON.stringify(cause);
    const group = groups.get(key) ?? { cause, failures: [], receiptHandles: [] };
    groups.set(key, group);
    group.receiptHandles.push(receiptHandle);
    if (!keyByEvent.has(eventId)) group.failures.push(failure);
    keyByEvent.set(eventId, key);
  }
  for (const group of groups.values()) group.failures = newestOfMessages(group.failures);
  return [...groups.values()].sort((a, b) => b.failures.length - a.failures.length);
}

function causeOf({ errorCode, status }: Failure): FailureGroup['cause'] {
  return errorCode === undefined
    ? { by: 'status', is: maskDigits(status, fewestDigitsOfStatus) }
    : { by: 'error code', is: maskDigits(errorCode, fewestDigitsOfCode) };
}

/** Newest first. */
function newestOfMessages(failures: readonly Failure[]): Failure[] {
  const seen = new Set<string>();
  return failures.toSorted(newestFirst).filter(({ messageId }) => {
    if (seen.has(messageId)) return false;
    seen.add(messageId);
    return true;
  });
}

function newestFirst(a: Failure, b: Failure): number {
  const byTime = Date.parse(b.occurredAt) - Date.parse(a.occurredAt);
  return byTime === 0 ? Number(a.messageId > b.messageId) - Number(a.messageId < b.messageId) : byTime;
}
