import type { QueueDrain } from '../../aws/sqs-queue.ts';
import { detailTypes } from '../../bus/event-types.ts';
import { invocationDeadline } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log-catalogue.ts';
import type { Count } from '../../runtime/metrics.ts';
import { BusMessageError, readBusMessage } from '../runner/bus-message.ts';
import {
  type DeliveredFailure,
  type FailureGroup,
  failureNotice,
  groupFailures,
  type Notice,
} from './failure-notice.ts';

export interface AlertDependencies {
  readonly queue: QueueDrain;
  readonly notices: { send(notice: Notice): Promise<void> };
  readonly periodMinutes: number;
  readonly log: Log;
  readonly count: Count;
}

/** Thrown after everything else was done, so that the function counts as failed; the message holds names of errors only. */
export class AlertError extends Error {
  override readonly name = 'AlertError';

  constructor(errors: readonly string[]) {
    super(`not all failed messages could be told: ${errors.join(', ')}`);
  }
}

/** More wait for the next round: a message takes about 2 KB of memory. */
const mostMessages = 20_000;

/** What is left of the function's time, in milliseconds, when no more is received, no group begun, nothing deleted. */
const reservedMs = { receive: 20_000, group: 8_000, delete: 2_500 };

/**
 * Empties the queue of failures and tells one notice for each group of them. A group is deleted once its notice is out: what
 * breaks off before that is told again, and nothing is left untold.
 *
 * @throws AlertError where something failed, or could not be read; what it concerns is still in the queue
 */
export async function alertFailures(
  { queue, notices, periodMinutes, log, count }: AlertDependencies,
  invocation: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const drained = await queue.receive(mostMessages, invocationDeadline(invocation, reservedMs.receive));
  const errors = new Set(drained.failures);
  const unreadable: string[] = [];
  const delivered = drained.messages.flatMap(({ body, receiptHandle }): DeliveredFailure[] => {
    try {
      return [{ failure: readBusMessage(body, [detailTypes.statusChanged]).detail, receiptHandle }];
    } catch (error) {
      if (!(error instanceof BusMessageError)) throw error;
      unreadable.push(error.message);
      return [];
    }
  });
  const groupDeadline = invocationDeadline(invocation, reservedMs.group);
  const deleteDeadline = invocationDeadline(invocation, reservedMs.delete);
  let told = 0;
  let waiting = 0;

  async function tell(group: FailureGroup): Promise<void> {
    await notices.send(failureNotice(group, periodMinutes));
    told += 1;
    count('failuresAlerted', group.failures.length);
    const failed = await queue.delete(group.receiptHandles, deleteDeadline);
    for (const name of failed) errors.add(name);
  }

  for (const group of groupFailures(delivered)) {
    if (groupDeadline.isOver()) waiting += 1;
    else
      await tell(group).catch((error: unknown) => {
        errors.add(error instanceof Error ? error.name : 'unknown');
      });
  }

  if (told > 0) log('ALERTS_SENT', { notices: told });
  // They come again until the queue's last receive, days later, and go to its dead letter queue then.
  if (unreadable.length > 0) {
    log('ALERT_UNREADABLE', { messages: unreadable.length, reason: unreadable[0] ?? null });
    errors.add('BusMessageError');
  }
  if (drained.ended !== 'empty' || waiting > 0)
    log('ALERTS_UNFINISHED', { reason: drained.ended === 'limit' ? 'most' : 'time', notices: waiting });
  if (errors.size === 0) return;
  log('ALERTS_FAILED', { errors: [...errors].join(', ') });
  throw new AlertError([...errors]);
}
