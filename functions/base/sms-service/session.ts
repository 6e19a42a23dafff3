import * as z from 'zod';
import { compileExpression } from '../../../contract/events/body.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import type { Clock } from '../basics.ts';
import { type CallerOptions, createCaller, type Decode, type Operation } from './caller.ts';
import { type AnswerProblem, decodeAnswer, err, ok, type Result } from './request.ts';

export type TokenContract = Contract['service']['token'];

/** A token and its lifetime. */
export interface Grant {
  readonly token: string;
  readonly lifetimeMs: number;
}

/** Returns the request that exchanges an API key for a token; its `path` may hold a query. */
export function exchangeRequest(
  { exchange }: TokenContract,
  apiKey: string,
): Pick<Operation, 'method' | 'path' | 'headers' | 'body'> {
  const { method, path, apiKey: place } = exchange;
  const key = place.prefix + apiKey;
  const plain = { method, path, headers: {}, body: undefined };
  if (place.in === 'header') return { ...plain, headers: { [place.name]: key } };
  if (place.in === 'body') return { ...plain, body: { [place.name]: key } };
  const query = new URLSearchParams({ [place.name]: key });
  return { ...plain, path: `${path}${path.includes('?') ? '&' : '?'}${query}` };
}

/** Compiles the contract's expressions into a reader of the exchange's answer. */
export function grantReader({ exchange }: TokenContract): (answer: unknown) => Result<Grant, AnswerProblem> {
  const findToken = compileExpression(exchange.accessToken);
  const findLifetime = exchange.expiresIn === null ? () => undefined : compileExpression(exchange.expiresIn);
  return (answer) => {
    const token = evaluate(findToken, answer);
    // A header can carry nothing else, and fetch's error message would quote the token.
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
      return err({
        path: exchange.accessToken,
        expected: 'expected a token of printable ASCII characters',
      });
    const found = evaluate(findLifetime, answer);
    // An object may have a `toString` of its own that is no function.
    const seconds = typeof found === 'string' || typeof found === 'number' ? Number(found) : Number.NaN;
    const lifetime = seconds > 0 && Number.isFinite(seconds) ? seconds : exchange.defaultLifetimeSeconds;
    return ok({ token, lifetimeMs: lifetime * 1000 });
  };
}

/** Evaluates an expression. A JMESPath function throws on a value of another type; that counts as a missing value. */
function evaluate(expression: (value: unknown) => unknown, value: unknown): unknown {
  try {
    return expression(value);
  } catch {
    return undefined;
  }
}

/** A token is not used in the last tenth of its lifetime, and no more than this is left unused. */
const maxMarginMs = 60_000;

/** Caches a token until shortly before it expires. */
export function createTokenCache(exchange: () => Promise<Result<Grant>>, clock: Clock) {
  let cached: { readonly token: string; readonly expiresAt: number } | undefined;
  let pending: Promise<Result<string>> | undefined;

  async function fetchToken(): Promise<Result<string>> {
    const askedAt = clock();
    const result = await exchange();
    if (result.kind === 'error') return result;
    const { token, lifetimeMs } = result.value;
    cached = { token, expiresAt: askedAt + lifetimeMs - Math.min(maxMarginMs, lifetimeMs / 10) };
    return ok(token);
  }

  return {
    /** Returns a valid token. Concurrent callers share one exchange. */
    async get(): Promise<Result<string>> {
      if (cached !== undefined && clock() < cached.expiresAt) return ok(cached.token);
      pending ??= fetchToken().finally(() => {
        pending = undefined;
      });
      return pending;
    },
    /** Returns the cached token, expired or not. */
    peek: () => cached?.token,
    /** Drops this token, unless it was replaced already. */
    forget(token: string): void {
      if (cached?.token === token) cached = undefined;
    },
  };
}

/** Errors of the token exchange carry this operation. */
export const tokenExchange = 'exchange token';

export interface SessionOptions extends CallerOptions {
  /** The contract's `service.token`. */
  readonly token: TokenContract;
}

/** Performs operations with one token, which it fetches, renews and revokes. */
export function createSession(options: SessionOptions) {
  const { apiKey, ports } = options;
  const { perform, hide, clean } = createCaller(options);
  const readGrant = grantReader(options.token);
  const tokens = createTokenCache(exchangeToken, ports.clock);
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  async function exchangeToken(): Promise<Result<Grant>> {
    const request = exchangeRequest(options.token, apiKey);
    const result = await perform({ name: tokenExchange, ...request, repeatable: true }, (text) => {
      const answer = decodeAnswer(z.unknown(), text);
      return answer.kind === 'ok' ? readGrant(answer.value) : answer;
    });
    if (result.kind === 'ok') hide(result.value.token);
    return result;
  }

  return {
    hide,
    clean,

    /** Performs an operation. A token that the service rejects (401) is replaced once. */
    async call<T>(operation: Operation, decode: Decode<T>): Promise<Result<T>> {
      const first = await tokens.get();
      if (first.kind === 'error') return first;
      const result = await perform(operation, decode, bearer(first.value));
      if (result.kind === 'ok' || result.error.kind !== 'unauthorized') return result;
      // After a 401 any operation may be retried: the service has not performed it.
      tokens.forget(first.value);
      const second = await tokens.get();
      return second.kind === 'ok' ? perform(operation, decode, bearer(second.value)) : second;
    },

    /** Revokes the token in use, if there is one and the contract defines how. */
    async revoke(): Promise<Result<void>> {
      const { revoke } = options.token;
      const token = tokens.peek();
      const revoked = ok(undefined);
      if (revoke === null || token === undefined) return revoked;
      tokens.forget(token);
      const operation = { name: 'revoke token', ...revoke, repeatable: true };
      const result = await perform(operation, () => revoked, bearer(token));
      // A token that the service no longer accepts counts as revoked.
      return result.kind === 'error' && result.error.kind === 'unauthorized' ? revoked : result;
    },
  };
}
