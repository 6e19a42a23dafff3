import pMap from 'p-map';
import type { HistoryWriter, StoreOutcome } from '../adapters/history-writer.ts';
import type { OptOutRegister } from '../adapters/opt-out-register.ts';
import type { Quarantine } from '../adapters/quarantine-table.ts';
import type { Clock } from '../core/clock.ts';
import type { EventMapper } from '../core/events/mapping.ts';
import type { Reply, ReplyEntry } from '../core/history/reply.ts';
import type { KeywordOf } from '../core/opt-out/keyword.ts';
import type { QuarantineEntry } from '../core/quarantine.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metric-catalogue.ts';
import type { Refused } from './admit.ts';
import { gatherStatements } from './gather-statements.ts';
import type { NoteDrift } from './note-drift.ts';
import type { Received } from './queue-message.ts';
import { type Pending, quarantined, readBatch } from './read-batch.ts';

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

/** Nothing is begun any more when less than this is left of the function's time, in milliseconds. */
export const reservedMs = 5000;

interface Write {
  readonly queueMessages: Iterable<string>;
  run(): Promise<void>;
}

/**
 * Stores the events of a batch: each message in one write, what cannot be read in quarantine.
 *
 * @param received requests that are verified
 * @param refused what is to be kept in quarantine besides
 * @param remainingMs what is left of the function's time
 * @returns ids of the queue messages that must come again because a write of theirs failed; the others are done
 */
export async function storeBatch(
  received: readonly Received[],
  refused: readonly Refused[],
  { map, history, optOuts, keywordOf, quarantine, noteDrift, clock, log, count }: StoreDependencies,
  remainingMs: () => number,
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
    if (remainingMs() < reservedMs) throw new OutOfTimeError();
  }

  async function storeAll<T>(
    store: (value: T) => Promise<StoreOutcome>,
    value: T,
    arrivals: Pending<T>['arrivals'],
  ): Promise<void> {
    requireTime();
    const outcome = await store(value);
    if (outcome.outcome === 'stored') {
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
      if (outcome.outcome === 'stored')
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
  await noteDrift(batch.drift, () => remainingMs() >= reservedMs);
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
