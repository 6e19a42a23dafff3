import type { CanonicalErrorReason } from '../../functions/core/error-reasons.ts';

/** What error texts say of the reason, the more telling first. */
const telling: readonly (readonly [RegExp, CanonicalErrorReason])[] = [
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

/** The canonical reason that an error's text tells of; undefined where it does not. */
export function guessReason(text: string): CanonicalErrorReason | undefined {
  return telling.find(([pattern]) => pattern.test(text))?.[1];
}
