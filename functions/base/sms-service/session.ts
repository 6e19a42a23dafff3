import * as z from 'zod';
import { compileExpression } from '../../../contract/events/body.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { isDeeperThan, isObject, maxBodyDepth, parseExactly } from '../../../contract/text/json.ts';
import { type Clock, type Deadline, deadlineAt } from '../basics.ts';
import type { Ports } from '../http-client.ts';
import {
  type AnswerProblem,
  decodeAnswer,
  defaultLimits,
  err,
  errorOfStatus,
  ok,
  type Result,
  type RetryLimits,
  sendOnce,
  withRetries,
} from './request.ts';

export const redacted = '[redacted]';

/** A word of a secret in a name, in lower case and without separators. */
const secretWord =
  /secret|token|password|passwd|passphrase|pwd|credential|authorization|jwt|(?:api|private|signing|signature|shared|auth|access|encryption|hmac|webhook)key/;

/** Names with such a word that hold a flag, a kind, or a place in a list. */
const otherNames: ReadonlySet<string> = new Set([
  ...['rotatesecret', 'hassecret', 'tokentype', 'passwordreset'],
  ...['pagetoken', 'nextpagetoken', 'previouspagetoken', 'nexttoken', 'continuationtoken'],
]);

/** Returns whether a field of JSON is called as a secret is, such as `client_secret`, `apiKey` or `signing-key`. */
function isSecretField(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return secretWord.test(plain) && !otherNames.has(plain);
}

/** Returns a value of JSON without its secrets. @param onRemoved is called with the place of each, such as `data[0].client_secret` */
export function withoutSecrets(
  value: unknown,
  onRemoved: (place: string) => void = () => {},
  place = '',
): unknown {
  if (Array.isArray(value))
    return value.map((one, index) => withoutSecrets(one, onRemoved, `${place}[${index}]`));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const own = place === '' ? name : `${place}.${name}`;
      if (!isSecretField(name)) return [name, withoutSecrets(inner, onRemoved, own)];
      onRemoved(own);
      return [name, redacted];
    }),
  );
}

/** Fields of a JSON body with a text. The body may be cut off. */
const textField = /("((?:[^"\\]|\\.){1,64})"\s*:\s*)"(?:[^"\\]|\\.)*"?/g;

/** Removes secrets from texts. `learn` adds a secret. @param secrets the first ones */
export function createRedactor(...secrets: readonly string[]) {
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
    apply(text: string): string {
      // One value may be a part of another, so the longest comes first.
      const values = [...forms].sort((one, other) => other.length - one.length);
      const rest = values.reduce((part, value) => part.replaceAll(value, redacted), text);
      const json = parseExactly(rest);
      if (typeof json === 'object' && json !== null && !isDeeperThan(maxBodyDepth, json))
        return JSON.stringify(withoutSecrets(json));
      return rest.replace(textField, (field, start: string, name: string) =>
        isSecretField(name) ? `${start}"${redacted}"` : field,
      );
    },
  };
}

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
    const seconds = Number(evaluate(findLifetime, answer) ?? Number.NaN);
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

export interface SessionOptions {
  readonly baseUrl: string;
  /** The contract's `service.token`. */
  readonly token: TokenContract;
  readonly apiKey: string;
  readonly ports: Ports;
  readonly limits?: Partial<RetryLimits>;
  /** By then every call has ended; by default only the limits end a call. */
  readonly deadline?: Deadline;
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
  /** Whether it is idempotent. */
  readonly repeatable: boolean;
}

/** Decodes the text of a success. */
type Decode<T> = (text: string) => Result<T, AnswerProblem>;

/** Performs operations with one token, which it fetches, renews and revokes. */
export function createSession(options: SessionOptions) {
  const { apiKey, ports } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const redactor = createRedactor(apiKey);
  const readGrant = grantReader(options.token);
  const tokens = createTokenCache(exchangeToken, ports.clock);

  /** Performs one operation with all its attempts. */
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
      if (outcome.kind === 'error') return outcome;
      const answer = outcome.value;
      const { status } = answer;
      if (status < 200 || status > 299)
        return err(errorOfStatus(name, { ...answer, body: redactor.apply(answer.body) }));
      const decoded = decode(answer.body);
      if (decoded.kind === 'ok') return decoded;
      return err({ kind: 'unexpected-answer', operation: name, status, ...decoded.error });
    }
    const totalMs = Math.min(limits.totalMs, options.deadline?.remainingMs() ?? limits.totalMs);
    const deadline = deadlineAt(ports.clock() + totalMs, ports.clock);
    return withRetries(attempt, { operation: name, repeatable, deadline }, limits, ports);
  }

  async function exchangeToken(): Promise<Result<Grant>> {
    const request = exchangeRequest(options.token, apiKey);
    const result = await perform({ name: tokenExchange, ...request, repeatable: true }, (text) => {
      const answer = decodeAnswer(z.unknown(), text);
      return answer.kind === 'ok' ? readGrant(answer.value) : answer;
    });
    if (result.kind === 'ok') redactor.learn(result.value.token);
    return result;
  }

  return {
    /** Removes this value from every later error. */
    hide: redactor.learn,

    /** Performs an operation. A token that the service rejects (401) is replaced once. */
    async call<T>(operation: Operation, decode: Decode<T>): Promise<Result<T>> {
      const first = await tokens.get();
      if (first.kind === 'error') return first;
      const result = await perform(operation, decode, first.value);
      if (result.kind === 'ok' || result.error.kind !== 'unauthorized') return result;
      // After a 401 any operation may be retried: the service has not performed it.
      tokens.forget(first.value);
      const second = await tokens.get();
      return second.kind === 'ok' ? perform(operation, decode, second.value) : second;
    },

    /** Revokes the token in use, if there is one and the contract defines how. */
    async revoke(): Promise<Result<void>> {
      const { revoke } = options.token;
      const token = tokens.peek();
      const revoked = ok(undefined);
      if (revoke === null || token === undefined) return revoked;
      tokens.forget(token);
      const operation = { name: 'revoke token', ...revoke, repeatable: true };
      const result = await perform(operation, () => revoked, token);
      // A token that the service no longer accepts counts as revoked.
      return result.kind === 'error' && result.error.kind === 'unauthorized' ? revoked : result;
    },
  };
}
