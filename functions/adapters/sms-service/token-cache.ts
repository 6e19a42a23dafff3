import type { Clock } from '../../core/clock.ts';
import type { Result } from './errors.ts';
import type { Grant } from './token-exchange.ts';

/** Hands out a token that is still good, and asks for a new one as seldom as possible. */
export interface TokenCache {
  /** A good token; callers that come while one is being fetched share it. */
  get(): Promise<Result<string>>;
  /** The cached token, good or not; undefined where there is none. */
  peek(): string | undefined;
  /** Drops this token, unless it has been replaced already. */
  forget(token: string): void;
}

/** A token is not used in the last part of its life: a tenth of it, at most a minute. */
const longestMarginMs = 60_000;

export function createTokenCache(exchange: () => Promise<Result<Grant>>, clock: Clock): TokenCache {
  let cached: { readonly token: string; readonly goodUntil: number } | undefined;
  let pending: Promise<Result<string>> | undefined;

  async function fetchToken(): Promise<Result<string>> {
    const askedAt = clock();
    const result = await exchange();
    if (!result.ok) return result;
    const { token, lifetimeMs } = result.value;
    cached = { token, goodUntil: askedAt + lifetimeMs - Math.min(longestMarginMs, lifetimeMs / 10) };
    return { ok: true, value: token };
  }

  return {
    async get() {
      if (cached !== undefined && clock() < cached.goodUntil) return { ok: true, value: cached.token };
      pending ??= fetchToken().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    peek: () => cached?.token,
    forget(token) {
      if (cached?.token === token) cached = undefined;
    },
  };
}
