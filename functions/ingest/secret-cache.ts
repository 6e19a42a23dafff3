import type { Clock } from '../core/clock.ts';
import { rereadIntervalMs } from '../core/webhook/rotation-timing.ts';
import type { SecretDocument } from '../core/webhook/secret-document.ts';
import type { IngestLog } from '../runtime/log-catalogue.ts';

/** What an instance knows of the webhook's secrets, without asking the store for each request. */
export interface SecretCache {
  /** Asks before there is a request. Whatever comes of it but a document is forgotten: the first request asks itself. Never throws. */
  readAhead(): Promise<void>;
  /** Undefined while setup has not registered the webhook yet. @throws what the store throws, if nothing is cached */
  known(): Promise<SecretDocument | undefined>;
  /**
   * The document by a read that began now, or less than {@link rereadIntervalMs} ago: a rotation's mark stands longer before the
   * service is asked for another secret, so a request that this document refuses is not signed with that one.
   *
   * @throws what the store throws, or threw when it was asked last
   */
  reread(): Promise<SecretDocument | undefined>;
}

/**
 * The age of a read is measured by two clocks, because each may report too small an age. The wall clock may be set back. The monotonic
 * clock may stop while Lambda keeps the process frozen.
 */
export interface CacheClocks {
  readonly wall: Clock;
  /** Milliseconds since any fixed time; never set back. */
  readonly monotonic: () => number;
}

/** How long a document is used without asking again: a leaked secret that was dropped is accepted no longer. */
const freshForMs = 60_000;

/** @param read asks the store; of its answer only the document is used */
export function createSecretCache(
  read: () => Promise<{ readonly document: SecretDocument } | undefined>,
  clocks: CacheClocks,
  log: IngestLog,
): SecretCache {
  let document: SecretDocument | undefined;
  let failure: unknown;
  let begunReads = 0;
  /** The number of the read that `document` or `failure` is the answer to. */
  let answeredRead = 0;
  /** Perhaps under way: who must not ask yet waits for it. */
  let lastRead = Promise.resolve();
  /** Whether the last read, answered or not, began a short time ago. */
  let isLastReadRecent = () => false;
  /** Whether `document` is to be used without asking again. */
  let isFresh = () => false;

  /**
   * Starts to measure a duration. The result returns whether it is still shorter than a limit: only if both clocks say so. A wall
   * clock that shows a time before the start was set back, and says nothing of the duration.
   */
  function stopwatch(): (limitMs: number) => boolean {
    const wallStart = clocks.wall();
    const monotonicStart = clocks.monotonic();
    return (limitMs) => {
      const wallMs = clocks.wall() - wallStart;
      return wallMs >= 0 && wallMs < limitMs && clocks.monotonic() - monotonicStart < limitMs;
    };
  }

  /**
   * Both ages count from before the question: the answer may be as old as that. Also a read that fails counts, so that
   * an outage is not met with a flood of reads. An answer that arrives after that of a read begun later is out of date.
   */
  async function ask(): Promise<void> {
    const isYoungerThan = stopwatch();
    const number = ++begunReads;
    isLastReadRecent = () => isYoungerThan(rereadIntervalMs);
    try {
      const answer = await read();
      if (number < answeredRead) return;
      answeredRead = number;
      document = answer?.document;
      failure = undefined;
      const limitMs = document === undefined ? rereadIntervalMs : freshForMs;
      isFresh = () => isYoungerThan(limitMs);
    } catch (error) {
      if (number >= answeredRead) {
        answeredRead = number;
        failure = error;
      }
      throw error;
    }
  }

  function refresh(): Promise<void> {
    lastRead = ask();
    return lastRead;
  }

  return {
    readAhead: async () => {
      await Promise.allSettled([refresh()]);
      if (document !== undefined) return;
      failure = undefined;
      isFresh = isLastReadRecent = () => false;
    },
    known: async () => {
      if (isFresh()) return document;
      if (isLastReadRecent()) await Promise.allSettled([lastRead]);
      if (isLastReadRecent()) {
        if (document === undefined && failure !== undefined) throw failure;
        return document;
      }
      try {
        await refresh();
      } catch (error) {
        if (document === undefined) throw error;
        // An outage of the store must not stop the webhook.
        log('SECRET_STALE', { error: error instanceof Error ? error.name : 'unknown' });
      }
      return document;
    },
    reread: async () => {
      if (!isLastReadRecent()) {
        await refresh();
        return document;
      }
      await Promise.allSettled([lastRead]);
      // Nobody knows what the store would say now: that is our fault, not the sender's.
      if (failure !== undefined) throw failure;
      return document;
    },
  };
}
