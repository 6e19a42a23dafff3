import { formatCount, formatDuration } from '../../../functions/base/basics.ts';
import type { LookupStatus } from '../../../functions/lookups/shapes.ts';
import { ok, type Verdict, warn } from '../../../functions/query/index.ts';
import { sanitize } from '../../text/sanitize.ts';

const seeAlarm = 'Read LOOKUP-02 in the log of the lookups: docs/operate/alarms.md, "LookupErrors".';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A run that ended early continues a quarter of an hour later. */
const behindMs = 3 * hourMs;

/** The share of yesterday's messages that may be missing before a look is worth it. */
const notableShare = 0.01;

/**
 * Judges what the lookups found, and whether they are up to date.
 *
 * @param now milliseconds since the epoch
 */
export function judgeLookups({ days, doneUntil, stoppedBy }: LookupStatus, now: number): Verdict {
  const passes = Object.entries(doneUntil);
  if (passes.length === 0)
    return stoppedBy === undefined
      ? ok('no run has ended yet; the first one is within 15 minutes of the deployment')
      : warn(`no run has done anything: ${sanitize(stoppedBy)}`, seeAlarm);
  for (const [pass, until] of passes) {
    const ageMs = Number(/after (\d+) min/.exec(pass)?.[1] ?? 0) * 60_000;
    const lateMs = now - ageMs - Date.parse(until);
    // A service that lists whole days is asked once a day.
    if (lateMs > behindMs + (pass.startsWith('list') ? dayMs : 0))
      return warn(
        `"${pass}" is ${formatDuration(lateMs)} late${stoppedBy === undefined ? '' : `: ${sanitize(stoppedBy)}`}`,
        seeAlarm,
      );
  }
  // A run that is out of time goes on in a quarter of an hour.
  if (stoppedBy !== undefined && stoppedBy !== 'time')
    return warn(`the last run ended early: ${sanitize(stoppedBy)}`, seeAlarm);
  // The list of a day later has seen the whole day.
  const complete = new Date(now - 2 * dayMs).toISOString().slice(0, 10);
  const [day, found] =
    Object.entries(days)
      .sort()
      .findLast(([one]) => one <= complete) ?? [];
  if (day === undefined || found === undefined) return ok('they are up to date');
  const { listed, missing, changed } = found;
  const text = `of ${day} the service lists ${formatCount(listed, 'message')}: ${missing} were missing here, ${changed} had another state, and all are corrected`;
  return missing + changed > listed * notableShare
    ? warn(
        text,
        'More than 1 % of the reports did not arrive by the webhook: docs/operate/outage.md says how the provider retries.',
      )
    : ok(text);
}
