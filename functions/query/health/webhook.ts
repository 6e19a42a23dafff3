import { formatDuration } from '../../base/basics.ts';
import type { WebhookReport } from '../../registration/index.ts';
import { failed, ok, skipped, type Verdict, warn } from './verdict.ts';

export const byHand = 'not asked: registration is off, so only lookups call the SMS service, if they are on';

/** The schedule runs every five minutes. */
const reconcileLateMs = 15 * 60_000;

const hourMs = 60 * 60_000;

/** Fewer are ordinary noise of the internet, as for the alarm RequestsRejected. */
const manyMismatches = 10;

/** Judges the last scheduled comparison with the service. @param now milliseconds since the epoch */
export function judgeLastReconcile(
  { state, desiredState, lastReconcile }: Pick<WebhookReport, 'state' | 'desiredState' | 'lastReconcile'>,
  now: number,
): Verdict {
  if (state === 'by-hand') return skipped(byHand);
  if (desiredState === null)
    return failed(
      'the webhook was never registered',
      'sms webhook register does it, and says why where it fails.',
    );
  if (lastReconcile === null) return warn('not yet', 'The schedule runs every five minutes: run this again.');
  const agoMs = Math.max(0, now - Date.parse(lastReconcile.at));
  const ago = `${formatDuration(agoMs)} ago`;
  if (lastReconcile.failure !== null)
    return failed(
      `failed ${ago}: ${lastReconcile.failure}`,
      'sms webhook reconcile tries again and says why: docs/operate/alarms.md, "The service\'s API is down".',
    );
  if (agoMs > reconcileLateMs)
    return failed(`last ${ago}`, 'The schedule does not run: deploy again, and read the log of setup.');
  return ok(`last ${ago}, without a failure`);
}

/** Judges the signatures of received requests. The time is known to within a minute. */
export function judgeVerified(
  report: Pick<WebhookReport, 'lastVerifiedAt' | 'mismatchesLastHour'>,
  now: number,
): Verdict {
  const { lastVerifiedAt, mismatchesLastHour } = report;
  const last =
    lastVerifiedAt === null
      ? 'no request was verified yet'
      : `last verified request ${formatDuration(Math.max(0, now - Date.parse(lastVerifiedAt)))} ago`;
  if (mismatchesLastHour > 0) {
    const isRecent = lastVerifiedAt !== null && now - Date.parse(lastVerifiedAt) < hourMs;
    return (isRecent || mismatchesLastHour < manyMismatches ? warn : failed)(
      `${last}; at least ${mismatchesLastHour} did not match in the last hour`,
      'docs/operate/alarms.md, "RequestsRejected": a wrong secret, a wrong contract, or forged requests.',
    );
  }
  return lastVerifiedAt === null ? warn(last, 'Send a real message, and run this again.') : ok(last);
}
