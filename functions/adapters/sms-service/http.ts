import type { HttpResponse } from '../http-fetch.ts';
import { parseRetryAfter } from './backoff.ts';
import type { SmsServiceError } from './errors.ts';
import type { Ports } from './ports.ts';

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
