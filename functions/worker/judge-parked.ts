import type { StoredSecret } from '../adapters/webhook-secret.ts';
import type { Envelope, UnverifiedRequest } from '../core/envelope.ts';
import { verifyKept } from '../core/signature/verify-kept.ts';
import type { Verifier } from '../core/signature/webhook-request.ts';
import { confirmationMarginMs } from '../core/webhook/rotation-timing.ts';
import { secretsAcceptedAt } from '../core/webhook/secret-document.ts';
import type { Confirmed } from '../core/webhook/webhook-state.ts';

export interface ParkedEnvelope extends Envelope {
  readonly unverified: UnverifiedRequest;
}

/** What parked requests are judged by. */
export interface Evidence {
  readonly stored: StoredSecret;
  /** When the service was last asked for its secret, and which version of the document holds it. */
  readonly confirmed: Confirmed | undefined;
}

export type Judgement =
  | { readonly is: 'genuine'; readonly signedId: string | undefined }
  /** The service may have signed it with a secret that is not in the document yet. */
  | { readonly is: 'undecided' }
  | { readonly is: 'refused' };

export function isParked(envelope: Envelope): envelope is ParkedEnvelope {
  return envelope.unverified !== undefined;
}

/**
 * Judges a parked request as of the time it was received: the replay window, and the secrets that were
 * accepted then.
 *
 * @param evidence undefined where there is none: what it could change stays undecided
 */
export function judgeParked(
  envelope: ParkedEnvelope,
  verify: Verifier,
  evidence: Evidence | undefined,
): Judgement {
  const receivedAt = Date.parse(envelope.receivedAt);
  const secrets = evidence === undefined ? [] : secretsAcceptedAt(evidence.stored.document, receivedAt);
  const request = { ...envelope.unverified, body: envelope.body };
  const verdict = verifyKept(verify, request, secrets, receivedAt);
  if (verdict.verified) return { is: 'genuine', signedId: verdict.signedId };
  if (verdict.reason !== 'signature-mismatch') return { is: 'refused' };
  if (evidence === undefined) return { is: 'undecided' };
  // What was captured is kept whole again, and may be replayed again: nobody has to be sure.
  const isSettled =
    request.masked === true
      ? evidence.stored.document.rotating === undefined
      : knowsEverySecret(evidence, receivedAt);
  return { is: isSettled ? 'refused' : 'undecided' };
}

/**
 * Whether any secret that the service had at a time is in the document, or was dropped from it. The store may still give an
 * older version than the one that was confirmed: that one proves nothing.
 */
function knowsEverySecret({ stored, confirmed }: Evidence, time: number): boolean {
  if (stored.document.rotating !== undefined || stored.versionId !== confirmed?.versionId) return false;
  return Date.parse(confirmed.at) > time + confirmationMarginMs;
}
