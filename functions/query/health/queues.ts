import { formatCount, formatDuration } from '../../base/basics.ts';
import { failed, ok, type Verdict, warn } from './verdict.ts';

/** How many messages a queue holds, as SQS reports it. */
export interface QueueCounts {
  readonly name: string;
  readonly waiting: number;
  readonly inFlight: number;
}

/** A message that waits this long has failed, or its function does not run. */
const maxAgeSeconds = 5 * 60;

/** More than a burst leaves on a pipeline that works. */
const maxWaiting = 10_000;

export interface AgedQueue extends QueueCounts {
  /** The age of the oldest message in seconds; undefined if it is not read, and if no metric has it. */
  readonly oldestSeconds?: number | undefined;
}

/** Judges the queues that functions read. @param hasAges false if ages are not read: one machine has no metrics */
export function judgeQueues(queues: readonly AgedQueue[], hasAges: boolean): Verdict {
  const filled = queues.filter(({ waiting, inFlight }) => waiting + inFlight > 0);
  const found = filled.map(({ name, waiting, inFlight, oldestSeconds }) => {
    const age = oldestSeconds === undefined ? '' : `, the oldest for ${formatDuration(oldestSeconds * 1000)}`;
    return `${name}: ${waiting} waiting, ${inFlight} in flight${age}`;
  });
  const late = filled.some(({ oldestSeconds = 0 }) => oldestSeconds >= maxAgeSeconds);
  if (late)
    return failed(
      found.join('; '),
      'The function that reads it fails, is throttled or does not run: its log names the reason; for the queue of events see docs/operate/alarms.md, "Events are not stored", else "An automation fails".',
    );
  if (filled.some(({ waiting }) => waiting >= maxWaiting))
    return warn(found.join('; '), 'Run this again: the number has to fall.');
  if (hasAges && filled.some(({ oldestSeconds }) => oldestSeconds === undefined))
    return warn(
      `${found.join('; ')}: it is not known for how long`,
      'Run this again in a few minutes: the queue has to be empty, or its age known.',
    );
  return ok(found.length === 0 ? `${formatCount(queues.length, 'queue')}, all empty` : found.join('; '));
}

export interface DeadLetters extends QueueCounts {
  /** When the oldest of some of its messages was sent; null if that is not read. */
  readonly oldestSeenAt: string | null;
}

/** Judges the dead-letter queues. @param now milliseconds since the epoch */
export function judgeDeadLetters(queues: readonly DeadLetters[], now: number): Verdict {
  const filled = queues.filter(({ waiting, inFlight }) => waiting + inFlight > 0);
  if (filled.length === 0) return ok(`${formatCount(queues.length, 'queue')}, all empty`);
  const found = filled.map(({ name, waiting, inFlight, oldestSeenAt }) => {
    const age =
      oldestSeenAt === null ? '' : `, since ${formatDuration(Math.max(0, now - Date.parse(oldestSeenAt)))}`;
    return `${name}: ${formatCount(waiting + inFlight, 'message')}${age}`;
  });
  return failed(
    found.join('; '),
    'sms dead-letter show shows why. Fix the cause, then redrive: docs/operate/troubleshooting.md, "Redrive dead letters".',
  );
}
