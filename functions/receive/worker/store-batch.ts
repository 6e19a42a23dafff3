import pMap from 'p-map';
import { type Clock, type Deadline, errorName } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { Count } from '../../base/metrics.ts';
import type {
  HistoryWriter,
  KeywordOf,
  Message,
  OptOutRegister,
  Reply,
  StoreOutcome,
} from '../../history/index.ts';
import type { QuarantineEntry } from '../quarantine/quarantine.ts';
import type { Quarantine } from '../quarantine/quarantine-store.ts';
import {
  type Batch,
  gatherStatements,
  type Pending,
  type QuarantinedMessage,
  quarantined,
  type StoredVersion,
} from './read-batch.ts';

export interface StoreDependencies {
  readonly history: HistoryWriter;
  readonly optOuts: OptOutRegister;
  readonly keywordOf: KeywordOf;
  readonly quarantine: Quarantine;
  readonly clock: Clock;
  readonly log: Log;
  readonly count: Count;
}

/**
 * Stores a batch: one write for each message, each reply and each number, and one for each quarantine entry.
 *
 * @returns ids of the queue messages with a write that failed
 */
export async function storeBatch(
  batch: Batch,
  toQuarantine: readonly QuarantinedMessage[],
  dependencies: StoreDependencies,
  deadline: Deadline,
): Promise<ReadonlySet<string>> {
  const { keywordOf, log, count } = dependencies;
  if (batch.unmapped > 0) {
    count('unmappedStatus', batch.unmapped);
    log('STATUS_UNMAPPED', { events: batch.unmapped });
  }
  const writes = new Writes();
  const stored = { messageIds: new Set<string>(), versions: new Map<string, readonly StoredVersion[]>() };
  await writes.run([
    ...batch.messages.map((message) => ({
      queueMessages: message.queueMessages,
      run: async () => {
        await storeMessage(message, dependencies, deadline);
        stored.messageIds.add(message.value.messageId);
      },
    })),
    ...batch.replies.map((reply) => ({
      queueMessages: reply.queueMessages,
      run: async () => {
        stored.versions.set(reply.value.replyId, await storeReply(reply, dependencies, deadline));
      },
    })),
    ...toQuarantine.map(({ entry, queueMessage }) => ({
      queueMessages: [queueMessage],
      run: () => keepInQuarantine(entry, dependencies, deadline),
    })),
  ]);
  // The register comes second: the history has the time at which a repeated statement was first made.
  await writes.run(
    gatherStatements(batch, stored, keywordOf).map(({ statements, queueMessages }) => ({
      queueMessages,
      run: async () => {
        requireTime(deadline);
        await dependencies.optOuts.record(...statements);
      },
    })),
  );
  for (const [error, failures] of writes.errors) {
    count('storeFailures', failures);
    log('STORE_FAILED', { error, writes: failures, queueMessages: writes.failed.size });
  }
  return writes.failed;
}

function storeMessage(
  message: Pending<Message>,
  dependencies: StoreDependencies,
  deadline: Deadline,
): Promise<void> {
  return storeEvents(dependencies.history.storeMessage, message, dependencies, deadline);
}

/** @returns the versions of the reply that the history has after the write */
async function storeReply(
  reply: Pending<Reply>,
  dependencies: StoreDependencies,
  deadline: Deadline,
): Promise<readonly StoredVersion[]> {
  const versions: StoredVersion[] = [];
  const store = async (value: Reply) => {
    const outcome = await dependencies.history.storeReply(value, reply.copyIds);
    if (outcome.kind === 'stored') {
      const { replyId, current, olderVersions } = outcome.reply;
      versions.push(...[current, ...olderVersions.values()].map((version) => ({ ...version, replyId })));
    }
    return outcome;
  };
  await storeEvents(store, reply, dependencies, deadline);
  return versions;
}

/** Stores the events of one message or reply. An event that the database rejects goes to quarantine. */
async function storeEvents<T>(
  store: (value: T) => Promise<StoreOutcome>,
  { value, arrivals }: Pick<Pending<T>, 'value' | 'arrivals'>,
  dependencies: StoreDependencies,
  deadline: Deadline,
): Promise<void> {
  const { count, clock } = dependencies;
  requireTime(deadline);
  const outcome = await store(value);
  if (outcome.kind === 'stored') {
    count('stored', outcome.stored);
    count('repeated', outcome.repeated);
    // The outcome does not name the repeated events, and a repeat is no late event.
    if (outcome.repeated === 0 && outcome.stored > 0) count('lagToStored', clock() - earliest(arrivals));
    for (const eventId of outcome.refused) {
      const arrival = arrivals.get(eventId);
      if (arrival !== undefined)
        await keepInQuarantine(quarantined(arrival.received(), 'message-full'), dependencies, deadline);
    }
    return;
  }
  // One by one, so that an event that the database accepts does not fail with one that it rejects.
  for (const [eventId, arrival] of arrivals) {
    const alone = { value: arrival.value, arrivals: new Map([[eventId, arrival]]) };
    if (arrivals.size > 1) await storeEvents(store, alone, dependencies, deadline);
    else await keepInQuarantine(quarantined(arrival.received(), 'storage-refused'), dependencies, deadline);
  }
}

async function keepInQuarantine(
  entry: QuarantineEntry,
  { quarantine, count, log }: StoreDependencies,
  deadline: Deadline,
): Promise<void> {
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

interface Write {
  /** Ids of the queue messages that fail with it. */
  readonly queueMessages: Iterable<string>;
  run(): Promise<void>;
}

/** Concurrent writes: enough to hide the latency of the database, few enough for the 50 connections of an SDK client. */
export const concurrentWrites = 32;

/** Runs writes, of which each may fail without the others. */
class Writes {
  /** Ids of the queue messages with a write that failed. */
  readonly failed = new Set<string>();
  /** How many writes failed, by the name of the error. */
  readonly errors = new Map<string, number>();

  async run(writes: readonly Write[]): Promise<void> {
    const attempt = async ({ queueMessages, run }: Write) => {
      try {
        await run();
      } catch (error) {
        const name = errorName(error);
        this.errors.set(name, (this.errors.get(name) ?? 0) + 1);
        for (const id of queueMessages) this.failed.add(id);
      }
    };
    await pMap(writes, attempt, { concurrency: concurrentWrites });
  }
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
