import type { SignatureContract } from '../../../contract/schema/contract-schema.ts';
import { formatDuration } from '../../../functions/base/basics.ts';
import {
  byHand,
  failed,
  judgeLastReconcile,
  ok,
  skipped,
  type Verdict,
  warn,
} from '../../../functions/query/index.ts';
import { rotationLimitMs, type WebhookReport } from '../../../functions/registration/index.ts';
import { sanitize } from '../../text/sanitize.ts';
import { repairOf } from '../webhook/render-webhook.ts';

const reconcile = 'Then run sms webhook reconcile.';

/** How the setup function describes a failure, and what to do about it. */
const advice: readonly (readonly [failure: RegExp, hint: string])[] = [
  [
    /API key|GetSecretValue/,
    `Store the API key as plain text in that secret, readable by the setup function. ${reconcile}`,
  ],
  [/answered (401|403)/, `The service rejects the API key: put a valid one into its secret. ${reconcile}`],
  [
    /answered 404/,
    'Check registration.id, or service.baseUrl and service.token, in the contract, and deploy.',
  ],
  [
    /could not be reached|no answer/,
    'Check service.baseUrl in the contract, and whether the service is up. Events are received meanwhile: docs/operate/alarms.md, "The service\'s API is down".',
  ],
];

const usedByLookups =
  'registration is off, so only lookups use it: the check "lookups" shows whether the service accepts it';

/**
 * Judges whether the service accepts the API key: the setup function exchanged it for a token and read the webhook.
 *
 * @param hasLookups false if that is not known
 */
export function judgeApiKey({ state, serviceFailure }: WebhookReport, hasLookups = false): Verdict {
  if (state === 'by-hand') return skipped(hasLookups ? usedByLookups : byHand);
  if (serviceFailure === null) return ok('the SMS service accepts it');
  const [, hint = 'Follow docs/operate/alarms.md, "The service\'s API is down".'] =
    advice.find(([failure]) => failure.test(serviceFailure)) ?? [];
  return failed(sanitize(serviceFailure).slice(0, 300), hint);
}

/** Judges where the service sends its events. @param url the output WebhookUrl */
export function judgeWebhookUrl(report: WebhookReport, url: string): Verdict {
  const { state, registeredUrl, webhookUrl, desiredState, drift } = report;
  if (webhookUrl !== url)
    return failed(
      `the setup function registers ${sanitize(webhookUrl)}, the output is ${sanitize(url)}`,
      'Deploy again, and check that --stack and --region name one pipeline.',
    );
  switch (state) {
    case 'by-hand':
      return skipped(byHand);
    case 'unknown':
      return skipped('the SMS service did not answer: see api-key');
    case 'registered':
      return drift === null
        ? ok(`the SMS service sends to ${sanitize(url)}`)
        : warn(`changed elsewhere: ${drift.kinds.join(', ')}`, 'sms webhook register repairs it.');
    case 'elsewhere':
      return failed(
        `the SMS service sends to ${sanitize(registeredUrl)}`,
        'sms webhook register takes it back. An account of the service has one webhook: is it shared with another pipeline?',
      );
    case 'deactivated':
      return desiredState === 'deactivated'
        ? warn('deactivated by sms webhook deactivate', 'sms webhook register makes the service send again.')
        : failed('the SMS service sends no events', 'sms webhook register makes it send.');
    case 'never-configured':
      return failed('the SMS service has no webhook', 'sms webhook register makes it send.');
  }
}

/**
 * Judges the age and the state of the signing secret.
 *
 * @param scheme of the contract's signature; undefined if the contract is not known
 * @param now milliseconds since the epoch
 */
export function judgeSecret(
  { state, secret, lastReconcile }: WebhookReport,
  scheme: SignatureContract['scheme'] | undefined,
  now: number,
): Verdict {
  if (scheme === 'none')
    return skipped('the contract has no signature: any caller that knows the URL can send events');
  const { stored, since, matchesService, previousValidUntil, rotating } = secret;
  if (!stored && scheme === undefined)
    return warn(
      'none is stored',
      'A contract with a signature needs one: sms webhook status says what is missing.',
    );
  if (!stored)
    return failed(
      'none is stored, so no event can be verified',
      state === 'by-hand'
        ? 'sms webhook store-secret stores the one that the service shows.'
        : 'sms webhook register stores it, or says how to store it.',
    );
  const age =
    since === null ? 'stored' : `stored ${formatDuration(Math.max(0, now - Date.parse(since)))} ago`;
  if (rotating !== null) {
    const isLeft = now >= Date.parse(rotating.since) + rotationLimitMs;
    return isLeft
      ? failed(`${age}; a rotation was left unfinished`, 'sms webhook reconcile ends it.')
      : warn(`${age}; a rotation is under way`, 'Run this again in a few minutes.');
  }
  if (matchesService === false)
    return failed(`${age}, not the one at the SMS service`, `${repairOf(lastReconcile)} repairs it.`);
  const overlap =
    previousValidUntil === null
      ? ''
      : `; the previous one is accepted for ${formatDuration(Math.max(0, Date.parse(previousValidUntil) - now))} more`;
  return ok(`${age}${matchesService === true ? ', the same as at the SMS service' : ''}${overlap}`);
}

/** Judges the last scheduled comparison with the service. */
export function judgeReconcile(report: WebhookReport, now: number): Verdict {
  const verdict = judgeLastReconcile(report, now);
  return { ...verdict, found: sanitize(verdict.found) };
}

/** Judges whether unverifiable requests are acknowledged. @param until the end of the capture; undefined if none was set */
export function judgeCapture(until: string | undefined, now: number): Verdict {
  const leftMs = Date.parse(until ?? '') - now;
  return leftMs > 0
    ? warn(
        `on for another ${formatDuration(leftMs)}`,
        'Requests that cannot be verified are acknowledged and kept in quarantine until it ends: sms contract capture off.',
      )
    : ok('off: requests that cannot be verified are refused');
}
