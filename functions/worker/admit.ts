import { type Verifier, verifyKept } from '../../contract/signature/webhook-request.ts';
import type { QuarantineEntry, QuarantineReason } from '../quarantine/quarantine.ts';
import type { Confirmed, WebhookStateTable } from '../registration/webhook-state-store.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metrics.ts';
import { type Envelope, type UnverifiedRequest, unverifiedRequest } from '../webhook/envelope.ts';
import { confirmationMarginMs, secretsAcceptedAt } from '../webhook/secret-document.ts';
import type { StoredSecret, WebhookSecretStore } from '../webhook/webhook-secret-store.ts';
import type { QueueMessage, Received } from './read-batch.ts';

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

/** What admitting a batch needs. */
export interface AdmitDependencies {
  readonly verify: Verifier;
  readonly state: Pick<WebhookStateTable, 'read'>;
  readonly secret: Pick<WebhookSecretStore, 'read'>;
  /** The headers that go to quarantine with a parked request that is refused, in lower case; never one that carries the secret itself. */
  readonly harmlessHeaders: readonly string[];
  readonly log: Log;
  readonly count: Count;
}

/** A batch, sorted by what may become of its requests. */
export interface Admission {
  /** Verified, by ingest or now, and what is no envelope at all. */
  readonly admitted: readonly Received[];
  /** Genuine or forged: not known yet. */
  readonly parked: readonly QueueMessage[];
  /** Forged, or captured: those have been refused before. */
  readonly refused: readonly Refused[];
}

/** What goes to quarantine instead of history. */
export interface Refused {
  readonly entry: QuarantineEntry;
  readonly queueMessage: string;
}

/**
 * Verifies the parked requests of a batch, and admits none that was captured. Never throws: where the secret or the state cannot
 * be read parked ones stay parked.
 */
export async function admit(
  received: readonly Received[],
  dependencies: AdmitDependencies,
): Promise<Admission> {
  const { verify, count } = dependencies;
  const admitted: Received[] = [];
  const parked: QueueMessage[] = [];
  const refused: Refused[] = [];
  const captured: Refused[] = [];
  const waiting: { queueMessage: QueueMessage; envelope: ParkedEnvelope }[] = [];

  for (const { queueMessage, envelope } of received) {
    if (envelope?.captured !== undefined)
      captured.push({
        entry: entryOf(envelope, 'captured', envelope.captured),
        queueMessage: queueMessage.messageId,
      });
    else if (envelope !== undefined && isParked(envelope)) waiting.push({ queueMessage, envelope });
    else admitted.push({ queueMessage, envelope });
  }
  // Where the scheme has no secret any more, there may be none to read.
  const needsEvidence = waiting.some(
    ({ envelope }) => judgeParked(envelope, verify, undefined).is === 'undecided',
  );
  const evidence = needsEvidence ? await findEvidence(dependencies) : undefined;

  for (const { queueMessage, envelope } of waiting) {
    const judgement = judgeParked(envelope, verify, evidence);
    if (judgement.is === 'undecided') parked.push(queueMessage);
    else if (judgement.is === 'genuine')
      admitted.push({ queueMessage, envelope: asVerified(envelope, judgement.signedId) });
    else
      refused.push({
        entry: refusal(envelope, dependencies.harmlessHeaders),
        queueMessage: queueMessage.messageId,
      });
  }
  const verified = waiting.length - parked.length - refused.length;
  if (verified > 0) count('parkedVerified', verified);
  return { admitted, parked, refused: [...captured, ...refused] };
}

/** @returns undefined where it cannot be read */
async function findEvidence({ state, secret, log }: AdmitDependencies): Promise<Evidence | undefined> {
  try {
    const [{ confirmed }, stored] = await Promise.all([state.read(), secret.read()]);
    if (stored !== undefined) return { stored, confirmed };
    log('PARKED_UNDECIDED', { error: 'not-registered' });
  } catch (error) {
    log('PARKED_UNDECIDED', { error: error instanceof Error ? error.name : 'unknown' });
  }
  return undefined;
}

function asVerified({ unverified: _, ...envelope }: ParkedEnvelope, signedId: string | undefined): Envelope {
  return { ...envelope, ...(signedId === undefined ? {} : { signedId }) };
}

/** Of what was captured everything is kept: a contract that was not right yet must not cost what shows what is. */
function refusal(envelope: ParkedEnvelope, harmlessHeaders: readonly string[]): QuarantineEntry {
  const { masked, whole, ...unverified } = envelope.unverified;
  if (masked === true) return entryOf(envelope, 'signature-mismatch', unverified);
  // Its credentials are masked, also where the contract takes one for a signature.
  return entryOf(envelope, 'signature-mismatch', whole ?? unverifiedRequest(unverified, harmlessHeaders));
}

function entryOf(
  { requestId, receivedAt, body, contract }: Envelope,
  reason: QuarantineReason,
  request: Pick<QuarantineEntry, 'headers' | 'url' | 'method'>,
): QuarantineEntry {
  const receivedBy = contract === undefined ? {} : { contract };
  return { reason, receivedAt, requestId, raw: body, ...request, ...receivedBy };
}
