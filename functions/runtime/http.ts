import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Clock } from './clock.ts';
import { closeStaleConnections } from './handler-settings.ts';

export interface HttpInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
  /** A redirect is an answer as any other: it is not followed. */
  readonly redirect: 'manual';
}

/** The part of a fetch response that is read. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** `cancel` discards the body: at most 64 KiB are read, so that the connection can be used again, and it is closed where there is more. */
  readonly body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null;
}

/** The part of `fetch` that is used. */
export type HttpFetch = (url: string, init: HttpInit) => Promise<HttpResponse>;

/** There was no answer. `cause` is the system's error; its code is `NO_RESPONSE` where the connection was closed without one. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  /**
   * Whether the request was sent on a connection that had been idle, and that was lost before a byte of an answer came. The other side
   * has most likely closed it before the request arrived.
   */
  readonly wasIdle: boolean;

  constructor(cause: Error, wasIdle: boolean) {
    super('fetch failed', { cause });
    this.wasIdle = wasIdle;
  }
}

/** A second less than servers written in Node.js keep an idle connection. */
const maxIdleMs = 4_000;

/** A new connection costs less than to read a larger body. */
const maxDiscardedBytes = 64 * 1024;

const options = { keepAlive: true };

const lostCodes = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Makes the part of `fetch` that is used, for a process that Lambda freezes. It closes stale connections
 * ({@link closeStaleConnections}); the global `fetch` has no setting for that.
 */
export function createHttpFetch(clock: Clock): HttpFetch {
  const httpAgent = closeStaleConnections(new HttpAgent(options), maxIdleMs, clock);
  const httpsAgent = closeStaleConnections(new HttpsAgent(options), maxIdleMs, clock);
  return (url, { method, headers: given, body, signal }) =>
    new Promise((resolve, reject) => {
      // Node.js adds the length for some methods alone.
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const headers = { accept: '*/*', 'user-agent': 'sms-event-pipeline', ...given, ...length };
      const sent =
        new URL(url).protocol === 'http:'
          ? requestHttp(url, { method, headers, signal, agent: httpAgent })
          : requestHttps(url, { method, headers, signal, agent: httpsAgent });
      sent.on('response', (message) => resolve(responseOf(message)));
      sent.on('error', (error: Error & { readonly code?: string }) =>
        reject(new FetchError(error, sent.reusedSocket && lostCodes.has(error.code ?? ''))),
      );
      // To an answer that switches protocols (101) Node.js closes the connection, and emits neither a response nor an error.
      // After a response or an error this changes nothing.
      sent.on('close', () => reject(new FetchError(noResponse(), false)));
      sent.end(body);
    });
}

function noResponse(): Error {
  return Object.assign(new Error('The connection was closed without a response.'), { code: 'NO_RESPONSE' });
}

function responseOf(message: IncomingMessage): HttpResponse {
  // A caller that reads a body that is cut off gets the error from its iterator. A caller that discards the body needs no error.
  message.on('error', () => undefined);
  return {
    status: message.statusCode ?? 0,
    headers: {
      get: (name) => {
        const value = message.headers[name.toLowerCase()];
        return Array.isArray(value) ? value.join(', ') : (value ?? null);
      },
    },
    body: {
      [Symbol.asyncIterator]: () => message[Symbol.asyncIterator](),
      cancel: async () => discard(message),
    },
  };
}

/** Reads a small body to its end, so that the connection can be used again. Closes the connection where the body is larger. */
function discard(message: IncomingMessage): void {
  if (Number(message.headers['content-length'] ?? 0) > maxDiscardedBytes) {
    message.destroy();
    return;
  }
  let bytes = 0;
  message.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > maxDiscardedBytes) message.destroy();
  });
}

/** How often and how long a call is tried. All times are milliseconds. */
export interface RetryPolicy {
  /** Tries of one call, the first included. */
  readonly attempts: number;
  /** All tries and pauses of one call together. */
  readonly totalMs: number;
  /** The first pause is at most this long, each further one at most twice as long as the one before. */
  readonly baseDelayMs: number;
  /** No pause of our own choice is longer. */
  readonly maximumDelayMs: number;
}

/** Where a call stands after a failed try. */
export interface Progress {
  /** Tries made. */
  readonly attempts: number;
  readonly remainingMs: number;
  /** What the service asked for, if it did. */
  readonly retryAfterMs: number | null;
}

/**
 * How long to wait before the next try, or undefined to give up: exponential backoff with full jitter. The service's
 * own wish is a lower bound; a wish that does not fit into the time left is not cut short, it ends the call.
 *
 * @param random from 0 to less than 1
 */
export function nextDelay(progress: Progress, policy: RetryPolicy, random: () => number): number | undefined {
  if (progress.attempts >= policy.attempts) return undefined;
  const ceiling = Math.min(policy.maximumDelayMs, policy.baseDelayMs * 2 ** (progress.attempts - 1));
  const delay = (progress.retryAfterMs ?? 0) + Math.floor(random() * ceiling);
  return delay < progress.remainingMs ? delay : undefined;
}

const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads a `Retry-After` header (RFC 9110, section 10.2.3): seconds, or an HTTP date.
 *
 * @param now milliseconds since the epoch
 * @returns milliseconds to wait, 0 for a moment that has passed, null for no or an unreadable header
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!httpDate.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** What the client takes from the world, so that its tests are exact and never wait. */
export interface Ports {
  readonly fetch: HttpFetch;
  readonly clock: Clock;
  /** Waits so many milliseconds. */
  readonly sleep: (ms: number) => Promise<unknown>;
  /** From 0 to less than 1. */
  readonly random: () => number;
  /** A signal that aborts after so many milliseconds. */
  readonly timeoutSignal: (ms: number) => AbortSignal;
}

/** Waits so many milliseconds. */
const sleep: Ports['sleep'] = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The real world. */
export const systemPorts: Ports = {
  // Marked for bundles that need the pause alone.
  fetch: /* @__PURE__ */ createHttpFetch(Date.now),
  clock: Date.now,
  sleep,
  random: Math.random,
  timeoutSignal: (ms) => AbortSignal.timeout(ms),
};

/** Ports whose calls are broken off, and never begin, once a signal is aborted. */
export function portsUntil(ended: AbortSignal, ports: Ports): Ports {
  return { ...ports, timeoutSignal: (ms) => AbortSignal.any([ended, ports.timeoutSignal(ms)]) };
}
