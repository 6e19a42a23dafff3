import {
  type CanonicalErrorReason,
  type CanonicalStatus,
  canonicalStatuses,
} from '../../contract/schema/sms-event.ts';
import { compareText } from '../history/message.ts';
import { statusOf, wordCode } from '../history/packed.ts';
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
  /** By current status. `other` are words of the service that the contract does not list. */
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
  const byStatus = new Map(named('s').map(([name, count]) => [statusOfLetter(name.slice(1)), count]));
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

function statusOfLetter(letter: string): CanonicalStatus | 'other' {
  return letter === wordCode ? 'other' : statusOf(letter);
}
