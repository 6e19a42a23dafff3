import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Clock, errorName } from '../../base/basics.ts';
import { readSigningSecret } from './standard-webhook.ts';

/** Thrown if the secret could not be read. The message never holds any of it. */
export class ForwardSecretError extends Error {
  override readonly name = 'ForwardSecretError';
}

/**
 * Reads the secret that forwarded events are signed with.
 *
 * @returns the secret as {@link readSigningSecret} returns it
 * @throws ForwardSecretError
 */
export async function readForwardSecret(client: SecretsManagerClient, secretId: string): Promise<string> {
  let text: string;
  try {
    ({ SecretString: text = '' } = await client.send(new GetSecretValueCommand({ SecretId: secretId })));
  } catch (error) {
    throw new ForwardSecretError(`GetSecretValue of ${secretId}: ${errorName(error)}`);
  }
  const secret = readSigningSecret(text);
  if (secret !== undefined) return secret;
  throw new ForwardSecretError(
    `The value of ${secretId} is neither {"secret": "<base64>"} nor a text that begins with whsec_`,
  );
}

/** Caches the secret with which events are signed. */
export interface SigningSecret {
  /** Returns the secret. Concurrent calls share one read. @throws the error of the read */
  current(): Promise<string>;
  /** Drops this secret from the cache, so that the next call reads it again. */
  forget(secret: string): void;
}

/** A secret is read again after this time. A replaced one is used no longer than that. */
const freshForMs = 5 * 60_000;

export function createSigningSecret(read: () => Promise<string>, clock: Clock): SigningSecret {
  let cached: { readonly secret: string; readonly freshUntil: number } | undefined;
  let pending: Promise<string> | undefined;

  async function refresh(): Promise<string> {
    const startedAt = clock();
    const secret = await read();
    cached = { secret, freshUntil: startedAt + freshForMs };
    return secret;
  }

  return {
    current: async () => {
      if (cached !== undefined && clock() < cached.freshUntil) return cached.secret;
      pending ??= refresh().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    forget(secret) {
      if (cached?.secret === secret) cached = undefined;
    },
  };
}
