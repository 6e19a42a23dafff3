import { figuresOf } from '../../insights/index.ts';
import { type Example, isAboutFailures, maxExamples } from './failed-examples.ts';
import type { Finding } from './rules/finding.ts';
import { slowMs } from './rules/slow-share.ts';
import type { Subject } from './rules/subject.ts';
import type { SentMessage } from './sends-of-changes.ts';

/** What examples are for. */
interface Searched {
  readonly subject: Subject;
  readonly findings: readonly Finding[];
  /** Undefined for messages of any send. */
  readonly sendId?: string;
}

/**
 * Finds examples among messages that were read of sends: those that failed, or if only the time to delivery is out those that took longer
 * than half of the messages did, or if it is the share of slow messages those that are slow.
 */
export function sentExamples(
  messages: readonly SentMessage[],
  { subject, findings, sendId }: Searched,
): readonly Example[] {
  const failing = findings.find(({ signal }) => isAboutFailures(signal));
  const finding = failing ?? findings[0];
  if (finding === undefined) return [];
  const isExample = ({ tally, deliveredMs = 0 }: SentMessage) => {
    const { failures, statuses } = figuresOf(tally);
    if (failing !== undefined)
      return failures.some(({ reason }) => subject.kind !== 'reason' || reason === subject.reason);
    if (finding.signal !== 'slow-share') return deliveredMs >= finding.figure;
    const isDelivered = statuses.delivered !== undefined || statuses.read !== undefined;
    return isDelivered ? deliveredMs > slowMs : failures.length === 0;
  };
  return messages
    .filter(
      (message) =>
        message.start === finding.quarter &&
        (subject.kind !== 'country' || message.country === subject.country) &&
        (subject.kind !== 'source' || message.source === subject.source) &&
        (sendId === undefined || message.sendId === sendId) &&
        isExample(message),
    )
    .slice(0, maxExamples)
    .map((message) => ({ messageId: message.messageId, sendId: message.sendId }));
}
