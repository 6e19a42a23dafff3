import { FetchError, type Ports } from '../../base/http-client.ts';
import { parseRetryAfter } from '../../base/retry.ts';

/** The result of posting an event. */
export type PostOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The `Retry-After` header in milliseconds; null if it is missing. */
      readonly retryAfterMs: number | null;
    }
  /** The receiver may have handled the event, or not. */
  | { readonly kind: 'timeout' }
  /** The receiver did not answer; `code` is the system's, for example `ECONNREFUSED`. */
  | { readonly kind: 'network'; readonly code: string };

/** A URL to which events are posted. */
export interface EventReceiver {
  /**
   * Posts an event once. On a connection that was closed while it was idle, it posts a second time at once: the first request has most likely
   * not arrived, and receivers have to tolerate repeats. Never throws, and does not follow redirects. Of the answer it uses the status and
   * `Retry-After`. It discards the body: `fetch` reads at most 64 KiB of it, and then closes the connection.
   */
  post(body: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>>): Promise<PostOutcome>;
}

const timeoutMs = 10_000;

export function createEventReceiver(
  url: string,
  { fetch, timeoutSignal, clock }: Pick<Ports, 'fetch' | 'timeoutSignal' | 'clock'>,
): EventReceiver {
  return {
    post: async (body, headers) => {
      const signal = timeoutSignal(timeoutMs);
      const send = () => fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
      try {
        const response = await send().catch((error: unknown) => {
          if (error instanceof FetchError && error.wasIdle && !signal.aborted) return send();
          throw error;
        });
        const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), clock());
        // The status is enough, so errors of the body are ignored.
        await response.body?.cancel().catch(() => undefined);
        return { kind: 'answered', status: response.status, retryAfterMs };
      } catch (error) {
        return signal.aborted ? { kind: 'timeout' } : { kind: 'network', code: systemCode(error) };
      }
    },
  };
}

/** Returns the system's code of an error. It is in the cause, and the error's own message may quote a header. */
function systemCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'no further reason';
}
