import { historyId, mainSource } from '../../../contract/events/source-id.ts';
import { maskDigits, maskId, maskPhone, numbersMasker } from '../../../contract/phone/mask.ts';

import type { Details, detailTypes } from '../../publish/shapes.ts';

/** A message that did not arrive. */
export type Failure = Pick<
  Details[typeof detailTypes.statusChanged],
  | 'eventId'
  | 'source'
  | 'messageId'
  | 'phone'
  | 'status'
  | 'errorCode'
  | 'errorReason'
  | 'errorText'
  | 'occurredAt'
>;

/** A failure with the receipt of its queue message. */
export interface DeliveredFailure {
  readonly failure: Failure;
  readonly receiptHandle: string;
}

/** Failures with the same cause. */
export interface FailureGroup {
  /** The common error code or status, with digits masked that may be a phone number. A code means something else at another source. */
  readonly cause: { readonly source: string; readonly kind: 'error-code' | 'status'; readonly value: string };
  /** The newest of each message, newest first. */
  readonly failures: readonly Failure[];
  /** The receipts of all deliveries, also of repeated ones. */
  readonly receiptHandles: readonly string[];
}

/** An error code with this many digits in a row may be a phone number, if the contract reads the code from the wrong field. */
const minPhoneDigitsInCode = 9;
/** A status consists of words, so fewer digits are suspicious. */
const minPhoneDigitsInStatus = 6;

/**
 * Groups failures by their source and the error code, or the status if there is none. Repeats count once, and of a message that failed several
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

function causeOf({ source = mainSource, errorCode, status }: Failure): FailureGroup['cause'] {
  return errorCode === undefined
    ? { source, kind: 'status', value: maskDigits(status, minPhoneDigitsInStatus) }
    : { source, kind: 'error-code', value: maskDigits(errorCode, minPhoneDigitsInCode) };
}

/** Returns the newest failure of each message, newest first. */
function newestOfMessages(failures: readonly Failure[]): Failure[] {
  const seen = new Set<string>();
  return failures.toSorted(newestFirst).filter(({ source = mainSource, messageId }) => {
    const id = historyId({ source, id: messageId });
    if (seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

function newestFirst(a: Failure, b: Failure): number {
  const byTime = Date.parse(b.occurredAt) - Date.parse(a.occurredAt);
  return byTime === 0 ? Number(a.messageId > b.messageId) - Number(a.messageId < b.messageId) : byTime;
}

/** The notice about a group. */
export interface Notice {
  /** Printable ASCII, at most {@link maxSubjectLength} characters: the limit of SNS for the subject of an e-mail. */
  readonly subject: string;
  readonly text: string;
}

/** SNS's API Reference of Publish, "Subject": less than 100 characters. */
export const maxSubjectLength = 99;

const maxExamples = 5;
/** The service's words may hold a phone number if they have this many digits in a row. */
const minPhoneDigits = 6;
const maxTextLength = 300;
const maxIdLength = 100;

/** Returns the notice about a group. @param periodMinutes how often the pipeline looks for failures */
export function failureNotice({ cause, failures }: FailureGroup, periodMinutes: number): Notice {
  const count = failures.length;
  const { source } = cause;
  // In a pipeline with one source its name says nothing.
  const isMain = source === mainSource;
  const what = `${count} ${count === 1 ? 'message' : 'messages'}${isMain ? '' : ` of ${source}`} failed`;
  const why = cause.kind === 'status' ? `status ${cause.value}, no error code` : `error ${cause.value}`;
  const errorText = mostFrequent(failures.flatMap(({ errorText: words }) => words ?? []));
  const reason = mostFrequent(failures.flatMap(({ errorReason }) => errorReason ?? []));
  const times = failures.map(({ occurredAt }) => Date.parse(occurredAt));
  // A call of Math.min with 20,000 arguments could exceed the stack.
  const first = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const last = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const lines = [
    `${what}: ${oneLine(why, maxTextLength)}.`,
    '',
    `When:      ${iso(first)} to ${iso(last)} (looked at every ${periodMinutes} min)`,
    `Status:    ${byStatus(failures)}`,
    ...(reason === undefined ? [] : [`Reason:    ${reason}`]),
    ...(errorText === undefined
      ? []
      : [`Service:   ${oneLine(maskDigits(errorText, minPhoneDigits), maxTextLength)}`]),
    '',
    count > maxExamples ? `The newest ${maxExamples}:` : 'Which:',
    ...failures.slice(0, maxExamples).map(exampleOf),
    '',
    'Everything that failed in this time:',
    `  sms message list --since ${iso(first)} --until ${iso(last + 1)}${isMain ? '' : ` --source ${source}`}`,
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

function exampleOf({ source = mainSource, occurredAt, messageId, phone, status }: Failure): string {
  const number = phone === undefined ? 'no number' : maskPhone(phone);
  // The service, or the app that sent the message, may make the id from the number.
  const id = maskId(historyId({ source, id: messageId }), numbersMasker(phone === undefined ? [] : [phone]));
  return `  ${occurredAt}  ${oneLine(id, maxIdLength)}  ${number}  ${statusText(status)}`;
}

/** Masks digits of a status, which is the service's own word if the contract does not list it. */
function statusText(status: string): string {
  return oneLine(maskDigits(status, minPhoneDigits), maxIdLength);
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

/** Joins the lines of the service's words, which could look like lines of ours. */
function oneLine(text: string, maxLength: number): string {
  const line = text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`;
}

function subjectOf(text: string): string {
  return oneLine(text, Number.POSITIVE_INFINITY)
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, maxSubjectLength)
    .trimEnd();
}
