import {
  type CanonicalStatus,
  canonicalStatuses,
  outcomeOf,
  rankOf,
} from '../../contract/schema/sms-event.ts';
import type { Outcome } from './rates.ts';

/** Returns the statuses that figures count as this outcome. An unknown outcome counts as pending. */
export function statusesOf(outcome: Outcome): readonly CanonicalStatus[] {
  return canonicalStatuses.filter((status) => {
    const kind = outcomeOf(rankOf(status));
    if (kind === 'success') return outcome === 'delivered';
    return kind === 'failure' ? outcome === 'failed' : outcome === 'pending';
  });
}
