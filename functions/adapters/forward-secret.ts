import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { readSigningSecret } from '../core/forward/standard-webhook.ts';

/** The secret could not be read; the message never holds any of it. */
export class ForwardSecretError extends Error {
  override readonly name = 'ForwardSecretError';
}

/**
 * Reads the secret that forwarded events are signed with.
 *
 * @returns as {@link readSigningSecret} gives it
 * @throws ForwardSecretError
 */
export async function readForwardSecret(client: SecretsManagerClient, secretId: string): Promise<string> {
  let text: string;
  try {
    ({ SecretString: text = '' } = await client.send(new GetSecretValueCommand({ SecretId: secretId })));
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'failed';
    throw new ForwardSecretError(`GetSecretValue of ${secretId}: ${reason}`);
  }
  const secret = readSigningSecret(text);
  if (secret !== undefined) return secret;
  throw new ForwardSecretError(
    `The value of ${secretId} is neither {"secret": "<base64>"} nor a text that begins with whsec_`,
  );
}
