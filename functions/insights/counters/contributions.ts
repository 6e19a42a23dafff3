import { splitId } from '../../../contract/events/source-id.ts';
import { outcomeOf } from '../../../contract/schema/sms-event.ts';
import {
  compareEntries,
  costAndRouteOf,
  decidingEntry,
  deliveryTime,
  type KeywordOf,
  keywordOfReply,
  type Message,
  probeMessagePrefix,
  type Reply,
  type StatusEntry,
  staleEventId,
} from '../../history/index.ts';
import { type Cohort, dayMs, quarterMs, startOf } from './cohort.ts';
import {
  failureName,
  otherCode,
  pricedName,
  segmentsName,
  spendName,
  statusName,
  timeName,
} from './count-names.ts';
import { countryOf } from './country.ts';
import { bucketOf } from './delivery-times.ts';
import { millionthsOf } from './spend.ts';
import type { Tally } from './tally.ts';

/** What one message or reply adds to the counters. It follows from the stored item alone. */
export interface Contribution {
  readonly tally: Tally;
  /** Where the tally counts. The send of a reply is not among them, because only its message shows it. */
  readonly cohorts: readonly Cohort[];
}

/** Codes of services are short. */
const plainCode = /^[\w.-]{1,12}$/;
/** Seven digits could be a phone number, however they are divided, which must not be in a counter. */
const digitsOfNumber = 7;

/**
 * Returns what a message adds: its status, if it failed the reason and the service's code, and the time from the earliest report to the first
 * report of success. It adds its parts and its price. It counts at the time of its earliest report. A message without a report before its
 * delivery has no such time. Test messages of `sms doctor` add nothing.
 */
export function messageContribution(message: Message): Contribution {
  // Test messages of `sms doctor` are no traffic.
  const { source, id } = splitId(message.messageId);
  if (id.startsWith(probeMessagePrefix)) return { tally: {}, cohorts: [] };
  const deciding = decidingEntry(message);
  const { status, rank } = deciding;
  const outcome = outcomeOf(rank);
  const time = deliveryTime(message);
  const send: Cohort[] =
    message.sendId === undefined ? [] : [{ kind: 'send', sendId: message.sendId.toWellFormed() }];
  return {
    tally: {
      [statusName(status, rank)]: 1,
      ...(outcome === 'failure' && { [failureNameOf(deciding)]: 1 }),
      ...(time !== undefined && { [timeName(bucketOf(time))]: 1 }),
      ...costTally(message),
    },
    cohorts: [...send, ...timeCohorts(firstTime(message), countryOf(message.phone), source)],
  };
}

function costTally(message: Message): Tally {
  const { price, currency, segments } = costAndRouteOf(message);
  const millionths = price === undefined ? 0 : millionthsOf(price);
  return {
    ...(segments !== undefined && { [segmentsName]: segments }),
    ...(currency !== undefined && { [pricedName(currency)]: 1 }),
    ...(currency !== undefined && millionths > 0 && { [spendName(currency)]: millionths }),
  };
}

/** Returns what a reply adds. It counts at its own time, in the country of its sender. */
export function replyContribution({ replyId, current }: Reply, keywordOf: KeywordOf): Contribution {
  const { occurredAt, from } = current;
  return {
    tally: { replies: 1, ...(keywordOfReply(current, keywordOf) === 'stop' && { optOuts: 1 }) },
    cohorts: timeCohorts(Date.parse(occurredAt), countryOf(from), splitId(replyId).source),
  };
}

/**
 * Returns the time of a message's earliest report, in milliseconds since 1970. Of a message that only lookups know, it is the time of the
 * answer that decides, because answers that add nothing are not stored.
 */
export function firstTime(message: Message): number {
  // The mark of a stale message is no report of the service.
  const reports = [...message.events.values()].filter(({ eventId }) => eventId !== staleEventId);
  const reported = reports.filter(({ origin }) => origin !== 'lookup');
  const counted = reported.length === 0 ? reports.sort(compareEntries).slice(-1) : reported;
  return Math.min(...counted.map(({ occurredAt }) => Date.parse(occurredAt)));
}

function failureNameOf({ errorReason, errorCode = '' }: StatusEntry): string {
  const isPlain = plainCode.test(errorCode) && errorCode.replace(/\D/g, '').length < digitsOfNumber;
  const code = errorCode === '' || isPlain ? errorCode : otherCode;
  return failureName(errorReason ?? 'unknown', code);
}

function timeCohorts(ms: number, country: string, source: string): Cohort[] {
  return [
    { kind: 'quarter', start: startOf(ms, quarterMs), country, source },
    { kind: 'day', start: startOf(ms, dayMs), country, source },
  ];
}
