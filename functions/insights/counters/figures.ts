import type { CanonicalErrorReason } from '../../../contract/schema/sms-event.ts';
import { compareText } from '../../history/index.ts';
import {
  bucketOfName,
  failureOfName,
  pricedCurrency,
  type StatusName,
  segmentsName,
  spendName,
  statusNames,
} from './count-names.ts';
import type { Tally } from './tally.ts';

/** Messages that failed for one reason, with one code of the service. */
interface Failure {
  readonly reason: CanonicalErrorReason;
  /** Undefined if the service sent no code; `*` for codes that are not counted apart. */
  readonly code: string | undefined;
  readonly count: number;
}

/** What messages cost in one currency. */
interface Spend {
  /** ISO 4217. */
  readonly currency: string;
  /** In millionths of the currency. */
  readonly millionths: number;
  /** The messages that have a price in this currency. */
  readonly messages: number;
}

/** The counts of a cohort by what they mean. */
export interface Figures {
  readonly messages: number;
  /** By current status. `other` are words of the service that the contract does not list. */
  readonly statuses: Readonly<Partial<Record<StatusName, number>>>;
  /** The most frequent first. */
  readonly failures: readonly Failure[];
  readonly replies: number;
  /** Replies that are a keyword of stop. */
  readonly optOuts: number;
  /** Messages by the bucket of their time to delivery (delivery-times.ts). */
  readonly deliveryTimes: ReadonlyMap<number, number>;
  /** The parts of the messages for which the service reports them. */
  readonly segments: number;
  /** The currency of the most messages first. */
  readonly spend: readonly Spend[];
}

/** Reads the counts of one cohort, or of several that were added. */
export function figuresOf(tally: Tally): Figures {
  const counts = Object.entries(tally);
  const statuses = statusNames.flatMap((name) => {
    const count = tally[name];
    return count === undefined ? [] : [[name, count] as const];
  });
  return {
    messages: statuses.reduce((sum, [, count]) => sum + count, 0),
    statuses: Object.fromEntries(statuses),
    failures: counts
      .flatMap(([name, count]) => {
        const failure = failureOfName(name);
        return failure === undefined ? [] : [{ ...failure, code: failure.code || undefined, count }];
      })
      .sort(
        (a, b) =>
          b.count - a.count || compareText(a.reason, b.reason) || compareText(a.code ?? '', b.code ?? ''),
      ),
    replies: tally.replies ?? 0,
    optOuts: tally.optOuts ?? 0,
    deliveryTimes: new Map(
      counts.flatMap(([name, count]) => {
        const bucket = bucketOfName(name);
        return bucket === undefined ? [] : [[bucket, count] as const];
      }),
    ),
    segments: tally[segmentsName] ?? 0,
    spend: counts
      .flatMap(([name, messages]) => {
        const currency = pricedCurrency(name);
        if (currency === undefined) return [];
        return [{ currency, millionths: tally[spendName(currency)] ?? 0, messages }];
      })
      .sort((a, b) => b.messages - a.messages || compareText(a.currency, b.currency)),
  };
}
