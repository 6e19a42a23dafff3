import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Clock } from './basics.ts';
import { closeStaleConnections } from './handler-settings.ts';

export interface HttpInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal: AbortSignal;
  /** Redirects are not followed. */
  readonly redirect: 'manual';
}

/** The part of a fetch response that the pipeline uses. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** `cancel` discards the body. At most 64 KiB are read, so that the connection can be used again. A connection with more is closed. */
  readonly body: (AsyncIterable<Uint8Array> & { cancel(): Promise<void> }) | null;
}

/** The part of `fetch` that the pipeline uses. */
export type HttpFetch = (url: string, init: HttpInit) => Promise<HttpResponse>;

/** Thrown when there was no response. `cause` is the system's error; its code is `NO_RESPONSE` if the connection was closed. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  /**
   * Whether the request was sent on an idle connection that was lost before the first byte of a response. The other side
   * had most likely closed it before the request arrived.
   */
  readonly wasIdle: boolean;

  constructor(cause: Error, wasIdle: boolean) {
    super('fetch failed', { cause });
    this.wasIdle = wasIdle;
  }
}

/** The value is a second less than the time for which servers written in Node.js keep an idle connection. */
const maxIdleMs = 4_000;

/** A new connection costs less than reading a larger body. */
const maxDiscardedBytes = 64 * 1024;

const options = { keepAlive: true };

const lostCodes = new Set(['ECONNRESET', 'EPIPE']);

/**
 * Makes a `fetch` for a process that Lambda freezes. It closes stale connections
 * ({@link closeStaleConnections}); the global `fetch` has no setting for that.
 */
export function createHttpFetch(clock: Clock): HttpFetch {
  const httpAgent = closeStaleConnections(new HttpAgent(options), maxIdleMs, clock);
  const httpsAgent = closeStaleConnections(new HttpsAgent(options), maxIdleMs, clock);
  return (url, { method, headers: ownHeaders, body, signal }) =>
    new Promise((resolve, reject) => {
      // Node.js adds the length for some methods only.
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const headers = { accept: '*/*', 'user-agent': 'sms-event-pipeline', ...ownHeaders, ...length };
      const sent =
        new URL(url).protocol === 'http:'
          ? requestHttp(url, { method, headers, signal, agent: httpAgent })
          : requestHttps(url, { method, headers, signal, agent: httpsAgent });
      sent.on('response', (message) => resolve(responseOf(message)));
      sent.on('error', (error: Error & { readonly code?: string }) =>
        reject(new FetchError(error, sent.reusedSocket && lostCodes.has(error.code ?? ''))),
      );
      // Node.js closes the connection of a response that switches protocols (101), and emits neither a response nor an error.
      // After a response or an error this changes nothing.
      sent.on('close', () => reject(new FetchError(noResponse(), false)));
      sent.end(body);
    });
}

function noResponse(): Error {
  return Object.assign(new Error('The connection was closed without a response.'), { code: 'NO_RESPONSE' });
}

function responseOf(message: IncomingMessage): HttpResponse {
  // The iterator of the body reports a truncated body. A caller that discards the body needs no error.
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

/** Reads a small body to its end, so that the connection can be used again. Closes the connection if the body is larger. */
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

/** The connections of the client to the world, which tests replace to be exact and never to wait. */
export interface Ports {
  readonly fetch: HttpFetch;
  readonly clock: Clock;
  /** Waits for a number of milliseconds. */
  readonly sleep: (ms: number) => Promise<unknown>;
  /** Returns a number from 0 to less than 1. */
  readonly random: () => number;
  /** Returns a signal that aborts after a number of milliseconds. */
  readonly timeoutSignal: (ms: number) => AbortSignal;
}

/** Waits for a number of milliseconds. */
const sleep: Ports['sleep'] = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The network, clock and randomness of the process. */
export const systemPorts: Ports = {
  // The mark lets bundles that need no client leave it out.
  fetch: /* @__PURE__ */ createHttpFetch(Date.now),
  clock: Date.now,
  sleep,
  random: Math.random,
  timeoutSignal: (ms) => AbortSignal.timeout(ms),
};

/** Returns ports whose calls end, and do not start, once a signal is aborted. */
export function portsUntil(ended: AbortSignal, ports: Ports): Ports {
  return { ...ports, timeoutSignal: (ms) => AbortSignal.any([ended, ports.timeoutSignal(ms)]) };
}
