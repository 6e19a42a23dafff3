import { deadlineAt } from '../../runtime/clock.ts';
import { type Ports, parseRetryAfter } from '../../runtime/http.ts';
import type { ApiKeyResult } from '../../sms-service/api-key-store.ts';
import { createSmsServiceClient, type SmsServiceClient } from '../../sms-service/client.ts';
import type { Result, SmsServiceError } from '../../sms-service/request.ts';
import { type TokenContract, tokenExchange } from '../../sms-service/session.ts';
import { GiveUpError, RetryLaterError } from './work-messages.ts';

export interface ServiceConnectorOptions {
  /** Where the service answers. */
  readonly baseUrl: string;
  /** The contract's `service.token`. */
  readonly token: TokenContract;
  /** Asked once, and again after the service refused (401) what the key gave. */
  readonly readApiKey: () => Promise<ApiKeyResult>;
  readonly ports: Ports;
}

/**
 * Gives a client of the SMS service whose calls end by then.
 *
 * @param deadline milliseconds since the epoch
 * @throws RetryLaterError where there is no API key
 */
export type ConnectService = (deadline: number) => Promise<SmsServiceClient>;

/** Little is tried again at once: the queue message comes again, and an invocation that waits is paid for. */
const limits = { attempts: 3, totalMs: 10_000, attemptTimeoutMs: 5_000 };

/**
 * Connects an automation to the SMS service. While the service asks to wait (429 with `Retry-After`) no client of this
 * connector sends it anything: their calls are answered with that 429.
 *
 * @example
 * const connect = createServiceConnector({ baseUrl, token: contract.service.token, readApiKey, ports: systemPorts });
 * const client = await connect(Date.now() + 20_000);
 * const id = successForMessage(await client.createContact({ phone: '+12025550143' }));
 */
export function createServiceConnector({
  baseUrl,
  token,
  readApiKey,
  ports,
}: ServiceConnectorOptions): ConnectService {
  let known: string | undefined;
  let pausedUntil = 0;

  const watchingFetch: Ports['fetch'] = async (...request) => {
    const pauseMs = pausedUntil - ports.clock();
    if (pauseMs > 0) {
      const headers = { 'retry-after': String(Math.ceil(pauseMs / 1000)) };
      return new Response(null, { status: 429, headers });
    }
    const response = await ports.fetch(...request);
    if (response.status === 401) known = undefined;
    if (response.status === 429) {
      const now = ports.clock();
      const until = now + (parseRetryAfter(response.headers.get('retry-after'), now) ?? 0);
      pausedUntil = Math.max(pausedUntil, until);
    }
    return response;
  };

  return async (deadline) => {
    if (known === undefined) {
      const key = await readApiKey();
      if (key.kind === 'error') throw new RetryLaterError(key.error.kind);
      known = key.value;
    }
    const watched = { ...ports, fetch: watchingFetch };
    return createSmsServiceClient({
      baseUrl,
      token,
      apiKey: known,
      ports: watched,
      limits,
      deadline: deadlineAt(deadline, ports.clock),
    });
  };
}

/** What is left of an invocation when the last call has ended: to say when the messages that failed come again. */
const reservedMs = 4000;

/**
 * The client of one invocation, connected when it is first asked for.
 *
 * @param end milliseconds since the epoch at which the invocation ends
 */
export function serviceOfInvocation(connect: ConnectService, end: number): () => Promise<SmsServiceClient> {
  let client: Promise<SmsServiceClient> | undefined;
  return () => {
    client ??= connect(end - reservedMs);
    return client;
  };
}

/** Answers that say that the request is wrong, and will be next time. */
const refusals: readonly SmsServiceError['kind'][] = ['bad-request', 'validation'];

/**
 * @throws RetryLaterError with the names of what failed, and what the service wants to be waited; never its words, which
 * may quote the request
 */
export function successOf<T>(result: Result<T>): T {
  if (result.kind === 'ok') return result.value;
  const { error } = result;
  throw new RetryLaterError(namesOf(error), waitOf(error));
}

/**
 * As {@link successOf}, of a call that one queue message asked for: what the service refuses as wrong (400, 422) is given up.
 * Not where it refuses the exchange of the key for a token, which is no message's fault.
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

/** In seconds; of a rate limit that names no time none at least, and undefined where there is nothing to wait for. */
function waitOf(error: SmsServiceError): number | undefined {
  const retryAfterMs = 'retryAfterMs' in error ? error.retryAfterMs : null;
  if (retryAfterMs !== null) return Math.ceil(retryAfterMs / 1000);
  return error.kind === 'too-many-requests' ? 0 : undefined;
}

function namesOf(error: SmsServiceError): string {
  const status = 'status' in error ? ` (${error.status})` : '';
  return `${error.operation}: ${error.kind}${status}`;
}
