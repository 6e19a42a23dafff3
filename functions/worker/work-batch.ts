import pMap from 'p-map';
import type { EventMapper } from '../../contract/events/mapping.ts';
import type { ObserveDrift } from '../contract-drift/drift-store.ts';
import type { HistoryWriter, StoreOutcome } from '../history/history-write-store.ts';
import type { Reply, ReplyEntry } from '../history/message.ts';
import type { KeywordOf } from '../opt-out/keyword.ts';
import type { OptOutRegister } from '../opt-out/opt-out-store.ts';
import type { QuarantineEntry } from '../quarantine/quarantine.ts';
import type { Quarantine } from '../quarantine/quarantine-store.ts';
import { type Clock, type Deadline, errorName } from '../runtime/basics.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metrics.ts';
import { decodeEnvelope } from '../webhook/envelope.ts';
import type { Admit } from './admit.ts';
import {
  type Batch,
  gatherStatements,
  type Pending,
  type QuarantinedMessage,
  type QueueMessage,
  quarantined,
  readBatch,
} from './read-batch.ts';

export interface WorkDependencies {
  readonly admit: Admit;
  readonly map: EventMapper;
  readonly history: HistoryWriter;
  readonly optOuts: OptOutRegister;
  readonly keywordOf: KeywordOf;
  readonly quarantine: Quarantine;
  readonly observeDrift: ObserveDrift;
  readonly clock: Clock;
  readonly log: Log;
  readonly count: Count;
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

/** Concurrent writes: enough to hide the latency of the database, few enough for the 50 connections of an SDK client. */
export const concurrentWrites = 32;

interface Write {
  /** Ids of the queue messages that fail with it. */
  readonly queueMessages: Iterable<string>;
  run(): Promise<void>;
}

/**
 * Stores a batch: one write for each message, each reply and each number, and one for each quarantine entry.
 *
 * @returns ids of the queue messages with a write that failed
 */
async function storeBatch(
  batch: Batch,
  toQuarantine: readonly QuarantinedMessage[],
  { history, optOuts, keywordOf, quarantine, clock, log, count }: WorkDependencies,
  deadline: Deadline,
): Promise<ReadonlySet<string>> {
  if (batch.unmapped > 0) {
    count('unmappedStatus', batch.unmapped);
    log('STATUS_UNMAPPED', { events: batch.unmapped });
  }

  async function storeAll<T>(
    store: (value: T) => Promise<StoreOutcome>,
    value: T,
    arrivals: Pending<T>['arrivals'],
  ): Promise<void> {
    requireTime(deadline);
    const outcome = await store(value);
    if (outcome.kind === 'stored') {
      count('stored', outcome.stored);
      count('repeated', outcome.repeated);
      // The outcome does not name the repeated events, and a repeat is no late event.
      if (outcome.repeated === 0 && outcome.stored > 0) count('lagToStored', clock() - earliest(arrivals));
      for (const eventId of outcome.refused) {
        const arrival = arrivals.get(eventId);
        if (arrival !== undefined) await keep(quarantined(arrival.source(), 'message-full'));
      }
      return;
    }
    // One by one, so that an event the database accepts does not go down with one that it rejects.
    for (const [eventId, arrival] of arrivals) {
      if (arrivals.size > 1) await storeAll(store, arrival.value, new Map([[eventId, arrival]]));
      else await keep(quarantined(arrival.source(), 'storage-refused'));
    }
  }

  async function keep(entry: QuarantineEntry): Promise<void> {
    requireTime(deadline);
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

  const failed = new Set<string>();
  const errors = new Map<string, number>();

  async function runAll(writes: readonly Write[]): Promise<void> {
    await pMap(
      writes,
      async ({ queueMessages, run }) => {
        try {
          await run();
        } catch (error) {
          const name = errorName(error);
          errors.set(name, (errors.get(name) ?? 0) + 1);
          for (const id of queueMessages) failed.add(id);
        }
      },
      { concurrency: concurrentWrites },
    );
  }

  await runAll([
    ...batch.messages.map(({ value, arrivals, queueMessages }) => ({
      queueMessages,
      run: () => storeAll(history.storeMessage, value, arrivals),
    })),
    ...batch.replies.map((reply) => ({
      queueMessages: reply.queueMessages,
      run: () => storeReply(reply),
    })),
    ...toQuarantine.map(({ entry, queueMessage }) => ({
      queueMessages: [queueMessage],
      run: () => keep(entry),
    })),
  ]);
  // The register comes second: the history has the time at which a repeated statement was first made.
  await runAll(
    gatherStatements(batch.texts, storedVersions, keywordOf).map(({ statements, queueMessages }) => ({
      queueMessages,
      run: async () => {
        requireTime(deadline);
        await optOuts.record(...statements);
      },
    })),
  );
  for (const [error, writes] of errors) {
    count('storeFailures', writes);
    log('STORE_FAILED', { error, writes, queueMessages: failed.size });
  }
  return failed;
}

/** When the earliest of these events happened; milliseconds since the epoch. */
function earliest<T>(arrivals: Pending<T>['arrivals']): number {
  return [...arrivals.values()].reduce(
    (earliestSoFar, { entry }) => Math.min(earliestSoFar, Date.parse(entry.occurredAt)),
    Number.POSITIVE_INFINITY,
  );
}

class OutOfTimeError extends Error {
  override readonly name = 'OutOfTimeError';
}

function requireTime(deadline: Deadline): void {
  if (deadline.isOver()) throw new OutOfTimeError();
}
