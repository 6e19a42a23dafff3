import { type Verifier, verifyKept } from '../../contract/signature/webhook-request.ts';
import type { Confirmed, WebhookStateTable } from '../registration/webhook-state-store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Envelope, UnverifiedRequest } from '../webhook/envelope.ts';
import { confirmationMarginMs, secretsAcceptedAt } from '../webhook/secret-document.ts';
import type { StoredSecret, WebhookSecretStore } from '../webhook/webhook-secret-store.ts';
import type { Received } from './read-batch.ts';

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
  if (verdict.kind === 'verified') return { is: 'genuine', signedId: verdict.signedId };
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

/**
 * What is known of the secret where people store it: there is no other one to wait for, so what is stored is confirmed whenever it
 * is read, and what fits none of it is refused.
 */
export function createConfirmedByHand(
  secret: Pick<WebhookSecretStore, 'read'>,
  clock: Clock,
): Pick<WebhookStateTable, 'read'> {
  return {
    async read() {
      // Before the read: its answer may be as old as that.
      const at = new Date(clock()).toISOString();
      const stored = await secret.read();
      return stored === undefined ? {} : { confirmed: { at, versionId: stored.versionId } };
    },
  };
}

/** Writes down when a verified request last came in, for people who ask for the webhook's status. Never throws. */
export type RecordVerified = (verified: readonly Received[]) => Promise<void>;

/** The shortest time between two writes of one instance, those that fail included. */
const intervalMs = 60_000;

export function createRecordVerified(
  state: Pick<WebhookStateTable, 'recordVerified'>,
  clock: Clock,
  log: Log,
): RecordVerified {
  let lastWriteAt = Number.NEGATIVE_INFINITY;
  return async (verified) => {
    const newest = verified
      .flatMap(({ envelope }) => envelope?.receivedAt ?? [])
      .sort()
      .at(-1);
    const now = clock();
    if (newest === undefined || now - lastWriteAt < intervalMs) return;
    lastWriteAt = now;
    try {
      await state.recordVerified(newest);
    } catch (error) {
      log('VERIFIED_NOT_RECORDED', { error: error instanceof Error ? error.name : 'unknown' });
    }
  };
}
