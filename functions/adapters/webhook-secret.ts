import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { parseSecretDocument, type SecretDocument } from '../core/webhook/secret-document.ts';

/** Where the webhook's signing secrets are kept. */
export interface WebhookSecretStore {
  /** Undefined while the secret has no value: nothing was registered yet. @throws WebhookSecretError */
  read(): Promise<SecretDocument | undefined>;
  /** @throws WebhookSecretError */
  write(document: SecretDocument): Promise<void>;
}

/** The secret could not be read or written; the message never holds any of it. */
export class WebhookSecretError extends Error {
  override readonly name = 'WebhookSecretError';
}

export function createWebhookSecretStore(client: SecretsManagerClient, secretId: string): WebhookSecretStore {
  return {
    async read() {
      let text: string | undefined;
      try {
        ({ SecretString: text } = await client.send(new GetSecretValueCommand({ SecretId: secretId })));
      } catch (error) {
        // Said of a secret without a value as well; of one that does not exist, the write will tell.
        if (error instanceof ResourceNotFoundException) return undefined;
        throw callFailed('GetSecretValue', secretId, error);
      }
      const parsed = parseSecretDocument(parseJson(text));
      if (parsed.ok) return parsed.document;
      throw new WebhookSecretError(
        `The value of ${secretId} is no secret document: ${parsed.problems.join('; ')}`,
      );
    },

    async write(document) {
      try {
        const value = JSON.stringify(document);
        await client.send(new PutSecretValueCommand({ SecretId: secretId, SecretString: value }));
      } catch (error) {
        throw callFailed('PutSecretValue', secretId, error);
      }
    },
  };
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
