import * as z from 'zod';
import { compileExpression } from '../../contract/events/body.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Ports } from '../runtime/http.ts';
import { type Decoded, decodeAnswer } from './answers.ts';
import {
  defaultLimits,
  errorOfStatus,
  type Result,
  type RetryLimits,
  sendOnce,
  withRetries,
} from './request.ts';

/** Takes out of texts what must not leave the process. */
export interface Redactor {
  /** Adds a value that is never to be shown. */
  learn(secret: string): void;
  apply(text: string): string;
}

const replacement = '[redacted]';

/** Fields of a JSON body whose text is never shown, known to us or not. */
const secretField = /("(?:secret|token|access_token|refresh_token)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi;

/** @param secrets values that are never to be shown, from the start */
export function createRedactor(...secrets: readonly string[]): Redactor {
  const forms = new Set<string>();
  function learn(secret: string): void {
    if (secret === '') return;
    // A service that echoes a value may escape it for JSON or for a URL.
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
      forms.add(form);
  }
  for (const secret of secrets) learn(secret);
  return {
    learn,
    apply(text) {
      // The longest first: one value may be a part of another.
      const values = [...forms].sort((one, other) => other.length - one.length);
      const known = values.reduce((rest, value) => rest.replaceAll(value, replacement), text);
      return known.replace(secretField, `$1"${replacement}"`);
    },
  };
}

export type TokenContract = Contract['service']['token'];

/** A token and how long it is good for. */
export interface Grant {
  readonly token: string;
  readonly lifetimeMs: number;
}

/** The request that exchanges an API key for a token, as the contract says; `path` may hold a query. */
export interface ExchangeRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export function exchangeRequest({ exchange }: TokenContract, apiKey: string): ExchangeRequest {
  const { method, path, apiKey: place } = exchange;
  const key = place.prefix + apiKey;
  const plain = { method, path, headers: {}, body: undefined };
  if (place.in === 'header') return { ...plain, headers: { [place.name]: key } };
  if (place.in === 'body') return { ...plain, body: { [place.name]: key } };
  const query = new URLSearchParams({ [place.name]: key });
  return { ...plain, path: `${path}${path.includes('?') ? '&' : '?'}${query}` };
}

/** Compiles the contract's expressions into a reader of the exchange's answer. */
export function grantReader({ exchange }: TokenContract): (answer: unknown) => Decoded<Grant> {
  const findToken = compileExpression(exchange.accessToken);
  const findLifetime = exchange.expiresIn === null ? () => undefined : compileExpression(exchange.expiresIn);
  return (answer) => {
    const token = attempt(findToken, answer);
    // A header can carry nothing else, and fetch's complaint about it would quote the token.
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
      return {
        ok: false,
        path: exchange.accessToken,
        expected: 'expected a token of printable ASCII characters',
      };
    const seconds = Number(attempt(findLifetime, answer) ?? Number.NaN);
    const lifetime = seconds > 0 && Number.isFinite(seconds) ? seconds : exchange.defaultLifetimeSeconds;
    return { ok: true, value: { token, lifetimeMs: lifetime * 1000 } };
  };
}

/** A JMESPath function throws where a value is not of its type: to us, that is a value that is not there. */
function attempt(expression: (value: unknown) => unknown, value: unknown): unknown {
  try {
    return expression(value);
  } catch {
    return undefined;
  }
}

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
