import {
  GetSecretValueCommand,
  type GetSecretValueCommandOutput,
  InvalidParameterException,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { parseJson } from '../../../contract/text/json.ts';
import { type Clock, errorName } from '../../base/basics.ts';
import type { IngestLog } from '../../base/log-catalogue.ts';
import {
  parseSecretDocument,
  rereadIntervalMs,
  type SecretDocument,
  WebhookSecretError,
} from './secret-document.ts';

/** A document with the version of the secret that holds it. */
export interface StoredSecret {
  readonly document: SecretDocument;
  readonly versionId: string;
}

/** Stores the webhook's signing secrets. */
export interface WebhookSecretStore {
  /** Returns undefined while the secret has no value, before the webhook is registered. @throws WebhookSecretError */
  read(): Promise<StoredSecret | undefined>;
  /**
   * Replaces the version that a document was made from. Of several concurrent writers one succeeds.
   *
   * @param replacing the version that was read; undefined if there was none
   * @returns the new version; undefined if another one was stored meanwhile, so that nothing was changed
   * @throws WebhookSecretError
   */
  replace(document: SecretDocument, replacing: string | undefined): Promise<string | undefined>;
}

const current = 'AWSCURRENT';
/** The limit of repeated reads while the answer is out of date, with pauses of 200, 400, ... ms. */
const maxStaleReads = 5;
const staleReadPauseMs = 200;
const sleepMs = (ms: number): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));

/** @param sleep waits for a number of milliseconds */
export function createWebhookSecretStore(
  client: SecretsManagerClient,
  secretId: string,
  sleep = sleepMs,
): WebhookSecretStore {
  /** Returns undefined for a secret without a version. */
  async function readCurrent(): Promise<
    Pick<GetSecretValueCommandOutput, 'SecretString' | 'VersionId'> | undefined
  > {
    try {
      return await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    } catch (error) {
      // Secrets Manager reports this also for a secret without a value. If the secret itself is missing, the write fails.
      if (error instanceof ResourceNotFoundException) return undefined;
      throw callFailed('GetSecretValue', secretId, error);
    }
  }

  const store: WebhookSecretStore = {
    async read() {
      const { SecretString: text, VersionId: versionId } = (await readCurrent()) ?? { SecretString: '' };
      if (text === '') return undefined;
      const parsed = parseSecretDocument(parseJson(text ?? ''));
      if (parsed.kind === 'ok' && versionId !== undefined) return { document: parsed.document, versionId };
      const problems = parsed.kind === 'ok' ? ['it has no version'] : parsed.problems;
      throw new WebhookSecretError(
        `The value of ${secretId} is not a secret document: ${problems.join('; ')}`,
      );
    },

    async replace(document, replacing) {
      const { versionId, stages } = await put(JSON.stringify(document));
      // Secrets Manager may make the first version of a secret the current one by itself.
      if (stages.includes(current)) return versionId;
      const holder = replacing ?? (await readEmptyVersion());
      try {
        await client.send(
          new UpdateSecretVersionStageCommand({
            SecretId: secretId,
            VersionStage: current,
            MoveToVersionId: versionId,
            // The call fails if the label is on another version meanwhile: that makes it a compare-and-swap.
            ...(holder !== undefined && { RemoveFromVersionId: holder }),
          }),
        );
        return versionId;
      } catch (error) {
        if (!(error instanceof InvalidParameterException))
          throw callFailed('UpdateSecretVersionStage', secretId, error);
        // The client retries a call with a lost answer: then the label has moved to this version already.
        // A read that still shows the replaced version is out of date, and does not answer the question.
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

  /** Returns the current version if its value is empty, so that it counts as none. */
  async function readEmptyVersion(): Promise<string | undefined> {
    const value = await readCurrent();
    return value?.SecretString === '' ? value.VersionId : undefined;
  }

  /** Stores a new version that is not current yet. */
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

/** The message has only the error's name: a message of Secrets Manager may quote the value. */
function callFailed(call: string, secretId: string, error: unknown): WebhookSecretError {
  return new WebhookSecretError(`${call} of ${secretId}: ${errorName(error)}`);
}

/** Caches the webhook's secrets in one instance of ingest. */
export interface SecretCache {
  /** Reads the store before there is a request. A failed read is forgotten: the first request reads again. Never throws. */
  readAhead(): Promise<void>;
  /** Returns undefined while the webhook is not registered. @throws what the store throws, if nothing is cached */
  read(): Promise<SecretDocument | undefined>;
  /**
   * Returns the document by a read that began now, or less than {@link rereadIntervalMs} ago. A rotation's mark is stored longer than
   * that before the service is asked for another secret. So a request that this document rejects is not signed with that secret.
   *
   * @throws what the store throws, or threw at the last read
   */
  reread(): Promise<SecretDocument | undefined>;
}

/**
 * Two clocks measure the age of a read, because each may report too small an age. The wall clock may be set back. The monotonic
 * clock may stop while Lambda keeps the process frozen.
 */
export interface CacheClocks {
  readonly wall: Clock;
  /** Milliseconds since any fixed time; never set back. */
  readonly monotonic: () => number;
}

/** How long a document is used without another read. A leaked secret that was removed is accepted no longer than that. */
const freshForMs = 60_000;

/** @param read reads the store */
export function createSecretCache(
  read: () => Promise<{ readonly document: SecretDocument } | undefined>,
  clocks: CacheClocks,
  log: IngestLog,
): SecretCache {
  let document: SecretDocument | undefined;
  let failure: unknown;
  let begunReads = 0;
  /** The number of the read that returned `document` or `failure`. */
  let answeredRead = 0;
  /** The last read, which may be under way. A caller that may not read again waits for it. */
  let lastRead = Promise.resolve();
  /** Returns whether the last read, answered or not, began a short time ago. */
  let isLastReadRecent = () => false;
  /** Returns whether `document` may be used without another read. */
  let isFresh = () => false;

  /**
   * Starts to measure a duration. The result returns whether both clocks show a duration below a limit. A wall clock that shows a time
   * before the start was set back, and cannot measure the duration.
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
   * Both ages start before the read: the answer may be as old as that. A failed read counts as well, so that an outage
   * causes no flood of reads. An answer that arrives after the answer of a later read is out of date.
   */
  async function readStore(): Promise<void> {
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
    lastRead = readStore();
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
        log('SECRET_STALE', { error: errorName(error) });
      }
      return document;
    },
    reread: async () => {
      if (!isLastReadRecent()) {
        await refresh();
        return document;
      }
      await Promise.allSettled([lastRead]);
      // The store's present answer is unknown, which is the pipeline's fault, not the sender's.
      if (failure !== undefined) throw failure;
      return document;
    },
  };
}
