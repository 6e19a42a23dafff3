import {
  GetSecretValueCommand,
  InvalidParameterException,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import type { Clock } from '../runtime/clock.ts';
import type { IngestLog } from '../runtime/log-catalogue.ts';
import { parseSecretDocument, rereadIntervalMs, type SecretDocument } from './secret-document.ts';

/** A document with the version of the secret that holds it. */
export interface StoredSecret {
  readonly document: SecretDocument;
  readonly versionId: string;
}

/** Where the webhook's signing secrets are kept. */
export interface WebhookSecretStore {
  /** Undefined while the secret has no value: nothing was registered yet. @throws WebhookSecretError */
  read(): Promise<StoredSecret | undefined>;
  /**
   * Stores a document in place of the version it was made from: of several writers one succeeds.
   *
   * @param replacing the version that was read; undefined where there was none
   * @returns the new version; undefined where another one was stored since, and nothing was changed
   * @throws WebhookSecretError
   */
  replace(document: SecretDocument, replacing: string | undefined): Promise<string | undefined>;
}

/** The secret could not be read or written; the message never holds any of it. */
export class WebhookSecretError extends Error {
  override readonly name = 'WebhookSecretError';
}

const current = 'AWSCURRENT';
/** How often a read that is out of date is repeated, with pauses of 200, 400, ... ms. */
const maxStaleReads = 5;
const staleReadPauseMs = 200;
const sleepMs = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));

/** @param sleep waits so many milliseconds */
export function createWebhookSecretStore(
  client: SecretsManagerClient,
  secretId: string,
  sleep = sleepMs,
): WebhookSecretStore {
  const store: WebhookSecretStore = {
    async read() {
      let text: string | undefined;
      let versionId: string | undefined;
      try {
        ({ SecretString: text, VersionId: versionId } = await client.send(
          new GetSecretValueCommand({ SecretId: secretId }),
        ));
      } catch (error) {
        // Said of a secret without a value as well; of one that does not exist, the write will tell.
        if (error instanceof ResourceNotFoundException) return undefined;
        throw callFailed('GetSecretValue', secretId, error);
      }
      const parsed = parseSecretDocument(parseJson(text));
      if (parsed.ok && versionId !== undefined) return { document: parsed.document, versionId };
      const problems = parsed.ok ? ['it has no version'] : parsed.problems;
      throw new WebhookSecretError(`The value of ${secretId} is no secret document: ${problems.join('; ')}`);
    },

    async replace(document, replacing) {
      const { versionId, stages } = await put(JSON.stringify(document));
      // Secrets Manager makes the very first version the current one itself.
      if (stages.includes(current)) return versionId;
      if (replacing === undefined) return undefined;
      try {
        await client.send(
          new UpdateSecretVersionStageCommand({
            SecretId: secretId,
            VersionStage: current,
            MoveToVersionId: versionId,
            // Refused where the label is on another version by now: that makes it a compare-and-swap.
            RemoveFromVersionId: replacing,
          }),
        );
        return versionId;
      } catch (error) {
        if (!(error instanceof InvalidParameterException))
          throw callFailed('UpdateSecretVersionStage', secretId, error);
        // The client tries a call again whose answer was lost: then the label has moved already, and is ours.
        // A read that still shows the replaced version is out of date, and says nothing of which it was.
        for (let reads = 1; ; reads++) {
          const stored = (await store.read())?.versionId;
          if (stored !== replacing || reads > maxStaleReads)
            return stored === versionId ? versionId : undefined;
          await sleep(reads * staleReadPauseMs);
        }
      }
    },
  };
  return store;

  /** A new version that nobody reads yet. */
  async function put(text: string): Promise<{ versionId: string; stages: readonly string[] }> {
    try {
      const { VersionId, VersionStages = [] } = await client.send(
        new PutSecretValueCommand({ SecretId: secretId, SecretString: text, VersionStages: ['AWSPENDING'] }),
      );
      if (VersionId === undefined) throw new WebhookSecretError('no version');
      return { versionId: VersionId, stages: VersionStages };
    } catch (error) {
      throw callFailed('PutSecretValue', secretId, error);
    }
  }
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** With the error's name alone: a message of the service may quote what was sent. */
function callFailed(call: string, secretId: string, error: unknown): WebhookSecretError {
  return new WebhookSecretError(`${call} of ${secretId}: ${error instanceof Error ? error.name : 'failed'}`);
}

/** What an instance knows of the webhook's secrets, without asking the store for each request. */
export interface SecretCache {
  /** Asks before there is a request. Whatever comes of it but a document is forgotten: the first request asks itself. Never throws. */
  readAhead(): Promise<void>;
  /** Undefined while setup has not registered the webhook yet. @throws what the store throws, if nothing is cached */
  read(): Promise<SecretDocument | undefined>;
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
    read: async () => {
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
