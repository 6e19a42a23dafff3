import pMap from 'p-map';
import type { EventMapper } from '../../contract/events/mapping.ts';
import type { MessageVisibility } from '../aws/sqs-queue.ts';
import type { NoteDrift } from '../contract-drift/drift-store.ts';
import type { HistoryWriter, StoreOutcome } from '../history/history-write-store.ts';
import type { Reply, ReplyEntry } from '../history/message.ts';
import type { KeywordOf } from '../opt-out/keyword.ts';
import type { OptOutRegister } from '../opt-out/opt-out-store.ts';
import type { QuarantineEntry } from '../quarantine/quarantine.ts';
import type { Quarantine } from '../quarantine/quarantine-store.ts';
import type { Clock, Deadline } from '../runtime/clock.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metrics.ts';
import { decodeEnvelope } from '../webhook/envelope.ts';
import { type AdmitDependencies, admit, type RecordVerified, type Refused } from './admit.ts';
import {
  gatherStatements,
  type Pending,
  type QueueMessage,
  quarantined,
  type Received,
  readBatch,
} from './read-batch.ts';

/** What storing a batch needs. */
export interface StoreDependencies {
  readonly map: EventMapper;
  readonly history: HistoryWriter;
  readonly optOuts: OptOutRegister;
  readonly keywordOf: KeywordOf;
  readonly quarantine: Quarantine;
  readonly noteDrift: NoteDrift;
  readonly clock: Clock;
  readonly log: Log;
  readonly count: Count;
}

/** Writes under way at once: enough to hide the latency of the database, few enough for the 50 connections that a client of the SDK keeps. */
export const concurrentWrites = 32;

interface Write {
  readonly queueMessages: Iterable<string>;
  run(): Promise<void>;
}

/**
 * Stores the events of a batch: each message in one write, what cannot be read in quarantine.
 *
 * @param received requests that are verified
 * @param refused what is to be kept in quarantine besides
 * @returns ids of the queue messages that must come again because a write of theirs failed; the others are done
 */
export async function storeBatch(
  received: readonly Received[],
  refused: readonly Refused[],
  { map, history, optOuts, keywordOf, quarantine, noteDrift, clock, log, count }: StoreDependencies,
  deadline: Deadline,
): Promise<ReadonlySet<string>> {
  const batch = readBatch(received, map);
  if (batch.unmapped > 0) {
    count('unmappedStatus', batch.unmapped);
    log('STATUS_UNMAPPED', { events: batch.unmapped });
  }

  async function keep(entry: QuarantineEntry): Promise<void> {
    requireTime();
    await quarantine.keep(entry);
    const { reason, field = null, requestId } = entry;
    if (reason === 'signature-mismatch') {
      count('parkedRefused');
      log('PARKED_REFUSED', { requestId });
    } else if (reason === 'captured') {
      count('capturedKept');
      log('CAPTURED_KEPT', { requestId });
    } else {
      count('quarantined');
      log('EVENT_QUARANTINED', { reason, field, requestId });
    }
  }

  function requireTime(): void {
    if (deadline.isOver()) throw new OutOfTimeError();
  }

  async function storeAll<T>(
    store: (value: T) => Promise<StoreOutcome>,
    value: T,
    arrivals: Pending<T>['arrivals'],
  ): Promise<void> {
    requireTime();
    const outcome = await store(value);
    if (outcome.kind === 'stored') {
      count('stored', outcome.stored);
      count('repeated', outcome.repeated);
      // Where some were stored before, nobody knows here which: a repeat is no late event.
      if (outcome.repeated === 0 && outcome.stored > 0) count('lagToStored', clock() - earliest(arrivals));
      for (const eventId of outcome.refused) {
        const arrival = arrivals.get(eventId);
        if (arrival !== undefined) await keep(quarantined(arrival.source(), 'message-full'));
      }
      return;
    }
    // One by one, so that an event the database takes does not go down with one that it refuses.
    for (const [eventId, arrival] of arrivals) {
      if (arrivals.size > 1) await storeAll(store, arrival.value, new Map([[eventId, arrival]]));
      else await keep(quarantined(arrival.source(), 'storage-refused'));
    }
  }

  /** The versions of each reply that arrived, as the history has them, by reply id. A reply that could not be stored is missing. */
  const storedVersions = new Map<string, readonly ReplyEntry[]>();

  async function storeReply({ value, arrivals }: Pending<Reply>): Promise<void> {
    const versions: ReplyEntry[] = [];
    const store = async (reply: Reply) => {
      const outcome = await history.storeReply(reply);
      if (outcome.kind === 'stored')
        versions.push(outcome.reply.standing, ...outcome.reply.superseded.values());
      return outcome;
    };
    await storeAll(store, value, arrivals);
    storedVersions.set(value.replyId, versions);
  }

  /** One write for each number. */
  const optOutWrites = (): Write[] =>
    gatherStatements(batch.texts, storedVersions, keywordOf).map(({ statements, queueMessages }) => ({
      queueMessages,
      run: async () => {
        requireTime();
        await optOuts.record(...statements);
      },
    }));

  const writes: Write[] = [
    ...batch.messages.map(({ value, arrivals, queueMessages }) => ({
      queueMessages,
      run: () => storeAll(history.storeMessage, value, arrivals),
    })),
    ...batch.replies.map((reply) => ({
      queueMessages: reply.queueMessages,
      run: () => storeReply(reply),
    })),
    ...[...batch.unreadable, ...refused].map(({ entry, queueMessage }) => ({
      queueMessages: [queueMessage],
      run: () => keep(entry),
    })),
  ];

  const failed = new Set<string>();
  const errors = new Map<string, number>();
  async function runAll(pending: readonly Write[]): Promise<void> {
    await pMap(
      pending,
      async ({ queueMessages: waiting, run }) => {
        try {
          await run();
        } catch (error) {
          const name = error instanceof Error ? error.name : 'unknown';
          errors.set(name, (errors.get(name) ?? 0) + 1);
          for (const id of waiting) failed.add(id);
        }
      },
      { concurrency: concurrentWrites },
    );
  }
  await runAll(writes);
  // The register comes second: the history knows when a repeat was said first.
  await runAll(optOutWrites());
  for (const [error, writesFailed] of errors) {
    count('storeFailures', writesFailed);
    log('STORE_FAILED', { error, writes: writesFailed, queueMessages: failed.size });
  }
  // Last: what is stored does not wait for it.
  await noteDrift(batch.drift, () => !deadline.isOver());
  log('BATCH_STORED', { queueMessages: received.length + refused.length, writes: writes.length });
  return failed;
}

/** When the earliest of these events happened; milliseconds since the epoch. */
function earliest<T>(arrivals: Pending<T>['arrivals']): number {
  return [...arrivals.values()].reduce(
    (least, { entry }) => Math.min(least, Date.parse(entry.occurredAt)),
    Number.POSITIVE_INFINITY,
  );
}

class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

/** The longest a parked request waits for its next turn, in seconds. */
const longestWaitSeconds = 60;

/**
 * Lets parked requests come again sooner than a failed message does: after 2 s, then 4 s, and so on. They must be
 * reported as failed all the same, or Lambda deletes them. Never throws.
 *
 */
async function keepParked(
  parked: readonly QueueMessage[],
  visibility: MessageVisibility,
  log: Log,
  deadline: Deadline,
): Promise<void> {
  if (parked.length === 0) return;
  const failures = await visibility.change(
    parked.map(({ receiptHandle, receiveCount }) => ({
      receiptHandle,
      seconds: Math.min(longestWaitSeconds, 2 ** receiveCount),
    })),
    deadline,
  );
  const visibilityErrors = failures.length === 0 ? {} : { visibilityErrors: failures.join(', ') };
  log('PARKED_WAITING', { requests: parked.length, ...visibilityErrors });
}

/** What a batch needs from end to end. */
export interface WorkDependencies extends AdmitDependencies, StoreDependencies {
  readonly visibility: MessageVisibility;
  /** Undefined where the contract's scheme verifies nothing. */
  readonly recordVerified: RecordVerified | undefined;
}

/**
 * Verifies what is parked in a batch, stores what is verified, and puts what was captured into quarantine.
 *
 * @returns ids of the queue messages that must come again: those still parked, and those a write of which failed
 */
export async function workBatch(
  queueMessages: readonly QueueMessage[],
  dependencies: WorkDependencies,
  deadline: Deadline,
): Promise<ReadonlySet<string>> {
  const firstReceives = queueMessages.filter(({ receiveCount }) => receiveCount === 1).length;
  if (firstReceives > 0) dependencies.count('accepted', firstReceives);
  const received = queueMessages.map((queueMessage) => ({
    queueMessage,
    envelope: decodeEnvelope(queueMessage.body),
  }));
  const { admitted, parked, refused } = await admit(received, dependencies);
  const [failed] = await Promise.all([
    storeBatch(admitted, refused, dependencies, deadline),
    keepParked(parked, dependencies.visibility, dependencies.log, deadline),
    dependencies.recordVerified?.(admitted),
  ]);
  for (const { messageId, firstReceivedAt } of queueMessages)
    if (failed.has(messageId)) dependencies.count('failingFor', dependencies.clock() - firstReceivedAt);
  return new Set([...failed, ...parked.map(({ messageId }) => messageId)]);
}
