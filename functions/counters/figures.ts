import {
  type CanonicalErrorReason,
  type CanonicalStatus,
  canonicalStatuses,
  rankOf,
} from '../../contract/schema/sms-event.ts';
import { compareText } from '../history/message.ts';
import { codeOf } from '../history/packed.ts';
import { bucketOfName, reasonOf } from './count-names.ts';
import type { Tally } from './tally.ts';

/** Messages that failed for one reason, with one code of the service. */
interface Failure {
  readonly reason: CanonicalErrorReason;
  /** Undefined where the service sent none; `*` for codes that are not counted apart. */
  readonly code: string | undefined;
  readonly count: number;
}

/** The counts of a cohort by what they mean. */
export interface Figures {
  readonly messages: number;
  /** By current status. `other` are words of the service that the contract does not list, and statuses that only a newer version knows. */
  readonly statuses: Readonly<Partial<Record<CanonicalStatus | 'other', number>>>;
  /** The most frequent first. */
  readonly failures: readonly Failure[];
  readonly replies: number;
  /** Replies that are a keyword of stop. */
  readonly optOuts: number;
  /** Messages by the bucket of their time to delivery (delivery-times.ts). */
  readonly deliveryTimes: ReadonlyMap<number, number>;
}

/** Reads the counts of one cohort, or of several that were added. */
export function figuresOf(tally: Tally): Figures {
  const counts = Object.entries(tally);
  const named = (first: string) => counts.filter(([name]) => name.startsWith(first));
  const byStatus = new Map<CanonicalStatus | 'other', number>();
  for (const [name, count] of named('s')) {
    const status = statusOfLetter(name.slice(1));
    byStatus.set(status, (byStatus.get(status) ?? 0) + count);
  }
  return {
    messages: [...byStatus.values()].reduce((sum, count) => sum + count, 0),
    statuses: Object.fromEntries(
      [...canonicalStatuses, 'other' as const].flatMap((status) => {
        const count = byStatus.get(status);
        return count === undefined ? [] : [[status, count]];
      }),
    ),
    failures: named('e')
      .map(([name, count]) => ({ reason: reasonOf(name.charAt(1)), code: name.slice(3) || undefined, count }))
      .sort(
        (a, b) =>
          b.count - a.count || compareText(a.reason, b.reason) || compareText(a.code ?? '', b.code ?? ''),
      ),
    replies: tally.r ?? 0,
    optOuts: tally.o ?? 0,
    deliveryTimes: new Map(named('h').map(([name, count]) => [bucketOfName(name), count])),
  };
}

/** Returns `other` for a letter that only a newer version knows: it must not stop the figures of the rest. */
function statusOfLetter(letter: string): CanonicalStatus | 'other' {
  return canonicalStatuses.find((status) => codeOf(status, rankOf(status)) === letter) ?? 'other';
}
