import { omitUndefined } from '../../base/basics.ts';
import type { HistoryLists, Message } from '../../history/index.ts';
import { figuresOf, messageContribution } from '../../insights/index.ts';
import type { Signal } from './rules/measure.ts';
import type { Subject } from './rules/subject.ts';
import type { SubjectChange } from './rules/watch-quarter.ts';

/** A message of the quarter hour of an event. */
export interface Example {
  readonly messageId: string;
  readonly sendId?: string;
}

/** Examples of one event. */
export const maxExamples = 5;

/** At most so many pages of failed messages are read for an event; they may all be about other countries. */
const maxPages = 3;
const pageSize = 100;

/**
 * Finds messages that failed among those that a degradation was computed from. There are none for a slow delivery, of a recovery, and where
 * messages are missing because they have no outcome yet.
 *
 * @param now milliseconds since the epoch
 */
export async function failedExamples(
  lists: Pick<HistoryLists, 'failed'>,
  { kind, subject, findings }: SubjectChange,
  now: number,
): Promise<readonly Example[]> {
  const quarter = findings.find(({ signal }) => isAboutFailures(signal))?.quarter;
  if (kind === 'recovered' || quarter === undefined) return [];
  const range = { since: new Date(quarter).toISOString(), until: new Date(now).toISOString() };
  const found: Example[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const { entries, next } = await lists.failed(range, { limit: pageSize, ...omitUndefined({ cursor }) });
    for (const message of entries)
      if (isAbout(message, subject, quarter))
        found.push({ messageId: message.messageId, ...omitUndefined({ sendId: message.sendId }) });
    cursor = next;
    if (found.length >= maxExamples || cursor === undefined) break;
  }
  return found.slice(0, maxExamples);
}

/** Returns whether messages that failed are examples of a signal. Others are about messages that were delivered late, or not yet. */
export function isAboutFailures(signal: Signal): boolean {
  return signal === 'delivery-rate' || signal === 'failure-share';
}

/** Returns whether the message is one of those that were counted in the quarter hour for the subject. */
function isAbout(message: Message, subject: Subject, quarter: number): boolean {
  const { tally, cohorts } = messageContribution(message);
  const isInQuarter = cohorts.some(
    (cohort) =>
      cohort.kind === 'quarter' &&
      cohort.start === quarter &&
      (subject.kind !== 'country' || cohort.country === subject.country) &&
      (subject.kind !== 'source' || cohort.source === subject.source),
  );
  const hasReason =
    subject.kind !== 'reason' || figuresOf(tally).failures.some(({ reason }) => reason === subject.reason);
  return isInQuarter && hasReason;
}
