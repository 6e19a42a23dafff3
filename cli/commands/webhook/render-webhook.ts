import type { RegistrationState, WebhookReport } from '../../../functions/registration/registration.ts';
import { formatDuration } from '../../../functions/runtime/clock.ts';
import { rotationLimitMs } from '../../../functions/webhook/secret-document.ts';
import type { Drift } from '../../../functions/webhook/webhook-drift.ts';
import type { View } from '../../output/print.ts';
import { formatAgo, formatTime } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';
import { type Format, renderFields } from '../../text/table.ts';

const states: Readonly<Record<RegistrationState, { readonly format: Format; readonly meaning: string }>> = {
  registered: { format: 'green', meaning: 'the SMS service sends its events here' },
  elsewhere: { format: 'yellow', meaning: "the SMS service sends its events to somebody else's URL" },
  deactivated: { format: 'yellow', meaning: 'the SMS service sends no events' },
  'never-configured': { format: 'yellow', meaning: 'the SMS service was never told where to send events' },
  unknown: { format: 'red', meaning: 'the SMS service could not be asked' },
  'by-hand': {
    format: 'cyan',
    meaning: 'sms:registration is off, so people enter it in the console of the SMS service',
  },
};

const drifts: Readonly<Record<Drift, string>> = {
  'url-changed': 'the URL was changed',
  deactivated: 'the webhook was deactivated',
  'secret-rotated': 'the secret was rotated',
};

/** The time as the reader sees it, and how a time of a report is shown. */
interface Times {
  readonly now: number;
  /** `3 min ago (2026-01-15 09:00:00 -03:00)` */
  readonly ago: (iso: string) => string;
}

/**
 * The state of the webhook for people; a report holds no secret.
 *
 * @param now milliseconds since the epoch
 */
export function renderWebhook(report: WebhookReport, now: number, view: View): string {
  const times: Times = { now, ago: (iso) => formatAgo(iso, now, view.zone) };
  const { format, meaning } = states[report.state];
  const ofService = (value: string | undefined) => (report.state === 'by-hand' ? undefined : value);
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['Webhook', `${view.style(format, report.state)}: ${meaning}`],
    ['Wanted', ofService(report.wanted ?? 'nothing yet: this pipeline never registered')],
    ['Pipeline', sanitize(report.webhookUrl)],
    ['Service', ofService(sanitize(report.serviceFailure ?? report.registeredUrl) || 'no URL')],
    ['Secret', secretOf(report, times, view)],
    ['Previous', previousOf(report, times, view)],
    ['Rotation', ofService(rotationOf(report, times, view))],
    ['Drift', ofService(driftOf(report, times, view))],
    ['Reconciled', ofService(reconciledOf(report, times, view))],
    ['Verified', verifiedOf(report, times)],
    ['Mismatches', mismatchesOf(report, view)],
    ['Capture', captureOf(report, times, view)],
  ];
  return renderFields(
    fields.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    view,
  );
}

function secretOf({ state, secret }: WebhookReport, { ago }: Times, { style }: View): string {
  const isByHand = state === 'by-hand';
  if (!secret.stored)
    return style(
      'yellow',
      `none stored: no event can be verified${isByHand ? '; webhook store-secret stores it' : ''}`,
    );
  const stored = secret.since === null ? 'stored' : `stored ${ago(secret.since)}`;
  if (isByHand) return stored;
  if (secret.matchesService === null) return `${stored}; there is none of the SMS service to compare`;
  if (secret.matchesService) return `${stored}, the same as at the SMS service`;
  return secret.rotating === null
    ? style('red', `${stored}, not the one at the SMS service: webhook register repairs it`)
    : style('yellow', `${stored}; the SMS service has a newer one: the rotation stores it`);
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
  if (now >= limit) return style('yellow', `left unfinished, ${begun}: webhook reconcile ends it`);
  const isStored = secret.since !== null && Date.parse(secret.since) >= Date.parse(since);
  // Its own run would have taken the mark away, had the service confirmed.
  return isStored
    ? style(
        'cyan',
        `unconfirmed, ${begun}: its secret is stored, the mark stands until ${formatTime(new Date(limit).toISOString(), zone)}`,
      )
    : style('cyan', `under way, ${begun}`);
}

function driftOf({ drift }: WebhookReport, { ago }: Times, { style }: View): string | undefined {
  if (drift === null) return undefined;
  const changes = drift.kinds.map((kind) => drifts[kind]).join(' and ');
  return style('yellow', `${changes} elsewhere, found ${ago(drift.since)}: webhook register repairs it`);
}

function reconciledOf({ lastReconcile }: WebhookReport, { ago }: Times, { style }: View): string {
  if (lastReconcile === null) return 'not yet';
  const { at, failure } = lastReconcile;
  return failure === null ? ago(at) : style('red', `failed ${ago(at)}: ${sanitize(failure)}`);
}

/** Recorded at most once a minute: a later event may have come. */
function verifiedOf({ lastVerifiedAt }: WebhookReport, { ago }: Times): string {
  return lastVerifiedAt === null ? 'no event yet' : `an event at most ${ago(lastVerifiedAt)}`;
}

/** Instances of ingest tell of them now and then, so there may be more. */
function mismatchesOf({ mismatchesLastHour }: WebhookReport, { style }: View): string {
  return mismatchesLastHour === 0
    ? 'none in the last hour'
    : style('yellow', `at least ${mismatchesLastHour} in the last hour`);
}

/** Said only while it is on: requests are acknowledged then that count for nothing. */
function captureOf(
  { captureUntil }: WebhookReport,
  { now }: Times,
  { style, zone }: View,
): string | undefined {
  if (captureUntil === null) return undefined;
  const left = formatDuration(Date.parse(captureUntil) - now);
  return style(
    'yellow',
    `on for another ${left}, until ${formatTime(captureUntil, zone)}: what cannot be verified is kept in quarantine`,
  );
}
