import { type UnverifiedRequest, unverifiedRequest } from '../core/envelope.ts';
import type {
  RejectionReason,
  Verdict,
  Verifier,
  WebhookRequest,
} from '../core/signature/webhook-request.ts';
import { acceptedSecrets, type SecretDocument } from '../core/webhook/secret-document.ts';
import type { SecretCache } from './secret-cache.ts';

/** What is known of a request's signature. */
export type SignatureCheck =
  | { readonly outcome: 'verified'; readonly signedId: string | undefined }
  /** It fits no known secret, but the service may have one that is not known yet. */
  | {
      readonly outcome: 'parked';
      readonly unverified: UnverifiedRequest;
      /** What it does not fit. */
      readonly document: SecretDocument;
      /** Whether a rotation's mark stands. */
      readonly isRotating: boolean;
    }
  | { readonly outcome: 'refused'; readonly reason: RejectionReason }
  | { readonly outcome: 'not-registered' };

/** What checking signatures against stored secrets needs. */
export interface SecretChecks {
  readonly cache: Pick<SecretCache, 'known' | 'reread'>;
  /** When a request that fits no secret is parked: while a rotation's mark stands, or whatever is known. */
  readonly park: 'rotating' | 'always';
  /** The headers the scheme reads, in lower case. */
  readonly headersRead: readonly string[];
}

/**
 * Verifies a request with the cached secrets, and once more with the stored ones where those do not fit.
 *
 * @param secrets undefined where the scheme has no secret
 * @param receivedAt milliseconds since the epoch
 * @throws what the secret store throws, where the outcome depends on its answer
 */
export async function checkSignature(
  request: WebhookRequest,
  receivedAt: number,
  verify: Verifier,
  secrets: SecretChecks | undefined,
): Promise<SignatureCheck> {
  // Without any secret: for a request that no secret could verify none is read here.
  const unproven = verify(request, [], receivedAt);
  if (secrets === undefined || !isMismatch(unproven)) return checkOf(unproven);

  const verifyWith = (document: SecretDocument) =>
    verify(request, acceptedSecrets(document, receivedAt), receivedAt);
  const parksBy = (document: SecretDocument) => secrets.park === 'always' || document.rotating !== undefined;

  const known = await secrets.cache.known();
  if (known === undefined) return { outcome: 'not-registered' };
  const verdict = verifyWith(known);
  if (!isMismatch(verdict)) return checkOf(verdict);

  let newest: SecretDocument | undefined;
  try {
    newest = await secrets.cache.reread();
  } catch (error) {
    // What is parked needs no answer of the store now: the worker will ask it.
    if (!parksBy(known)) throw error;
    newest = known;
  }
  if (newest === undefined) return { outcome: 'not-registered' };
  const newestVerdict = newest === known ? verdict : verifyWith(newest);
  if (!isMismatch(newestVerdict) || !parksBy(newest)) return checkOf(newestVerdict);
  const unverified = unverifiedRequest(request, secrets.headersRead);
  return { outcome: 'parked', unverified, document: newest, isRotating: newest.rotating !== undefined };
}

function isMismatch(verdict: Verdict): boolean {
  return !verdict.verified && verdict.reason === 'signature-mismatch';
}

function checkOf(verdict: Verdict): SignatureCheck {
  return verdict.verified
    ? { outcome: 'verified', signedId: verdict.signedId }
    : { outcome: 'refused', reason: verdict.reason };
}
