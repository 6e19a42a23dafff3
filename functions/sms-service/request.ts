import {
  type HttpResponse,
  nextDelay,
  type Ports,
  parseRetryAfter,
  type RetryPolicy,
} from '../runtime/http.ts';

/** The service answered, with a status that is an error. */
interface AnsweredError<K extends string> {
  readonly kind: K;
  /** What was asked, in words: `set webhook`. */
  readonly operation: string;
  readonly status: number;
  /** The service's answer: at most {@link maximumErrorBody} characters, without any token, key or secret. */
  readonly body: string;
}

/** The service said, or may have said, when to come back. */
interface Postponed {
  /** From `Retry-After`, in milliseconds; null where the service did not say. */
  readonly retryAfterMs: number | null;
}

/** Everything that can come of a call besides its value. No member holds a token, an API key or a signing secret. */
export type SmsServiceError =
  | AnsweredError<'bad-request'>
  | AnsweredError<'unauthorized'>
  | AnsweredError<'not-found'>
  | AnsweredError<'validation'>
  | (AnsweredError<'too-many-requests'> & Postponed)
  | (AnsweredError<'server'> & Postponed)
  /** Any other status that is no success, redirects included: they are not followed. */
  | AnsweredError<'refused'>
  /** A success whose body is not what the service's document shows; `path` says where, never what stood there. */
  | {
      readonly kind: 'unexpected-answer';
      readonly operation: string;
      readonly status: number;
      readonly path: string;
      readonly expected: string;
    }
  /** No answer in time: whether the service acted on the request is not known. */
  | { readonly kind: 'timeout'; readonly operation: string; readonly afterMs: number }
  /** No answer at all; `code` is the system's, for example `ECONNREFUSED`. */
  | { readonly kind: 'network'; readonly operation: string; readonly code: string };

/** A value, or why there is none. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: SmsServiceError };

/** Characters of the service's answer that an error keeps. */
export const maximumErrorBody = 2_000;

interface ErrorAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterMs: number | null;
}

/** Names what an answer with a status outside 200 to 299 means. */
export function errorOfStatus(
  operation: string,
  { status, body, retryAfterMs }: ErrorAnswer,
): SmsServiceError {
  const answered = { operation, status, body: body.slice(0, maximumErrorBody) };
  if (status === 400) return { kind: 'bad-request', ...answered };
  if (status === 401) return { kind: 'unauthorized', ...answered };
  if (status === 404) return { kind: 'not-found', ...answered };
  if (status === 422) return { kind: 'validation', ...answered };
  if (status === 429) return { kind: 'too-many-requests', ...answered, retryAfterMs };
  if (status >= 500) return { kind: 'server', ...answered, retryAfterMs };
  return { kind: 'refused', ...answered };
}

/** One line for people: what was asked, what came back, and the service's own words. */
export function describeError(error: SmsServiceError): string {
  switch (error.kind) {
    case 'unexpected-answer':
      return `${error.operation}: unexpected answer of the SMS service (status ${error.status}): ${error.path}: ${error.expected}`;
    case 'timeout':
      return `${error.operation}: no answer of the SMS service within ${error.afterMs} ms`;
    case 'network':
      return `${error.operation}: the SMS service could not be reached (${error.code})`;
    default:
      return `${error.operation}: the SMS service answered ${error.status} (${error.kind}): ${error.body || 'no body'}`;
  }
}

export interface HttpRequest {
  /** For errors: what is asked, in words. */
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
}

export type HttpOutcome =
  | { readonly ok: true; readonly value: HttpAnswer }
  | { readonly ok: false; readonly error: SmsServiceError };

/** Bytes of an answer that are read: more is no answer of this service. */
const maximumBody = 4 * 1024 * 1024;

/**
 * One try of one request. Whatever goes wrong is a value, and never fetch's own message: it may quote a header.
 *
 * @param timeoutMs for the whole try, its body included
 */
export async function sendOnce(
  ports: Pick<Ports, 'fetch' | 'timeoutSignal' | 'clock'>,
  request: HttpRequest,
  timeoutMs: number,
): Promise<HttpOutcome> {
  const { operation, url, method, headers, body } = request;
  const signal = ports.timeoutSignal(timeoutMs);
  try {
    // A redirect could carry the API key to another host.
    const init = { method, headers, signal, redirect: 'manual' } as const;
    const response = await ports.fetch(url, body === undefined ? init : { ...init, body });
    const { status } = response;
    const text = await readText(response);
    if (text === undefined)
      return failed({
        kind: 'unexpected-answer',
        operation,
        status,
        path: '$',
        expected: `expected at most ${maximumBody} bytes`,
      });
    const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), ports.clock());
    return { ok: true, value: { status, body: text, retryAfterMs } };
  } catch (error) {
    if (signal.aborted) return failed({ kind: 'timeout', operation, afterMs: timeoutMs });
    return failed({ kind: 'network', operation, code: systemCode(error) });
  }
}

function failed(error: SmsServiceError): HttpOutcome {
  return { ok: false, error };
}

/** Undefined where the body is larger than what is read. */
async function readText(response: HttpResponse): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maximumBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The system's word for what happened; fetch hides it in the cause. */
function systemCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'no further reason';
}

/** How one call may be tried again. */
export interface RetryLimits extends RetryPolicy {
  /** One try, its answer's body included; milliseconds. */
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
   * Whether doing it twice is the same as doing it once. If not, only a refusal (429) is tried again: after a timeout,
   * a lost connection or a 5xx nobody knows whether the service has acted.
   */
  readonly repeatable: boolean;
  /** Milliseconds since the epoch at which the call must have ended. */
  readonly deadline: number;
}

/** Tries until it succeeds, fails for good, or the policy or the deadline says that it is enough. */
export async function withRetries<T>(
  attempt: (timeoutMs: number) => Promise<Result<T>>,
  options: CallOptions,
  limits: RetryLimits,
  ports: Pick<Ports, 'clock' | 'sleep' | 'random'>,
): Promise<Result<T>> {
  for (let attempts = 1; ; attempts++) {
    const timeoutMs = Math.min(limits.attemptTimeoutMs, options.deadline - ports.clock());
    if (timeoutMs <= 0)
      return { ok: false, error: { kind: 'timeout', operation: options.operation, afterMs: 0 } };
    const result = await attempt(timeoutMs);
    if (result.ok || !isWorthRetrying(result.error, options.repeatable)) return result;
    const retryAfterMs = 'retryAfterMs' in result.error ? result.error.retryAfterMs : null;
    const remainingMs = options.deadline - ports.clock();
    const delay = nextDelay({ attempts, remainingMs, retryAfterMs }, limits, ports.random);
    if (delay === undefined) return result;
    await ports.sleep(delay);
  }
}

function isWorthRetrying(error: SmsServiceError, repeatable: boolean): boolean {
  if (error.kind === 'too-many-requests') return true;
  return repeatable && (error.kind === 'server' || error.kind === 'timeout' || error.kind === 'network');
}
