import type { Clock } from '../core/clock.ts';
import { acceptedSecrets, type SecretDocument } from '../core/webhook/secret-document.ts';
import type { Log } from '../runtime/log-catalogue.ts';

/** Gives the secrets a signature may be made with, without asking the store for each request. */
export interface SecretCache {
  /** Undefined while setup has not registered the webhook yet. @throws what the store throws, if nothing is cached */
  accepted(): Promise<readonly string[] | undefined>;
  /**
   * The secrets as they are in the store now; undefined where it was asked too recently to ask again.
   * @throws what the store throws, or threw when it was asked last
   */
  reread(): Promise<readonly string[] | undefined>;
}

/** How long a document is used without asking again. */
const freshForMs = 300_000;
/** The shortest time between two reads that a mismatch, or a missing document, causes. */
const minimumRereadMs = 5_000;

export function createSecretCache(
  read: () => Promise<SecretDocument | undefined>,
  clock: Clock,
  log: Log,
): SecretCache {
  let document: SecretDocument | undefined;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let readAllowedFrom = Number.NEGATIVE_INFINITY;

  let failure: unknown;

  /** Also a read that fails counts, so that an outage is not met with a flood of reads. */
  async function refresh(): Promise<void> {
    readAllowedFrom = clock() + minimumRereadMs;
    try {
      document = await read();
      failure = undefined;
    } catch (error) {
      failure = error;
      throw error;
    }
    freshUntil = clock() + (document === undefined ? minimumRereadMs : freshForMs);
  }

  const secrets = () => (document === undefined ? undefined : acceptedSecrets(document, clock()));

  return {
    accepted: async () => {
      if (document === undefined && failure !== undefined && clock() < readAllowedFrom) throw failure;
      if (clock() >= freshUntil && (document === undefined || clock() >= readAllowedFrom)) {
        try {
          await refresh();
        } catch (error) {
          if (document === undefined) throw error;
          // An outage of the store must not stop the webhook.
          log('SECRET_STALE', { error: error instanceof Error ? error.name : 'unknown' });
        }
      }
      return secrets();
    },
    reread: async () => {
      if (clock() < readAllowedFrom) {
        // Nobody knows what the store would say now: that is our fault, not the sender's.
        if (failure !== undefined) throw failure;
        return undefined;
      }
      await refresh();
      return secrets();
    },
  };
}
