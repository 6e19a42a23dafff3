import type { Verifier } from '../../contract/signature/webhook-request.ts';
import type { QuarantineEntry, QuarantineReason } from '../quarantine/quarantine.ts';
import type { WebhookStateTable } from '../registration/webhook-state-store.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metrics.ts';
import { type Envelope, unverifiedRequest } from '../webhook/envelope.ts';
import type { WebhookSecretStore } from '../webhook/webhook-secret-store.ts';
import { type Evidence, isParked, judgeParked, type ParkedEnvelope } from './parked.ts';
import type { QueueMessage, Received } from './read-batch.ts';

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
