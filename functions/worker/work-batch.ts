import type { MessageVisibility } from '../adapters/message-visibility.ts';
import { decodeEnvelope } from '../core/envelope.ts';
import { type AdmitDependencies, admit } from './admit.ts';
import { keepParked } from './keep-parked.ts';
import type { RecordVerified } from './last-verified.ts';
import type { QueueMessage } from './queue-message.ts';
import { type StoreDependencies, storeBatch } from './store-batch.ts';

/** What a batch needs from end to end. */
export interface WorkDependencies extends AdmitDependencies, StoreDependencies {
  readonly visibility: MessageVisibility;
  /** Undefined where the contract's scheme verifies nothing. */
  readonly recordVerified: RecordVerified | undefined;
}

/**
 * Verifies what is parked in a batch, stores what is verified, and puts what was captured into quarantine.
 *
 * @param remainingMs what is left of the function's time
 * @returns ids of the queue messages that must come again: those still parked, and those a write of which failed
 */
export async function workBatch(
  queueMessages: readonly QueueMessage[],
  dependencies: WorkDependencies,
  remainingMs: () => number,
): Promise<ReadonlySet<string>> {
  const firstReceives = queueMessages.filter(({ receiveCount }) => receiveCount === 1).length;
  if (firstReceives > 0) dependencies.count('accepted', firstReceives);
  const received = queueMessages.map((queueMessage) => ({
    queueMessage,
    envelope: decodeEnvelope(queueMessage.body),
  }));
  const { admitted, parked, refused } = await admit(received, dependencies);
  const [failed] = await Promise.all([
    storeBatch(admitted, refused, dependencies, remainingMs),
    keepParked(parked, dependencies.visibility, dependencies.log, remainingMs),
    dependencies.recordVerified?.(admitted),
  ]);
  for (const { messageId, firstReceivedAt } of queueMessages)
    if (failed.has(messageId)) dependencies.count('failingFor', dependencies.clock() - firstReceivedAt);
  return new Set([...failed, ...parked.map(({ messageId }) => messageId)]);
}
