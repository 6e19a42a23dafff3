import { figuresOf } from '../../insights/index.ts';
import { type Example, maxExamples } from './failed-examples.ts';
import type { Finding } from './rules/finding.ts';
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
 * than half of the messages did.
 */
export function sentExamples(
  messages: readonly SentMessage[],
  { subject, findings, sendId }: Searched,
): readonly Example[] {
  const failing = findings.find(({ signal }) => signal !== 'time-to-delivery');
  const finding = failing ?? findings[0];
  if (finding === undefined) return [];
  const isExample = ({ tally, deliveredMs = 0 }: SentMessage) => {
    if (failing === undefined) return deliveredMs >= finding.figure;
    const { failures } = figuresOf(tally);
    return failures.some(({ reason }) => subject.kind !== 'reason' || reason === subject.reason);
  };
  return messages
    .filter(
      (message) =>
        message.start === finding.quarter &&
        (subject.kind !== 'country' || message.country === subject.country) &&
        (sendId === undefined || message.sendId === sendId) &&
        isExample(message),
    )
    .slice(0, maxExamples)
    .map((message) => ({ messageId: message.messageId, sendId: message.sendId }));
}
