import type { IncomingHttpHeaders } from 'node:http';

/** A request with this header, a time in ISO 8601, runs its function at that time. API Gateway knows no such header, and the function does not see it. */
export const clockHeader = 'local-clock';

type RequestedTime =
  /** Undefined without the header. */
  | { readonly kind: 'ok'; readonly offsetMs: number | undefined }
  | { readonly kind: 'error'; readonly error: string };

/** Returns how far the clock of a request's function is to be ahead of `now`, which is ms since the epoch. */
export function requestedTime(headers: IncomingHttpHeaders, now: number): RequestedTime {
  const header = headers[clockHeader];
  if (header === undefined) return { kind: 'ok', offsetMs: undefined };
  const time = Date.parse(String(header));
  if (Number.isNaN(time)) return { kind: 'error', error: `${clockHeader}: expected a time in ISO 8601` };
  return { kind: 'ok', offsetMs: time - now };
}
