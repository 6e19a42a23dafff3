import type { Clock } from '../../core/clock.ts';

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
