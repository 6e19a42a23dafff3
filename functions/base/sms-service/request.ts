import type * as z from 'zod';
import type { Deadline } from '../basics.ts';
import type { HttpResponse, Ports } from '../http-client.ts';
import { nextDelay, parseRetryAfter, type RetryPolicy } from '../retry.ts';

/** The service answered with a status that is an error. */
interface AnsweredError<K extends string> {
  readonly kind: K;
  /** The operation in words: `set webhook`. */
  readonly operation: string;
  readonly status: number;
  /** The service's answer: at most {@link maxErrorCharacters}, without any token, key or secret. */
  readonly body: string;
}

/** The service may have named the time of the next attempt. */
interface Postponed {
  /** From `Retry-After`, in milliseconds; null without one. */
  readonly retryAfterMs: number | null;
}

/** Every way in which a call can fail. No member holds a token, an API key or a signing secret. */
export type SmsServiceError =
  | AnsweredError<'bad-request'>
  | AnsweredError<'unauthorized'>
  | AnsweredError<'not-found'>
  | AnsweredError<'validation'>
  | (AnsweredError<'too-many-requests'> & Postponed)
  | (AnsweredError<'server'> & Postponed)
  /** Any other status outside 200 to 299. Redirects are not followed. */
  | AnsweredError<'refused'>
  /** A success whose body differs from the service's document. `path` names the place, and no field holds what was there. */
  | {
      readonly kind: 'unexpected-answer';
      readonly operation: string;
      readonly status: number;
      readonly path: string;
      readonly expected: string;
    }
  /** The service did not answer in time: it may have acted on the request. */
  | { readonly kind: 'timeout'; readonly operation: string; readonly afterMs: number }
  /** The call was not made; `reason` says why and what to do instead. */
  | { readonly kind: 'not-sent'; readonly operation: string; readonly reason: string }
  /** The connection failed; `code` is the system's, for example `ECONNREFUSED`. */
  | { readonly kind: 'network'; readonly operation: string; readonly code: string };

/** A value, or the error of the call. */
export type Result<T, E = SmsServiceError> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'error'; readonly error: E };

export function ok<T>(value: T): { readonly kind: 'ok'; readonly value: T } {
  return { kind: 'ok', value };
}

export function err<E>(error: E): { readonly kind: 'error'; readonly error: E } {
  return { kind: 'error', error };
}

/** An error keeps this many characters of the service's answer. */
export const maxErrorCharacters = 2_000;

/** Names what an answer with a status outside 200 to 299 means. */
export function errorOfStatus(
  operation: string,
  { status, body, retryAfterMs }: Omit<HttpAnswer, 'link'>,
): SmsServiceError {
  const answered = { operation, status, body: body.slice(0, maxErrorCharacters) };
  if (status === 400) return { kind: 'bad-request', ...answered };
  if (status === 401) return { kind: 'unauthorized', ...answered };
  if (status === 404) return { kind: 'not-found', ...answered };
  if (status === 422) return { kind: 'validation', ...answered };
  if (status === 429) return { kind: 'too-many-requests', ...answered, retryAfterMs };
  if (status >= 500) return { kind: 'server', ...answered, retryAfterMs };
  return { kind: 'refused', ...answered };
}

/** Describes an error in one line for people: the operation, the failure, and the service's own words. */
export function describeError(error: SmsServiceError): string {
  const answer = 'body' in error ? `: ${error.body || 'no body'}` : '';
  return `${describeWithoutAnswer(error)}${answer}`;
}

/** Describes an error without the words of the service, which may hold a number or a secret. */
export function describeWithoutAnswer(error: SmsServiceError): string {
  switch (error.kind) {
    case 'unexpected-answer':
      return `${error.operation}: unexpected answer of the SMS service (status ${error.status}): ${error.path}: ${error.expected}`;
    case 'timeout':
      return `${error.operation}: no answer of the SMS service within ${error.afterMs} ms`;
    case 'not-sent':
      return `${error.operation}: ${error.reason}`;
    case 'network':
      return `${error.operation}: the SMS service could not be reached (${error.code})`;
    default:
      return `${error.operation}: the SMS service answered ${error.status} (${error.kind})`;
  }
}

export interface HttpRequest {
  /** In words, for errors. */
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterMs: number | null;
  /** The header `Link`. */
  readonly link: string | null;
}

const maxAnswerBytes = 4 * 1024 * 1024;

/**
 * Sends a request once. A failure is a value, and never holds fetch's own message: that may quote a header.
 *
 * @param timeoutMs for the whole attempt, including the answer's body
 */
export async function sendOnce(
  ports: Pick<Ports, 'fetch' | 'timeoutSignal' | 'clock'>,
  request: HttpRequest,
  timeoutMs: number,
): Promise<Result<HttpAnswer>> {
  const { operation, url, method, headers, body } = request;
  const signal = ports.timeoutSignal(timeoutMs);
  try {
    // A redirect could carry the API key to another host.
    const init = { method, headers, signal, redirect: 'manual' } as const;
    const response = await ports.fetch(url, body === undefined ? init : { ...init, body });
    const { status } = response;
    const text = await readText(response);
    if (text === undefined)
      return err({
        kind: 'unexpected-answer',
        operation,
        status,
        path: '$',
        expected: `expected at most ${maxAnswerBytes} bytes`,
      });
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), ports.clock());
    return ok({ status, body: text, retryAfterMs, link: response.headers.get('link') });
  } catch (error) {
    if (signal.aborted) return err({ kind: 'timeout', operation, afterMs: timeoutMs });
    return err({ kind: 'network', operation, code: systemCode(error) });
  }
}

/** Returns undefined if the body is larger than {@link maxAnswerBytes}. */
async function readText(response: HttpResponse): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxAnswerBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns the system's code of the error; fetch hides it in the cause. */
function systemCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'no further reason';
}

/** Where an answer's body differs from what was expected; never what it holds there. */
export interface AnswerProblem {
  readonly path: string;
  readonly expected: string;
}

/** Decodes the text of a success; the problem is the first one. */
export function decodeAnswer<T>(schema: z.ZodType<T>, text: string): Result<T, AnswerProblem> {
  let value: unknown;
  try {
    value = text === '' ? undefined : JSON.parse(text);
  } catch {
    return err({ path: '$', expected: 'expected JSON' });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return err({
    path: ['$', ...(issue?.path ?? []).map(String)].join('.'),
    expected: issue?.code === 'invalid_type' ? `expected ${issue.expected}` : 'expected another form',
  });
}

/** The limits of one call. */
export interface RetryLimits extends RetryPolicy {
  /** For one attempt, including the answer's body; milliseconds. */
  readonly attemptTimeoutMs: number;
}

export const defaultLimits: RetryLimits = {
  attempts: 5,
  totalMs: 30_000,
  baseDelayMs: 250,
  maxDelayMs: 8_000,
  attemptTimeoutMs: 10_000,
};

export interface CallOptions {
  readonly operation: string;
  /**
   * Whether the operation is idempotent. If not, it is retried only after a 429: after a timeout, a lost connection or a 5xx the
   * service may have acted.
   */
  readonly repeatable: boolean;
  /** By then the call has ended. */
  readonly deadline: Deadline;
}

/** Retries until the attempt succeeds, fails for good, or the policy or the deadline ends the call. */
export async function withRetries<T>(
  attempt: (timeoutMs: number) => Promise<Result<T>>,
  options: CallOptions,
  limits: RetryLimits,
  ports: Pick<Ports, 'sleep' | 'random'>,
): Promise<Result<T>> {
  for (let attempts = 1; ; attempts++) {
    const timeoutMs = Math.min(limits.attemptTimeoutMs, options.deadline.remainingMs());
    if (timeoutMs <= 0) return err({ kind: 'timeout', operation: options.operation, afterMs: 0 });
    const result = await attempt(timeoutMs);
    if (result.kind === 'ok' || !isWorthRetrying(result.error, options.repeatable)) return result;
    const retryAfterMs = 'retryAfterMs' in result.error ? result.error.retryAfterMs : null;
    const remainingMs = options.deadline.remainingMs();
    const delay = nextDelay({ attempts, remainingMs, retryAfterMs }, limits, ports.random);
    if (delay === undefined) return result;
    await ports.sleep(delay);
  }
}

function isWorthRetrying(error: SmsServiceError, repeatable: boolean): boolean {
  if (error.kind === 'too-many-requests') return true;
  return repeatable && (error.kind === 'server' || error.kind === 'timeout' || error.kind === 'network');
}
