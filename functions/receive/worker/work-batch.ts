import type { EventMapper } from '../../../contract/events/mapping.ts';
import type { Deadline } from '../../base/basics.ts';
import type { ObserveDrift } from '../../history/index.ts';
import { decodeEnvelope } from '../envelope.ts';
import {
  isParked,
  judgeParkedRequests,
  type ParkedDependencies,
  type ParkedRequest,
  quarantineEntryOf,
  retryParked,
  type SortedRequests,
} from './parked-requests.ts';
import { type BodyOf, type PendingEntry, type QueueMessage, type Received, readBatch } from './read-batch.ts';
import type { RecordVerified } from './record-verified.ts';
import { type StoreDependencies, storeBatch } from './store-batch.ts';

export interface WorkDependencies extends StoreDependencies {
  readonly parked: ParkedDependencies;
  readonly map: EventMapper;
  readonly bodyOf: BodyOf;
  /** The name of the source whose requests the queue has. */
  readonly source: string;
  readonly observeDrift: ObserveDrift;
  /** Undefined if the contract's scheme verifies nothing. */
  readonly recordVerified: RecordVerified | undefined;
}

/**
 * Works through one batch of the queue: decodes the requests, folds the events of those that are verified, and stores them.
 *
 * @returns ids of the queue messages that SQS must redeliver: those still parked, and those with a write that failed
 */
export async function workBatch(
  queueMessages: readonly QueueMessage[],
  dependencies: WorkDependencies,
  deadline: Deadline,
): Promise<ReadonlySet<string>> {
  const { map, bodyOf, source, observeDrift, recordVerified, clock, log, count } = dependencies;
  const received = queueMessages.map((queueMessage) => ({
    queueMessage,
    envelope: decodeEnvelope(queueMessage.body),
  }));
  const { verified, waiting, quarantined } = await sortRequests(received, dependencies.parked);
  const batch = readBatch(verified, map, source, bodyOf);
  const isProbe = ({ queueMessage }: Received) => batch.probes.has(queueMessage.messageId);
  const accepted = received.filter(
    (one) => one.queueMessage.receiveCount === 1 && isVerifiedByIngest(one.envelope) && !isProbe(one),
  ).length;
  if (accepted > 0) count('accepted', accepted);
  const toQuarantine = [...batch.unreadable, ...quarantined];
  const [failed] = await Promise.all([
    storeBatch(batch, toQuarantine, dependencies, deadline),
    waiting.length > 0 && retryParked(waiting, dependencies.parked, deadline),
    recordVerified?.(verified.filter((one) => !isProbe(one))),
  ]);
  await observeDrift(batch.mismatches, deadline);

  for (const { messageId, firstReceivedAt } of queueMessages)
    if (failed.has(messageId)) count('failingFor', clock() - firstReceivedAt);
  log('BATCH_STORED', {
    queueMessages: queueMessages.length - waiting.length,
    writes: batch.messages.length + batch.replies.length + toQuarantine.length,
  });
  return new Set([...failed, ...waiting.map(({ messageId }) => messageId)]);
}

/**
 * Returns whether ingest verified a request. Parked requests are counted once they are verified, and captured ones are not: a stranger may have sent
 * them.
 */
const isVerifiedByIngest = (envelope: Received['envelope']) =>
  envelope !== undefined && envelope.captured === undefined && !isParked(envelope);

/** Sorts the requests of a batch. Ingest has verified nearly all; parked ones are judged here. Never throws. */
export async function sortRequests(
  received: readonly Received[],
  dependencies: ParkedDependencies,
): Promise<SortedRequests> {
  const verified: Received[] = [];
  const quarantined: PendingEntry[] = [];
  const parked: ParkedRequest[] = [];
  for (const { queueMessage, envelope } of received) {
    if (envelope?.captured !== undefined) {
      const entry = quarantineEntryOf(envelope, 'captured', envelope.captured);
      quarantined.push({ makeEntry: () => entry, queueMessages: [queueMessage.messageId] });
    } else if (envelope !== undefined && isParked(envelope)) parked.push({ queueMessage, envelope });
    else verified.push({ queueMessage, envelope });
  }
  if (parked.length === 0) return { verified, quarantined, waiting: [] };
  const judged = await judgeParkedRequests(parked, dependencies);
  return {
    verified: [...verified, ...judged.verified],
    quarantined: [...quarantined, ...judged.quarantined],
    waiting: judged.waiting,
  };
}
