import { deadlineAt } from '../../base/basics.ts';
import type { Ports } from '../../base/http-client.ts';
import { parseRetryAfter } from '../../base/retry.ts';
import type { ApiKeyResult } from '../../base/sms-service/api-key-store.ts';
import { createSmsServiceClient, type SmsServiceClient } from '../../base/sms-service/service-client.ts';
import type { TokenContract } from '../../base/sms-service/session.ts';
import { RetryLaterError } from './work-messages.ts';

export interface ServiceConnectorOptions {
  readonly baseUrl: string;
  /** The contract's `service.token`. */
  readonly token: TokenContract;
  /** Called once, and again after the service rejected the token of the key (401). */
  readonly readApiKey: () => Promise<ApiKeyResult>;
  readonly ports: Ports;
}

/**
 * Returns a client of the SMS service whose calls end by a deadline.
 *
 * @param deadline milliseconds since the epoch
 * @throws RetryLaterError if there is no API key
 */
export type ConnectService = (deadline: number) => Promise<SmsServiceClient>;

/** Few calls are retried at once, because the queue message is retried later, and a waiting invocation costs money. */
const limits = { attempts: 3, totalMs: 10_000, attemptTimeoutMs: 5_000 };

/**
 * Connects an automation to the SMS service. While the service asks to wait (429 with `Retry-After`), this connector answers all calls with
 * that 429 and sends no request.
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
  let apiKey: string | undefined;
  let pausedUntil = 0;

  const watchingFetch: Ports['fetch'] = async (...request) => {
    const pauseMs = pausedUntil - ports.clock();
    if (pauseMs > 0) {
      const headers = { 'retry-after': String(Math.ceil(pauseMs / 1000)) };
      return new Response(null, { status: 429, headers });
    }
    const response = await ports.fetch(...request);
    if (response.status === 401) apiKey = undefined;
    if (response.status === 429) {
      const now = ports.clock();
      const until = now + (parseRetryAfter(response.headers.get('retry-after'), now) ?? 0);
      pausedUntil = Math.max(pausedUntil, until);
    }
    return response;
  };

  return async (deadline) => {
    if (apiKey === undefined) {
      const key = await readApiKey();
      if (key.kind === 'error') throw new RetryLaterError(key.error.kind);
      apiKey = key.value;
    }
    return createSmsServiceClient({
      baseUrl,
      token,
      apiKey,
      ports: { ...ports, fetch: watchingFetch },
      limits,
      deadline: deadlineAt(deadline, ports.clock),
    });
  };
}

/** Time at the end of an invocation without calls, in which the waits of the failed messages are set. */
const reservedMs = 4000;

/**
 * Returns a function that connects on its first call and returns the client of one invocation.
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
