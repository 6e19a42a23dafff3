import { formatDuration } from '../../../functions/base/basics.ts';
import {
  type Drift,
  type RegistrationState,
  rotationLimitMs,
  type WebhookReport,
} from '../../../functions/registration/index.ts';
import type { View } from '../../output/print.ts';
import { formatAgo, formatTime } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';
import { type Format, renderFields } from '../../text/table.ts';

const states: Readonly<Record<RegistrationState, { readonly format: Format; readonly meaning: string }>> = {
  registered: { format: 'green', meaning: 'the SMS service sends its events here' },
  elsewhere: { format: 'yellow', meaning: 'the SMS service sends its events to another URL' },
  deactivated: { format: 'yellow', meaning: 'the SMS service sends no events' },
  'never-configured': { format: 'yellow', meaning: 'no webhook was ever configured at the SMS service' },
  unknown: { format: 'red', meaning: 'the SMS service did not answer' },
  'by-hand': {
    format: 'cyan',
    meaning: 'sms:registration is off, so people enter it in the console of the SMS service',
  },
};

const drifts: Readonly<Record<Drift, string>> = {
  'url-changed': 'the URL was changed',
  deactivated: 'the webhook was deactivated',
  'settings-changed': 'a setting of the webhook was changed',
  'secret-rotated': 'the secret was rotated',
};

interface Times {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Formats a time: `3 min ago (2026-01-15 09:00:00 -03:00)`. */
  readonly ago: (iso: string) => string;
}

/** Renders the state of the webhook. A report never holds a secret. @param now milliseconds since the epoch */
export function renderWebhook(report: WebhookReport, now: number, view: View): string {
  const times: Times = { now, ago: (iso) => formatAgo(iso, now, view.zone) };
  const { format, meaning } = states[report.state];
  const ofService = (value: string | undefined) => (report.state === 'by-hand' ? undefined : value);
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['Webhook', `${view.style(format, report.state)}: ${meaning}`],
    ['Desired', ofService(report.desiredState ?? 'nothing yet: this pipeline never registered')],
    ['Pipeline', sanitize(report.webhookUrl)],
    ['Service', ofService(sanitize(report.serviceFailure ?? report.registeredUrl) || 'no URL')],
    ['Secret', secretOf(report, times, view)],
    ['Previous', previousOf(report, times, view)],
    ['Rotation', ofService(rotationOf(report, times, view))],
    ['Drift', ofService(driftOf(report, times, view))],
    ['Reconciled', ofService(reconciledOf(report, times, view))],
    ['Verified', verifiedOf(report, times)],
    ['Mismatches', mismatchesOf(report, view)],
  ];
  return renderFields(
    fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    view,
  );
}

function secretOf({ state, secret, lastReconcile }: WebhookReport, { ago }: Times, { style }: View): string {
  const isByHand = state === 'by-hand';
  if (!secret.stored)
    return style(
      'yellow',
      `none stored: no event can be verified${isByHand ? '; sms webhook store-secret stores it' : ''}`,
    );
  const stored = secret.since === null ? 'stored' : `stored ${ago(secret.since)}`;
  if (isByHand) return stored;
  if (secret.matchesService === null) return `${stored}; the SMS service has none to compare with`;
  if (secret.matchesService) return `${stored}, the same as at the SMS service`;
  return secret.rotating === null
    ? style('red', `${stored}, not the one at the SMS service: ${repairOf(lastReconcile)} repairs it`)
    : style('yellow', `${stored}; the SMS service has a newer one, which the rotation stores`);
}

/** Names the command that repairs another secret than the service's. No run makes a secret current that was replaced before. */
export function repairOf(lastReconcile: WebhookReport['lastReconcile']): string {
  return lastReconcile?.failure === 'replaced-secret' ? 'sms webhook rotate --force' : 'sms webhook register';
}

function previousOf({ secret }: WebhookReport, { now }: Times, { zone }: View): string | undefined {
  const { previousValidUntil } = secret;
  if (previousValidUntil === null) return undefined;
  const leftMs = Math.max(0, Date.parse(previousValidUntil) - now);
  return `also accepted for ${formatDuration(leftMs)} more, until ${formatTime(previousValidUntil, zone)}`;
}

function rotationOf(
  { secret }: WebhookReport,
  { now, ago }: Times,
  { style, zone }: View,
): string | undefined {
  if (secret.rotating === null) return undefined;
  const { since, by } = secret.rotating;
  const begun = `begun ${ago(since)} by ${sanitize(by)}`;
  const limit = Date.parse(since) + rotationLimitMs;
  if (now >= limit) return style('yellow', `left unfinished, ${begun}: sms webhook reconcile ends it`);
  const isStored = secret.since !== null && Date.parse(secret.since) >= Date.parse(since);
  // A rotation that the service confirmed would have removed its mark.
  return isStored
    ? style(
        'cyan',
        `unconfirmed, ${begun}: its secret is stored, the mark remains until ${formatTime(new Date(limit).toISOString(), zone)}`,
      )
    : style('cyan', `under way, ${begun}`);
}

function driftOf({ drift }: WebhookReport, { ago }: Times, { style }: View): string | undefined {
  if (drift === null) return undefined;
  const changes = drift.kinds.map((kind) => drifts[kind]).join(' and ');
  return style('yellow', `${changes} elsewhere, found ${ago(drift.since)}: sms webhook register repairs it`);
}

function reconciledOf({ lastReconcile }: WebhookReport, { ago }: Times, { style }: View): string {
  if (lastReconcile === null) return 'not yet';
  const { at, failure } = lastReconcile;
  return failure === null ? ago(at) : style('red', `failed ${ago(at)}: ${sanitize(failure)}`);
}

/** The time is recorded at most once a minute, so a later event may have arrived. */
function verifiedOf({ lastVerifiedAt }: WebhookReport, { ago }: Times): string {
  return lastVerifiedAt === null ? 'no event yet' : `an event at most ${ago(lastVerifiedAt)}`;
}

/** The count is a minimum, because instances of ingest report mismatches with a delay. */
function mismatchesOf({ mismatchesLastHour }: WebhookReport, { style }: View): string {
  return mismatchesLastHour === 0
    ? 'none in the last hour'
    : style('yellow', `at least ${mismatchesLastHour} in the last hour`);
}
