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
  | { readonly verified: true; readonly signedId: string | undefined }
  | { readonly verified: false; readonly reason: RejectionReason };

/**
 * Checks one request against the accepted secrets.
 *
 * @param secrets as the service wrote them; the current one, and the previous while it is valid
 * @param now milliseconds since the epoch
 */
export type Verifier = (request: WebhookRequest, secrets: readonly string[], now: number) => Verdict;

export const rejected = (reason: RejectionReason): Verdict => ({ verified: false, reason });
