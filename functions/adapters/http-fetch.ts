import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Clock } from '../core/clock.ts';
import { closeStaleConnections } from './idle-connections.ts';

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
