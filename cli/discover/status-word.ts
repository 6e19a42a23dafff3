import { type CanonicalStatus, canonicalStatuses } from '../../functions/core/statuses.ts';
import { wordsOf } from './field-name.ts';

/** What a word most likely means, and how surely: the whole word is known, or a part of it. */
export interface StatusGuess {
  readonly status: CanonicalStatus;
  readonly isWhole: boolean;
}

/** Words of delivery reports, without letter case and what parts them; SMPP 3.4, appendix B among them. */
const whole: Readonly<Record<CanonicalStatus, string>> = {
  accepted: 'accepted acceptd submitok registered scheduled initiated acknowledged',
  queued:
    'queued queue pending waiting buffered processing inprogress sending enqueued retrying deferred hold onhold',
  sent: 'sent submitted dispatched enroute transmitted forwarded intransit handedover submitsm senttooperator senttocarrier senttosmsc deliveredtooperator deliveredtocarrier deliveredtonetwork deliveredtogateway deliveredtosmsc',
  unknown: 'unknown unkn unconfirmed deliveryunconfirmed undefined nostatus',
  expired: 'expired expire timeout timedout ttlexpired validityexpired',
  rejected: 'rejected rejectd reject blocked barred blacklisted spam refused filtered denied carrierblocked',
  failed:
    'failed fail failure error invalid cancelled canceled deleted failedtosend sendingfailed aborted insufficientfunds',
  undelivered:
    'undelivered undeliv undeliverable undelivrd notdelivered bounced bounce deliveryfailed deliveryfailure unreachable absentsubscriber faileddelivery',
  delivered:
    'delivered delivrd deliverd success successful done completed deliveredtohandset deliveredtoterminal deliveredtophone deliveredtorecipient deliveredtodevice',
  read: 'read seen opened displayed viewed',
};

const known = new Map(
  canonicalStatuses.flatMap((status) => whole[status].split(' ').map((word) => [word, status] as const)),
);

/** Parts that tell, the more telling first: "delivery failed" is no delivery. */
const parts: readonly (readonly [RegExp, CanonicalStatus])[] = [
  [/undeliv|notdeliver|nondeliver|deliver\w*fail|fail\w*deliver|bounce|unreachable|absent/, 'undelivered'],
  [/unconfirm|unknown/, 'unknown'],
  [/expir|timedout|timeout/, 'expired'],
  [/reject|block|barred|refus|spam|blacklist|filtered|denied|prohibit/, 'rejected'],
  [/fail|error|invalid|cancel|delete|abort/, 'failed'],
  [/deliver\w*to(?:operator|carrier|network|gateway|smsc)/, 'sent'],
  [/delivered|delivrd|success/, 'delivered'],
  [/queue|pending|buffer|waiting|retry/, 'queued'],
  [/sent|submitted|dispatch|enroute|transit|forward/, 'sent'],
  [/accept|schedul|created/, 'accepted'],
  [/\bread\b|\bseen\b/, 'read'],
];

/** Finds the canonical status of a service's word; undefined where nothing tells. */
export function guessStatus(word: string): StatusGuess | undefined {
  if (word.length > 64) return undefined;
  const words = wordsOf(word);
  const joined = words.join('');
  // What stands before the word of the status says of what it is one: "message.delivered", "SMS_SENT".
  const endings = words.map((_, from) => words.slice(from).join(''));
  for (const [index, ending] of endings.entries()) {
    const status = known.get(ending);
    if (status !== undefined && words.slice(0, index).every((before) => subjects.has(before)))
      return { status, isWhole: true };
  }
  const spaced = words.join(' ');
  const part = parts.find(([pattern]) => pattern.test(joined) || pattern.test(spaced));
  return part === undefined ? undefined : { status: part[1], isWhole: false };
}

const subjects = new Set([
  'sms',
  'message',
  'msg',
  'text',
  'status',
  'dlr',
  'mt',
  'delivery',
  'outbound',
  'event',
]);
