import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Clock } from '../../runtime/clock.ts';
import { readSigningSecret } from './standard-webhook.ts';

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

/** The secret that events are signed with, without asking the store for each of them. */
export interface SigningSecret {
  /** Callers that come while it is being read share the answer. @throws what the store throws */
  current(): Promise<string>;
  /** Has this secret read anew, unless it has been replaced already. */
  forget(secret: string): void;
}

/** How long a secret is used without asking again: one that was replaced is used no longer than this. */
const freshForMs = 5 * 60_000;

export function createSigningSecret(read: () => Promise<string>, clock: Clock): SigningSecret {
  let cached: { readonly secret: string; readonly freshUntil: number } | undefined;
  let pending: Promise<string> | undefined;

  async function readAnew(): Promise<string> {
    const askedAt = clock();
    const secret = await read();
    cached = { secret, freshUntil: askedAt + freshForMs };
    return secret;
  }

  return {
    current: async () => {
      if (cached !== undefined && clock() < cached.freshUntil) return cached.secret;
      pending ??= readAnew().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    forget(secret) {
      if (cached?.secret === secret) cached = undefined;
    },
  };
}
