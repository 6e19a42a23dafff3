import type { Result, SmsServiceError } from '../../base/sms-service/request.ts';
import { tokenExchange } from '../../base/sms-service/session.ts';
import { GiveUpError, RetryLaterError } from './work-messages.ts';

/** Errors of requests that are wrong, so that a retry fails too. */
const refusals: readonly SmsServiceError['kind'][] = ['bad-request', 'validation'];

/**
 * Returns the value of a successful call.
 *
 * @throws RetryLaterError with the names of the error and the wait that the service asks for, never with its words, which may quote the
 * request
 */
export function successOf<T>(result: Result<T>): T {
  if (result.kind === 'ok') return result.value;
  const { error } = result;
  throw new RetryLaterError(namesOf(error), waitOf(error));
}

/**
 * Returns the value of a successful call that one queue message needs. A request that the service rejects as wrong (400, 422) is given up. An
 * error of the token exchange is retried, because no message causes it.
 *
 * @throws GiveUpError or RetryLaterError
 */
export function successForMessage<T>(result: Result<T>): T {
  if (
    result.kind === 'error' &&
    refusals.includes(result.error.kind) &&
    result.error.operation !== tokenExchange
  )
    throw new GiveUpError(namesOf(result.error));
  return successOf(result);
}

/** Returns the wait that an error asks for, in seconds: 0 for a rate limit without a time, and undefined for other errors. */
function waitOf(error: SmsServiceError): number | undefined {
  const retryAfterMs = 'retryAfterMs' in error ? error.retryAfterMs : null;
  if (retryAfterMs !== null) return Math.ceil(retryAfterMs / 1000);
  return error.kind === 'too-many-requests' ? 0 : undefined;
}

function namesOf(error: SmsServiceError): string {
  const status = 'status' in error ? ` (${error.status})` : '';
  return `${error.operation}: ${error.kind}${status}`;
}
