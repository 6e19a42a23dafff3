import { createHmac, timingSafeEqual } from 'node:crypto';

/** A webhook request as received. */
export interface WebhookRequest {
  /** The headers by name; letter case does not matter. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The raw bytes, never re-serialised. */
  readonly body: Uint8Array;
  /** The URL that the service posted to. */
  readonly url: string;
  /** The HTTP method, if the contract accepts two; otherwise it may be left out. */
  readonly method?: string | undefined;
  /** Whether `maskCredential` replaced credentials in the headers; never true for a request from outside. */
  readonly masked?: boolean;
}

export type RejectionReason =
  | 'signature-missing'
  | 'signature-mismatch'
  /** A signed value holds the text that separates it from the next one, so another request could have the same signature. */
  | 'signed-content-ambiguous'
  /** More parameters than a service sends, so they are not read. */
  | 'too-many-parameters'
  | 'timestamp-invalid'
  | 'timestamp-outside-window';

export type Verdict =
  | { readonly kind: 'verified'; readonly signedId: string | undefined }
  | { readonly kind: 'rejected'; readonly reason: RejectionReason };

/**
 * Verifies one request.
 *
 * @param secrets the accepted secrets, as the service wrote them: the current one, and the previous one while it is valid
 * @param now milliseconds since the epoch
 */
export type Verifier = (request: WebhookRequest, secrets: readonly string[], now: number) => Verdict;

export const rejected = (reason: RejectionReason): Verdict => ({ kind: 'rejected', reason });

/** Looks headers up by name in any letter case. An empty header counts as absent. */
export function headerReader(headers: WebhookRequest['headers']): (name: string) => string | undefined {
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => byName.get(name.toLowerCase()) || undefined;
}

/** Compares texts in constant time for a given length. The length of a signature is not secret. */
export function equal(text: string, expected: string): boolean {
  const a = Buffer.from(text);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The prefix of masked values. */
export const maskedPrefix = 'masked:';

/** The form of a masked value; its group is the salt. */
export const maskedValue = /^masked:([^:]+):[0-9a-f]{64}$/;

/**
 * Masks a credential for storage. The result cannot be sent again, but a caller who knows the credential can recognise it.
 *
 * @param salt a random text without a colon, so that the same credential looks different each time
 */
export function maskCredential(value: string, salt: string): string {
  return `${maskedPrefix}${salt}:${createHmac('sha256', salt).update(value).digest('hex')}`;
}

/** Reports whether {@link maskCredential} made the text from this value. */
export function matchesMasked(text: string, value: string): boolean {
  const salt = maskedValue.exec(text)?.[1];
  return salt !== undefined && equal(text, maskCredential(value, salt));
}

/**
 * Verifies a request that the pipeline stored, and never one from outside. The contract of the time when the request was captured decided
 * which headers are credentials, so a header of a masked request may also be as received.
 *
 * @param request with `masked` set if it was captured
 * @param now milliseconds since the epoch: the time of receipt
 */
export function verifyKept(
  verify: Verifier,
  request: WebhookRequest,
  secrets: readonly string[],
  now: number,
): Verdict {
  const verdict = verify(request, secrets, now);
  return verdict.kind === 'verified' || request.masked !== true
    ? verdict
    : verify({ ...request, masked: false }, secrets, now);
}
