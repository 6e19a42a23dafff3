import {
  type CanonicalErrorReason,
  type CanonicalStatus,
  canonicalStatuses,
} from '../contract/schema/sms-event.ts';
import { wordsOf } from './captured/field-names.ts';

/** Reports whether a text can be a word of the service: short, at most a few words, without a number or address. */
export function isVocabulary(text: string): boolean {
  return text.length <= 64 && !/\d{7}|@/.test(text) && text.trim().split(/\s+/).length <= 5;
}

/** The most likely meaning of a word. It is sure if the whole word is known, and not only a part of it. */
interface StatusGuess {
  readonly status: CanonicalStatus;
  readonly isWhole: boolean;
}

/** The words of delivery reports, in lower case without separators, including those of SMPP 3.4, appendix B. */
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
    'delivered delivrd deliverd success successful done completed deliveredtohandset deliveredtoterminal deliveredtophone deliveredtorecipient deliveredtodevice receivedbyrecipient receivedbyhandset',
  read: 'read seen opened displayed viewed',
};

const statusByWord = new Map(
  canonicalStatuses.flatMap((status) => whole[status].split(' ').map((word) => [word, status] as const)),
);

/** Parts of words, the more specific first: "delivery failed" is not a delivery. */
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

/** Guesses the canonical status of a service's word. @returns undefined for an unknown word */
export function guessStatus(word: string): StatusGuess | undefined {
  if (word.length > 64) return undefined;
  const words = wordsOf(word);
  const joined = words.join('');
  // Words before the status name its subject: "message.delivered", "SMS_SENT".
  const endings = words.map((_, from) => words.slice(from).join(''));
  for (const [index, ending] of endings.entries()) {
    const status = statusByWord.get(ending);
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

/** Patterns of error texts with their reasons, the more specific first. */
const reasonPatterns: readonly (readonly [RegExp, CanonicalErrorReason])[] = [
  [/opt(?:ed)?[ -]?out|unsubscribed|stop list|do not disturb/i, 'opted_out'],
  [/landline|fixed line/i, 'landline'],
  [/spam/i, 'spam'],
  [/(?:insufficient|not enough|no) (?:credit|fund|balance)/i, 'insufficient_funds'],
  [
    /(?:invalid|unknown|malformed|unallocated|not in use).{0,20}(?:number|subscriber|destination|recipient|msisdn)/i,
    'invalid_number',
  ],
  [/(?:number|subscriber|destination|recipient).{0,20}(?:invalid|unknown|not in use)/i, 'invalid_number'],
  [/unreachable|absent subscriber|switched off|out of (?:coverage|range)/i, 'unreachable'],
  [/sender.{0,20}(?:not registered|unregistered)|unregistered sender/i, 'unregistered_sender'],
  [/blacklist|blocked|barred/i, 'blocked'],
  [/no route|not routable|unroutable/i, 'no_route'],
  [/throttl|rate limit|too many/i, 'throttled'],
  [/expired|validity period/i, 'expired'],
];

/** Guesses the canonical reason from an error's text. @returns undefined if the text shows none */
export function guessReason(text: string): CanonicalErrorReason | undefined {
  return reasonPatterns.find(([pattern]) => pattern.test(text))?.[1];
}
