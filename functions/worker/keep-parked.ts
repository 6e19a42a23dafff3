import type { MessageVisibility } from '../adapters/message-visibility.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { QueueMessage } from './queue-message.ts';
import { reservedMs } from './store-batch.ts';

/** The longest a parked request waits for its next turn, in seconds. */
const longestWaitSeconds = 60;

/**
 * Lets parked requests come again sooner than a failed message does: after 2 s, then 4 s, and so on. They must be
 * reported as failed all the same, or Lambda deletes them. Never throws.
 *
 * @param remainingMs what is left of the function's time
 */
export async function keepParked(
  parked: readonly QueueMessage[],
  visibility: MessageVisibility,
  log: Log,
  remainingMs: () => number,
): Promise<void> {
  if (parked.length === 0) return;
  const failures = await visibility.change(
    parked.map(({ receiptHandle, receiveCount }) => ({
      receiptHandle,
      seconds: Math.min(longestWaitSeconds, 2 ** receiveCount),
    })),
    () => remainingMs() >= reservedMs,
  );
  const visibilityErrors = failures.length === 0 ? {} : { visibilityErrors: failures.join(', ') };
  log('PARKED_WAITING', { requests: parked.length, ...visibilityErrors });
}
