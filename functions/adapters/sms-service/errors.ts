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
