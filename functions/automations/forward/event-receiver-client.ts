import { FetchError, type Ports, parseRetryAfter } from '../../runtime/http.ts';

/** What came of posting an event. */
export type PostOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** From `Retry-After`, in milliseconds; null where the receiver did not say. */
      readonly retryAfterMs: number | null;
    }
  /** Nobody knows whether the receiver acted on it. */
  | { readonly kind: 'timeout' }
  /** No answer at all; `code` is the system's, for example `ECONNREFUSED`. */
  | { readonly kind: 'network'; readonly code: string };

/** Somebody's URL that events are posted to. */
export interface EventReceiver {
  /**
   * One try. On a connection that was closed while it was idle, a second one at once: the first has most likely not arrived, and receivers
   * have to tolerate repeats. Never throws, and does not follow redirects. Of the answer it uses the status and `Retry-After`. It discards
   * the body: `fetch` reads at most 64 KiB of it, after which it closes the connection.
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
        // Whatever becomes of the rest, the status has been told.
        await response.body?.cancel().catch(() => undefined);
        return { kind: 'answered', status: response.status, retryAfterMs };
      } catch (error) {
        return signal.aborted ? { kind: 'timeout' } : { kind: 'network', code: systemCode(error) };
      }
    },
  };
}

/** The system's word for what happened; fetch hides it in the cause, and its own message may quote a header. */
function systemCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : 'no further reason';
}
