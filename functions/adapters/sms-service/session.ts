import * as z from 'zod';
import { type Decoded, decodeAnswer } from './answers.ts';
import { errorOfStatus, type Result } from './errors.ts';
import { sendOnce } from './http.ts';
import type { Ports } from './ports.ts';
import { createRedactor } from './redact.ts';
import { defaultLimits, type RetryLimits, withRetries } from './retry.ts';
import { createTokenCache } from './token-cache.ts';
import { exchangeRequest, type Grant, grantReader, type TokenContract } from './token-exchange.ts';

/** What errors call the exchange of the key for a token. */
export const tokenExchange = 'exchange token';

export interface SessionOptions {
  /** Where the service answers. */
  readonly baseUrl: string;
  /** The contract's `service.token`. */
  readonly token: TokenContract;
  readonly apiKey: string;
  readonly ports: Ports;
  readonly limits?: Partial<RetryLimits>;
  /** Milliseconds since the epoch after which no call goes on; none by default. */
  readonly deadline?: number;
}

/** One operation of the service. */
export interface Operation {
  /** In words, for errors: a path may hold a phone number. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless undefined. */
  readonly body?: unknown;
  /** Whether doing it twice is the same as doing it once. */
  readonly repeatable: boolean;
}

/** Reads the text of a success. */
type Decode<T> = (text: string) => Decoded<T>;

/** Calls with a token that is fetched, shared, renewed and revoked here. */
export interface Session {
  /** Performs an operation with a token; a refused token (401) is replaced once. */
  call<T>(operation: Operation, decode: Decode<T>): Promise<Result<T>>;
  /** Revokes the token in use, if there is one and the contract knows how. */
  revoke(): Promise<Result<void>>;
  /** Never shows this value in an error. */
  hide(secret: string): void;
}

export function createSession(options: SessionOptions): Session {
  const { apiKey, ports, deadline: lastMoment = Number.POSITIVE_INFINITY } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const redactor = createRedactor(apiKey);
  const readGrant = grantReader(options.token);
  const tokens = createTokenCache(exchangeToken, ports.clock);

  /** One operation with all its tries. */
  function perform<T>(operation: Operation, decode: Decode<T>, token?: string): Promise<Result<T>> {
    const { name, method, path, body, repeatable } = operation;
    const request = {
      operation: name,
      method,
      url: baseUrl + path,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...operation.headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    };
    async function attempt(timeoutMs: number): Promise<Result<T>> {
      const outcome = await sendOnce(ports, request, timeoutMs);
      if (!outcome.ok) return outcome;
      const answer = outcome.value;
      if (answer.status < 200 || answer.status > 299)
        return { ok: false, error: errorOfStatus(name, { ...answer, body: redactor.apply(answer.body) }) };
      const decoded = decode(answer.body);
      if (decoded.ok) return decoded;
      const { path: where, expected } = decoded;
      const { status } = answer;
      return {
        ok: false,
        error: { kind: 'unexpected-answer', operation: name, status, path: where, expected },
      };
    }
    const deadline = Math.min(lastMoment, ports.clock() + limits.totalMs);
    return withRetries(attempt, { operation: name, repeatable, deadline }, limits, ports);
  }

  async function exchangeToken(): Promise<Result<Grant>> {
    const request = exchangeRequest(options.token, apiKey);
    const result = await perform({ name: tokenExchange, ...request, repeatable: true }, (text) => {
      const answer = decodeAnswer(z.unknown(), text);
      return answer.ok ? readGrant(answer.value) : answer;
    });
    if (result.ok) redactor.learn(result.value.token);
    return result;
  }

  return {
    hide: (secret) => redactor.learn(secret),

    async call(operation, decode) {
      const first = await tokens.get();
      if (!first.ok) return first;
      const result = await perform(operation, decode, first.value);
      if (result.ok || result.error.kind !== 'unauthorized') return result;
      // A 401 says that nothing was done: any operation may go again.
      tokens.forget(first.value);
      const second = await tokens.get();
      return second.ok ? perform(operation, decode, second.value) : second;
    },

    async revoke() {
      const { revoke } = options.token;
      const token = tokens.peek();
      if (revoke === null || token === undefined) return { ok: true, value: undefined };
      tokens.forget(token);
      const done = { ok: true, value: undefined } as const;
      const result = await perform({ name: 'revoke token', ...revoke, repeatable: true }, () => done, token);
      // A token the service no longer takes is as good as revoked.
      return !result.ok && result.error.kind === 'unauthorized' ? done : result;
    },
  };
}
