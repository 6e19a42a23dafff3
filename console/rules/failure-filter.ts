import type { Message } from '../../client/types.ts';
import {
  type CanonicalStatus,
  canonicalStatuses,
  outcomeOf,
  rankOf,
} from '../../contract/schema/sms-event.ts';
import { decisionOf } from './deciding-report.ts';
import type { Outcome } from './rates.ts';

/** Returns the statuses that figures count as this outcome. An unknown outcome counts as pending. */
export function statusesOf(outcome: Outcome): readonly CanonicalStatus[] {
  return canonicalStatuses.filter((status) => {
    const kind = outcomeOf(rankOf(status));
    if (kind === 'success') return outcome === 'delivered';
    return kind === 'failure' ? outcome === 'failed' : outcome === 'pending';
  });
}

/** A reason of failures, with or without the service's code. */
interface FailureFilter {
  readonly reason: string;
  /** Empty for failures without a code, undefined for any. */
  readonly code: string | undefined;
}

/** Returns whether a message failed for a reason, as figures count it: by its deciding report, `unknown` where that gives none. */
export function failedFor(message: Message, { reason, code }: FailureFilter): boolean {
  const { errorReason = 'unknown', errorCode = '' } = decisionOf(message)?.report ?? {};
  return errorReason === reason && (code === undefined || errorCode === code);
}
