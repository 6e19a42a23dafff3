import {
  type CanonicalErrorReason,
  type CanonicalStatus,
  canonicalErrorReasons,
  canonicalStatuses,
} from '../contract/schema/sms-event.ts';
import { wordsOf } from './captured/field-names.ts';
import presetWords from './preset-words.json' with { type: 'json' };

/** Reports whether a text can be a word of the service: short, at most a few words, without a number or address. */
export function isVocabulary(text: string): boolean {
  return text.length <= 64 && !/\d{7}|@/.test(text) && text.trim().split(/\s+/).length <= 5;
}

/** The most likely meaning of a word. */
interface StatusGuess {
  readonly status: CanonicalStatus;
  /** Whether the whole word is known, and not only a part of it. */
  readonly isWhole: boolean;
  /** What the word means at other services. Left out if all agree. */
  readonly rivals?: readonly CanonicalStatus[];
}

/**
 * Words of delivery reports that no preset lists, in lower case without separators. They are from SMPP 3.4, appendix B, from the delivery
 * statuses of Parlay X and OMA (`DeliveredToTerminal`), and from services without a preset.
 */
const further: Readonly<Record<CanonicalStatus, string>> = {
  accepted: 'acceptd submitok registered scheduled initiated acknowledged',
  queued: 'queue pending waiting processing inprogress enqueued retrying deferred hold onhold messagewaiting',
  sent: 'enroute transmitted forwarded intransit handedover submitsm senttooperator senttocarrier senttosmsc deliveredtocarrier deliveredtonetwork deliveredtogateway deliveredtosmsc',
  unknown: 'unkn unconfirmed undefined nostatus deliveryuncertain deliverynotificationnotsupported',
  expired: 'expire timeout timedout ttlexpired validityexpired',
  rejected: 'rejectd reject blocked barred blacklisted spam refused filtered denied',
  failed: 'fail failure error invalid failedtosend insufficientfunds',
  undelivered:
    'undeliv undelivrd bounced bounce deliveryfailure deliveryimpossible unreachable faileddelivery',
  delivered:
    'delivrd deliverd success successful ok done completed deliveredtohandset deliveredtoterminal deliveredtophone deliveredtorecipient deliveredtodevice receivedbyrecipient receivedbyhandset',
  read: 'seen opened displayed viewed',
};

/** Words for a delivery at most services, and for a message that was only submitted at others. */
const ambiguousSuccess = 'success successful ok done completed'.split(' ');

const meanings = statusMeanings();

/** Counts how often each word has a meaning, in the presets and here. */
function statusMeanings(): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const all = new Map<string, Map<string, number>>(
    Object.entries(presetWords.statuses).map(([word, counts]) => [word, new Map(Object.entries(counts))]),
  );
  const add = (word: string, status: CanonicalStatus, weight = 1) => {
    const counts = all.get(word) ?? new Map<string, number>();
    all.set(word, counts.set(status, (counts.get(status) ?? 0) + weight));
  };
  for (const status of canonicalStatuses) for (const word of further[status].split(' ')) add(word, status);
  for (const word of ambiguousSuccess) add(word, 'sent', 0.5);
  return all;
}

/** What stands in front of a part of a word to reverse it: "NOT-SENT", "unsent", "not yet delivered". */
const negation = '(?<!un|non?|not|never|cannot|without|(?:not|never)(?:yet|been|be|fully|successfully))';

const part = (pattern: string) => new RegExp(`${negation}(?:${pattern})`);

/** Parts of words that say what a message failed by, the more specific first. */
const failureParts: readonly (readonly [RegExp, CanonicalStatus])[] = [
  [
    /undeliv|(?:not|non|cannot|never)(?:be|been)?deliver|delivery?(?:fail|impossible)|fail\w{0,20}deliver|bounce|unreachable|absent/,
    'undelivered',
  ],
  [/unconfirm|uncertain|unknown/, 'unknown'],
  [/unsuccess|notsuccess/, 'failed'],
  [part('expir|timedout|timeout'), 'expired'],
  [part('reject|block|barred|refus|spam|blacklist|filtered|denied|prohibit'), 'rejected'],
  [part('fail|error|invalid|cancel|delete|abort'), 'failed'],
];

const networks = 'to(?:operator|carrier|network|gateway|smsc)';

/** Parts of words that say how far a message got that is still on its way. */
const openParts: readonly (readonly [RegExp, CanonicalStatus])[] = [
  [part(`deliver\\w*${networks}`), 'sent'],
  [part('queue|pending|buffer|waiting|retry'), 'queued'],
  [part('sent|send(?!er)|submi(?:t|ss)|dispatch|enroute|transit|forward'), 'sent'],
  [part('accept|schedul|created'), 'accepted'],
];

const deliveredPart = part(`(?:delivered|delivrd)(?!${networks})`);
const readPart = /\b(?:read|seen)\b/;

/** Guesses the canonical status of a service's word. @returns undefined for an unknown word, and for one with parts that contradict each other */
export function guessStatus(word: string): StatusGuess | undefined {
  if (word.length > 64) return undefined;
  const words = wordsOf(word);
  const whole = statusOfWhole(words);
  if (whole !== undefined) return whole;
  const status = statusByParts(words.join(''), words.join(' '));
  return status === undefined ? undefined : { status, isWhole: false };
}

/** Looks a word up, alone and behind words that name its subject: "message.delivered", "SMS_SENT". */
function statusOfWhole(words: readonly string[]): StatusGuess | undefined {
  const ending = [...words.keys()]
    .filter((index) => words.slice(0, index).every((before) => subjects.has(before)))
    .map((index) => words.slice(index).join(''))
    .find((one) => meanings.has(one));
  if (ending === undefined) return undefined;
  // Where services disagree, most of them decide. If as many say one as the other, the guess is the status that claims less.
  const counts = meanings.get(ending);
  const count = (one: CanonicalStatus) => counts?.get(one) ?? 0;
  const [status, ...rivals] = canonicalStatuses
    .filter((one) => count(one) > 0)
    .sort((a, b) => count(b) - count(a));
  return status && { status, isWhole: true, ...(rivals.length > 0 && { rivals }) };
}

/** A guess never claims more than the word: what was sent with success was sent, and not delivered. */
function statusByParts(joined: string, spaced: string): CanonicalStatus | undefined {
  const first = (parts: typeof openParts) => parts.find(([pattern]) => pattern.test(joined))?.[1];
  const [failure, open] = [first(failureParts), first(openParts)];
  const isDelivered =
    deliveredPart.test(joined) || (/deliver/.test(joined) && part('succe|complet').test(joined) && !open);
  if (isDelivered) return failure === undefined && open === undefined ? 'delivered' : failureOf(failure);
  return failure ?? open ?? (readPart.test(spaced) ? 'read' : undefined);
}

/** A word with a delivery and a failure in it has a meaning only if it denies the delivery. */
function failureOf(failure: CanonicalStatus | undefined): CanonicalStatus | undefined {
  return failure === 'undelivered' ? failure : undefined;
}

const subjects = new Set(
  'sms message msg text status dlr mt delivery outbound outgoing event phone mobile report receipt notification'.split(
    ' ',
  ),
);

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

const reasonsByWord: ReadonlyMap<string, object> = new Map(Object.entries(presetWords.errors));

/** Returns the reason that the presets give a word such as `EC_ABSENT_SUBSCRIBER`. @returns undefined for a number, and if presets disagree */
export function reasonOfCode(code: string): CanonicalErrorReason | undefined {
  const [first = '', ...others] = wordsOf(code);
  const words = subjects.has(first) ? others : [first, ...others];
  const [meaning, ...rivals] = Object.keys(reasonsByWord.get(words.join('')) ?? {});
  return rivals.length > 0 ? undefined : canonicalErrorReasons.find((reason) => reason === meaning);
}
