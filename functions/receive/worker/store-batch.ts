import pMap from 'p-map';
import { type Clock, type Deadline, errorName } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { Count } from '../../base/metrics.ts';
import type { HistoryWriter, KeywordOf, OptOutRegister, Reply, StoreOutcome } from '../../history/index.ts';
import { type QuarantineEntry, quarantineId } from '../quarantine/quarantine.ts';
import type { Quarantine } from '../quarantine/quarantine-store.ts';
import {
  type Batch,
  gatherStatements,
  type Pending,
  type PendingEntry,
  quarantined,
  type Stored,
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
 * The register comes after the history, which has the time at which a repeated statement was first made. It comes before everything that one
 * request may need thousands of writes for, so that no such request keeps the STOP of another person out of it.
 *
 * @returns ids of the queue messages with a write that failed
 */
export async function storeBatch(
  batch: Batch,
  toQuarantine: readonly PendingEntry[],
  dependencies: StoreDependencies,
  deadline: Deadline,
): Promise<ReadonlySet<string>> {
  const { history, keywordOf, log, count } = dependencies;
  if (batch.unmapped > 0) {
    count('unmappedStatus', batch.unmapped);
    log('STATUS_UNMAPPED', { events: batch.unmapped });
  }
  const writes = new Writes();
  const stored = nothingStored();
  const storedOneByOne = nothingStored();
  const oneByOne: Write[] = [];
  /** Events that the database did not accept. */
  const notAccepted: PendingEntry[] = [];

  function storing<T>(
    { value, arrivals, queueMessages }: Pending<T>,
    store: (value: T) => Promise<StoreOutcome>,
    noteIn: (stored: MutableStored) => void,
  ): Write {
    /** @returns whether the database accepts the events together, or rejects the only one */
    const storeTogether = async (together: T, events: Pending<T>['arrivals']) => {
      requireTime(deadline);
      const outcome = await store(together);
      const isDecided = outcome.kind === 'stored' || events.size === 1;
      if (outcome.kind === 'stored') countStored(outcome, events, dependencies);
      const refused = outcome.kind === 'stored' ? outcome.refused : isDecided ? [...events.keys()] : [];
      const reason = outcome.kind === 'stored' ? 'message-full' : 'storage-refused';
      for (const { received } of refused.flatMap((eventId) => events.get(eventId) ?? []))
        notAccepted.push({ makeEntry: () => quarantined(received(), reason), queueMessages });
      return isDecided;
    };
    return {
      queueMessages,
      run: async () => {
        if (await storeTogether(value, arrivals)) return noteIn(stored);
        // One by one, so that an event that the database accepts does not fail with one that it rejects.
        oneByOne.push({
          queueMessages,
          run: async () => {
            for (const [eventId, arrival] of arrivals)
              await storeTogether(arrival.value, new Map([[eventId, arrival]]));
            noteIn(storedOneByOne);
          },
        });
      },
    };
  }

  function record(texts: Batch['texts'], found: Stored): Promise<void> {
    const statements = gatherStatements({ texts, optOuts: batch.optOuts }, found, keywordOf);
    return writes.run(
      statements.map(({ statements, queueMessages }) => ({
        queueMessages,
        run: async () => {
          requireTime(deadline);
          await dependencies.optOuts.record(...statements);
        },
      })),
    );
  }

  await writes.run([
    ...batch.messages.map((message) =>
      storing(message, history.storeMessage, ({ messageIds }) => messageIds.add(message.value.messageId)),
    ),
    ...batch.replies.map((reply) => {
      const versions: StoredVersion[] = [];
      const store = async (value: Reply) => {
        const outcome = await history.storeReply(value, reply.copyIds);
        if (outcome.kind === 'stored') versions.push(...storedVersions(outcome.reply));
        return outcome;
      };
      return storing(reply, store, (found) => found.versions.set(reply.value.replyId, versions));
    }),
  ]);
  await record(batch.texts, stored);
  if (oneByOne.length > 0) {
    await writes.run(oneByOne);
    await record(
      batch.texts.filter(({ isReadable }) => isReadable),
      storedOneByOne,
    );
  }
  // The first of two reasons for one entry stays: reasons that a correction of the contract removes come before those of the database.
  const entries = entriesById([...toQuarantine, ...notAccepted], deadline, writes.failed);
  await writes.run(
    [...entries].map(({ entry, queueMessages }) => ({
      queueMessages,
      run: () => keepInQuarantine(entry, dependencies, deadline),
    })),
  );
  for (const [error, failures] of writes.errors) {
    count('storeFailures', failures);
    log('STORE_FAILED', { error, writes: failures, queueMessages: writes.failed.size });
  }
  return writes.failed;
}

interface KeptEntry {
  readonly entry: QuarantineEntry;
  /** Ids of the queue messages that fail if the entry cannot be kept. */
  readonly queueMessages: Set<string>;
}

/**
 * Makes the entries, each one once: several events of a body may have one.
 *
 * @param failed gets the queue messages of those for which there is no time
 */
function entriesById(
  all: readonly PendingEntry[],
  deadline: Deadline,
  failed: Set<string>,
): Iterable<KeptEntry> {
  const byId = new Map<string, KeptEntry>();
  for (const { makeEntry, queueMessages } of all) {
    if (deadline.isOver()) {
      for (const queueMessage of queueMessages) failed.add(queueMessage);
      continue;
    }
    const entry = makeEntry();
    const id = quarantineId(entry);
    const kept = byId.get(id) ?? { entry, queueMessages: new Set() };
    for (const queueMessage of queueMessages) kept.queueMessages.add(queueMessage);
    byId.set(id, kept);
  }
  return byId.values();
}

interface MutableStored extends Stored {
  readonly messageIds: Set<string>;
  readonly versions: Map<string, readonly StoredVersion[]>;
}

const nothingStored = (): MutableStored => ({ messageIds: new Set(), versions: new Map() });

/** Returns the versions of a reply that the history has after a write. */
function storedVersions({ replyId, current, olderVersions }: Reply): StoredVersion[] {
  return [current, ...olderVersions.values()].map((version) => ({ ...version, replyId }));
}

function countStored<T>(
  { stored, repeated }: Extract<StoreOutcome, { kind: 'stored' }>,
  arrivals: Pending<T>['arrivals'],
  { count, clock }: StoreDependencies,
): void {
  count('stored', stored);
  count('repeated', repeated);
  // The outcome does not name the repeated events, and a repeat is no late event.
  if (repeated === 0 && stored > 0) count('lagToStored', clock() - earliest(arrivals));
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
