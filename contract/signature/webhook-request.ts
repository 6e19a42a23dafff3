import { createHmac, timingSafeEqual } from 'node:crypto';

/** A webhook request as it came. */
export interface WebhookRequest {
  /** By name in any case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The raw bytes, never re-serialised. */
  readonly body: Uint8Array;
  /** The URL the service posts to. */
  readonly url: string;
  /** Whether headers that carry credentials were replaced by `maskCredential`; never true of what comes in from outside. */
  readonly masked?: boolean;
}

export type RejectionReason =
  | 'signature-missing'
  | 'signature-mismatch'
  | 'timestamp-invalid'
  | 'timestamp-outside-window';

export type Verdict =
  | { readonly kind: 'verified'; readonly signedId: string | undefined }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason };

/**
 * Checks one request against the accepted secrets.
 *
 * @param secrets as the service wrote them; the current one, and the previous while it is valid
 * @param now milliseconds since the epoch
 */
export type Verifier = (request: WebhookRequest, secrets: readonly string[], now: number) => Verdict;

export const rejected = (reason: RejectionReason): Verdict => ({ kind: 'rejected', reason });

/** Where a value is: a header, or the entry of a list in a header that begins with a prefix. */
export interface HeaderPart {
  readonly header: string;
  readonly prefix: string;
  readonly separator: string | null;
}

/** Looks headers up by name whatever the case; an empty header counts as absent. */
export function headerReader(headers: WebhookRequest['headers']): (name: string) => string | undefined {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => byName.get(name.toLowerCase()) || undefined;
}

/** The value of a part without its prefix; of several entries the first, undefined where there is none. */
export function readPart(
  part: HeaderPart | null,
  header: (name: string) => string | undefined,
): string | undefined {
  if (part === null) return undefined;
  const value = header(part.header);
  const entries = part.separator === null ? [value] : value?.split(part.separator);
  const entry = entries?.find((text) => text?.startsWith(part.prefix));
  return entry?.slice(part.prefix.length) || undefined;
}

/** Compares in constant time for a given length; the length of a signature is no secret. */
export function equal(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What a masked value begins with. */
export const maskedPrefix = 'masked:';

const masked = /^masked:([^:]+):[0-9a-f]{64}$/;

/**
 * A credential as it may be kept: nobody can send it again, and who knows the credential can still tell that it was this one.
 *
 * @param salt random, so that the same credential looks different each time; without a colon
 */
export function maskCredential(value: string, salt: string): string {
  return `${maskedPrefix}${salt}:${createHmac('sha256', salt).update(value).digest('hex')}`;
}

/** Whether what {@link maskCredential} gave was made of this value. */
export function fitsMasked(text: string, value: string): boolean {
  const salt = masked.exec(text)?.[1];
  return salt !== undefined && equal(text, maskCredential(value, salt));
}

/**
 * Verifies a request that was kept: the one rule of what credentials that were masked may come to. Whether a header was one was
 * judged by what was known when it was captured, so one that was not masked is as it came. Never for what comes in from outside.
 *
 * @param request `masked` where it was captured
 * @param now milliseconds since the epoch: when it was received
 */
export function verifyKept(
  verify: Verifier,
  request: WebhookRequest,
  secrets: readonly string[],
  now: number,
): Verdict {
  const asKept = verify(request, secrets, now);
  return asKept.kind === 'verified' || request.masked !== true
    ? asKept
    : verify({ ...request, masked: false }, secrets, now);
}
