import { errorName, invocationDeadline } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { Count } from '../../base/metrics.ts';
import type { QueueDrain } from '../../base/sqs-queue.ts';
import { detailTypes } from '../../publish/shapes.ts';
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

/** Thrown after all other work, so that the invocation counts as failed. The message holds only names of errors. */
export class AlertError extends Error {
  override readonly name = 'AlertError';

  constructor(errors: readonly string[]) {
    super(`notices of some failed messages could not be sent: ${errors.join(', ')}`);
  }
}

/** Further messages wait for the next round. A message takes about 2 KB of memory. */
const maxMessages = 20_000;

/** Milliseconds before the end of the invocation, after which it receives no message, begins no group and deletes nothing. */
const reservedMs = { receive: 20_000, group: 8_000, delete: 2_500 };

/**
 * Empties the queue of failures and sends one notice for each group of them. The messages of a group are deleted after its notice was sent. If the
 * function ends before that, the notice is sent again, and no failure goes without one.
 *
 * @throws AlertError if a step failed or a message could not be read; the messages concerned are still in the queue
 */
export async function alertFailures(
  { queue, notices, periodMinutes, log, count }: AlertDependencies,
  invocation: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const drained = await queue.receive(maxMessages, invocationDeadline(invocation, reservedMs.receive));
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
  let sent = 0;
  let waiting = 0;

  async function sendNotice(group: FailureGroup): Promise<void> {
    await notices.send(failureNotice(group, periodMinutes));
    sent += 1;
    count('failuresAlerted', group.failures.length);
    const failed = await queue.delete(group.receiptHandles, deleteDeadline);
    for (const name of failed) errors.add(name);
  }

  for (const group of groupFailures(delivered)) {
    if (groupDeadline.isOver()) waiting += 1;
    else
      await sendNotice(group).catch((error: unknown) => {
        errors.add(errorName(error));
      });
  }

  if (sent > 0) log('ALERTS_SENT', { notices: sent });
  // They are received again until the queue's limit of receives, days later. Then they go to its dead-letter queue.
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
