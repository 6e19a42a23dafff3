import { maskDigits, maskPhone } from '../../../contract/phone/phone-key.ts';
import type { Details } from '../../bus/details.ts';
import type { detailTypes } from '../../bus/event-types.ts';

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

/** What people are told of a group. */
export interface Notice {
  /** Printable ASCII, at most {@link maxSubjectLength} characters: SNS takes no more for an e-mail's subject. */
  readonly subject: string;
  readonly text: string;
}

/** SNS's API Reference of Publish, "Subject": less than 100 characters. */
export const maxSubjectLength = 99;

const mostExamples = 5;
/** Digits in a row from which on the service's words may hold a phone number. */
const fewestDigits = 6;
const longestText = 300;
const longestId = 100;

/** @param periodMinutes how often the pipeline looks for failures */
export function failureNotice({ cause, failures }: FailureGroup, periodMinutes: number): Notice {
  const count = failures.length;
  const what = `${count} ${count === 1 ? 'message' : 'messages'} failed`;
  const why = cause.by === 'status' ? `status ${cause.is}, no error code` : `error ${cause.is}`;
  const errorText = mostFrequent(failures.flatMap(({ errorText: words }) => words ?? []));
  const reason = mostFrequent(failures.flatMap(({ errorReason }) => errorReason ?? []));
  const times = failures.map(({ occurredAt }) => Date.parse(occurredAt));
  // One by one: spread over arguments, 20,000 of them would be many.
  const first = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const last = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const lines = [
    `${what}: ${oneLine(why, longestText)}.`,
    '',
    `When:      ${iso(first)} to ${iso(last)} (looked at every ${periodMinutes} min)`,
    `Status:    ${byStatus(failures)}`,
    ...(reason === undefined ? [] : [`Reason:    ${reason}`]),
    ...(errorText === undefined
      ? []
      : [`Service:   ${oneLine(maskDigits(errorText, fewestDigits), longestText)}`]),
    '',
    count > mostExamples ? `The newest ${mostExamples}:` : 'Which:',
    ...failures.slice(0, mostExamples).map(exampleOf),
    '',
    'Everything that failed in this time:',
    `  npm run -s sms -- history failed --since ${iso(first)} --until ${iso(last + 1)}`,
  ];
  return { subject: subjectOf(`SMS: ${what}, ${why}`), text: `${lines.join('\n')}\n` };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function byStatus(failures: readonly Failure[]): string {
  const counts = [...countOf(failures.map(({ status }) => status))].sort(([, a], [, b]) => b - a);
  return counts.map(([status, count]) => `${statusText(status)} ${count}`).join(', ');
}

function exampleOf({ occurredAt, messageId, phone, status }: Failure): string {
  const number = phone === undefined ? 'number not told' : maskPhone(phone);
  return `  ${occurredAt}  ${oneLine(messageId, longestId)}  ${number}  ${statusText(status)}`;
}

/** The service's own word, where the contract does not list it. */
function statusText(status: string): string {
  return oneLine(maskDigits(status, fewestDigits), longestId);
}

function mostFrequent(texts: readonly string[]): string | undefined {
  return [...countOf(texts)].reduce<[string, number] | undefined>(
    (best, next) => (best === undefined || next[1] > best[1] ? next : best),
    undefined,
  )?.[0];
}

function countOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** The service's words could pretend to be lines of ours. */
function oneLine(text: string, longest: number): string {
  const line = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

function subjectOf(text: string): string {
  return oneLine(text, Number.POSITIVE_INFINITY)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, maxSubjectLength)
    .trimEnd();
}
