import {
  GetSecretValueCommand,
  InvalidParameterException,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager';
import { parseSecretDocument, type SecretDocument } from '../core/webhook/secret-document.ts';

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
