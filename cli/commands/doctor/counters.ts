import { formatDuration } from '../../../functions/base/basics.ts';
import { failed, ok, type Verdict } from '../../../functions/query/index.ts';

/** A batch of changes waits for 15 seconds, and a batch that failed is retried within minutes. */
const behindMs = 5 * 60_000;

/**
 * Judges whether insights counts what is stored.
 *
 * @param oldest when the oldest change was made that is not counted; undefined if all are. Milliseconds since the epoch, as `now`
 */
export function judgeCounters(oldest: number | undefined, now: number): Verdict {
  if (oldest === undefined) return ok('every change of the history is counted');
  const found = `the oldest change that is not counted was made ${formatDuration(now - oldest)} ago`;
  if (now - oldest < behindMs) return ok(found);
  return failed(
    found,
    'The log of the function "insights" shows the error: docs/operate/alarms.md, "InsightsBehind".',
  );
}
