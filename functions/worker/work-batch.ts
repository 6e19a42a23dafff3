import type { EventMapper } from '../../contract/events/mapping.ts';
import type { ObserveDrift } from '../contract-drift/drift-store.ts';
import type { Deadline } from '../runtime/basics.ts';
import { decodeEnvelope } from '../webhook/envelope.ts';
import type { Admit } from './admit.ts';
import { type QueueMessage, readBatch } from './read-batch.ts';
import { type StoreDependencies, storeBatch } from './store-batch.ts';

export interface WorkDependencies extends StoreDependencies {
  readonly admit: Admit;
  readonly map: EventMapper;
  readonly observeDrift: ObserveDrift;
}

/**
 * Works through one batch of the queue: decodes the requests, folds the events of those that are admitted, and stores them.
 *
 * @returns ids of the queue messages that SQS must redeliver: those still parked, and those with a write that failed
 */
export async function workBatch(
  queueMessages: readonly QueueMessage[],
  dependencies: WorkDependencies,
  deadline: Deadline,
): Promise<ReadonlySet<string>> {
  const { admit, map, observeDrift, clock, log, count } = dependencies;
  const firstReceives = queueMessages.filter(({ receiveCount }) => receiveCount === 1).length;
  if (firstReceives > 0) count('accepted', firstReceives);

  const received = queueMessages.map((queueMessage) => ({
    queueMessage,
    envelope: decodeEnvelope(queueMessage.body),
  }));
  const admission = await admit(received);
  const batch = readBatch(admission.admitted, map);
  const toQuarantine = [...batch.unreadable, ...admission.quarantined];
  const [failed] = await Promise.all([
    storeBatch(batch, toQuarantine, dependencies, deadline),
    admission.finish(deadline),
  ]);
  if (batch.mismatches.length > 0) await observeDrift(batch.mismatches, deadline);

  for (const { messageId, firstReceivedAt } of queueMessages)
    if (failed.has(messageId)) count('failingFor', clock() - firstReceivedAt);
  log('BATCH_STORED', {
    queueMessages: queueMessages.length - admission.parked.length,
    writes: batch.messages.length + batch.replies.length + toQuarantine.length,
  });
  return new Set([...failed, ...admission.parked.map(({ messageId }) => messageId)]);
}
