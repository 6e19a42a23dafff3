import type { Envelope, UnverifiedRequest } from '../core/envelope.ts';
import type { Verdict, Verifier } from '../core/signature/verify.ts';
import { confirmationMarginMs } from '../core/webhook/rotation-timing.ts';
import { type SecretDocument, secretsAcceptedAt } from '../core/webhook/secret-document.ts';

export interface ParkedEnvelope extends Envelope {
  readonly unverified: UnverifiedRequest;
}

/**
 * What parked requests are judged by. The time of the confirmation must have been read before the document: every
 * secret it speaks of is in the document then.
 */
export interface Evidence {
  readonly document: SecretDocument;
  /** When the service was last asked for its secret and the answer stored; ISO 8601. */
  readonly confirmedAt: string | undefined;
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
  const secrets = evidence === undefined ? [] : secretsAcceptedAt(evidence.document, receivedAt);
  const verdict: Verdict = verify({ ...envelope.unverified, body: envelope.body }, secrets, receivedAt);
  if (verdict.verified) return { is: 'genuine', signedId: verdict.signedId };
  if (verdict.reason !== 'signature-mismatch') return { is: 'refused' };
  return evidence !== undefined && knowsEverySecret(evidence, receivedAt)
    ? { is: 'refused' }
    : { is: 'undecided' };
}

/** Whether any secret that the service had at a time is in the document, or was dropped from it. */
function knowsEverySecret({ document, confirmedAt }: Evidence, time: number): boolean {
  if (document.rotating !== undefined || confirmedAt === undefined) return false;
  return Date.parse(confirmedAt) > time + confirmationMarginMs;
}
