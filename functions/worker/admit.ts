import { hideToken, type TokenReader } from '../../contract/signature/hidden-values.ts';
import { type Verifier, verifyKept } from '../../contract/signature/webhook-request.ts';
import type { MessageVisibility } from '../aws/sqs-queue.ts';
import { probeMessagePrefix } from '../history/message.ts';
import type { QuarantineEntry, QuarantineReason } from '../quarantine/quarantine.ts';
import type { Confirmed, WebhookStateTable } from '../registration/webhook-state-store.ts';
import { type Clock, type Deadline, errorName } from '../runtime/basics.ts';
import type { Log } from '../runtime/log-catalogue.ts';
import type { Count } from '../runtime/metrics.ts';
import { type Envelope, type UnverifiedRequest, unverifiedRequest } from '../webhook/envelope.ts';
import { confirmationMarginMs, secretsAcceptedAt } from '../webhook/secret-document.ts';
import type { StoredSecret, WebhookSecretStore } from '../webhook/webhook-secret-store.ts';
import type { QuarantinedMessage, QueueMessage, Received } from './read-batch.ts';

/** Decides which requests of a batch are stored. Parked and captured requests are handled here alone. Never throws. */
export type Admit = (received: readonly Received[]) => Promise<Admission>;

/** A batch, sorted. */
interface Admission {
  /** Requests that ingest or the worker verified, and queue messages that are no envelope. */
  readonly admitted: readonly Received[];
  /** Queue messages of requests whose signature cannot be decided yet. They must be reported as failed, or Lambda deletes them. */
  readonly parked: readonly QueueMessage[];
  /** Captured requests, and parked ones whose signature matches no secret of the service. */
  readonly quarantined: readonly QuarantinedMessage[];
  /** Schedules the next receive of parked requests, and records the time of the last verified one. Never throws. */
  finish(deadline: Deadline): Promise<void>;
}

export interface AdmitDependencies {
  readonly verify: Verifier;
  /** Undefined where no token is in the URL or the body. */
  readonly tokenIn?: TokenReader | undefined;
  readonly state: Pick<WebhookStateTable, 'read'>;
  readonly secret: Pick<WebhookSecretStore, 'read'>;
  /** The headers that are kept of a rejected parked request, in lower case; never one that carries the secret itself. */
  readonly harmlessHeaders: readonly string[];
  readonly visibility: MessageVisibility;
  /** Undefined where the contract's scheme verifies nothing. */
  readonly recordVerified: RecordVerified | undefined;
  readonly log: Log;
  readonly count: Count;
}

export function createAdmit(dependencies: AdmitDependencies): Admit {
  const { verify, tokenIn, recordVerified, count } = dependencies;
  return async (received) => {
    const admitted: Received[] = [];
    const parked: QueueMessage[] = [];
    const captured: QuarantinedMessage[] = [];
    const rejected: QuarantinedMessage[] = [];
    const unverified: { queueMessage: QueueMessage; envelope: ParkedEnvelope }[] = [];

    for (const { queueMessage, envelope } of received) {
      if (envelope?.captured !== undefined)
        captured.push({
          entry: entryOf(envelope, 'captured', envelope.captured),
          queueMessage: queueMessage.messageId,
        });
      else if (envelope !== undefined && isParked(envelope)) unverified.push({ queueMessage, envelope });
      else admitted.push({ queueMessage, envelope });
    }
    // A contract whose scheme has no secret needs no evidence, and there may be none to read.
    const needsEvidence = unverified.some(
      ({ envelope }) => judgeParked(envelope, verify, undefined).kind === 'undecided',
    );
    const evidence = needsEvidence ? await readEvidence(dependencies) : undefined;

    for (const { queueMessage, envelope } of unverified) {
      const judgement = judgeParked(envelope, verify, evidence);
      if (judgement.kind === 'undecided') parked.push(queueMessage);
      else if (judgement.kind === 'verified')
        admitted.push({
          queueMessage,
          envelope: {
            ...envelope,
            ...{ body: hideToken(requestOf(envelope), tokenIn).body, unverified: undefined },
            signedId: judgement.signedId,
          },
        });
      else
        rejected.push({
          entry: rejectedEntry(envelope, dependencies),
          queueMessage: queueMessage.messageId,
        });
    }
    const verified = unverified.length - parked.length - rejected.length;
    if (verified > 0) count('parkedVerified', verified);
    return {
      admitted,
      parked,
      quarantined: [...captured, ...rejected],
      finish: async (deadline) => {
        await Promise.all([retryParked(parked, dependencies, deadline), recordVerified?.(admitted)]);
      },
    };
  };
}

interface ParkedEnvelope extends Envelope {
  readonly unverified: UnverifiedRequest;
}

function isParked(envelope: Envelope): envelope is ParkedEnvelope {
  return envelope.unverified !== undefined;
}

/** The facts that decide about parked requests. */
interface Evidence {
  readonly stored: StoredSecret;
  /** When the service was last asked for its secret, and which version of the document holds it. */
  readonly confirmed: Confirmed | undefined;
}

/** @returns undefined where the evidence cannot be read: parked requests stay parked then */
async function readEvidence({ state, secret, log }: AdmitDependencies): Promise<Evidence | undefined> {
  try {
    const [{ confirmed }, stored] = await Promise.all([state.read(), secret.read()]);
    if (stored !== undefined) return { stored, confirmed };
    log('PARKED_UNDECIDED', { error: 'not-registered' });
  } catch (error) {
    log('PARKED_UNDECIDED', { error: errorName(error) });
  }
  return undefined;
}

type Judgement =
  | { readonly kind: 'verified'; readonly signedId: string | undefined }
  /** The service may have signed the request with a secret that is not in the document yet. */
  | { readonly kind: 'undecided' }
  | { readonly kind: 'rejected' };

/**
 * Verifies a parked request as of the time it was received, with the replay window and the secrets that were accepted then.
 *
 * @param evidence undefined where there is none: a request that it could verify stays undecided
 */
function judgeParked(envelope: ParkedEnvelope, verify: Verifier, evidence: Evidence | undefined): Judgement {
  const receivedAt = Date.parse(envelope.receivedAt);
  const secrets = evidence === undefined ? [] : secretsAcceptedAt(evidence.stored.document, receivedAt);
  const request = { ...envelope.unverified, body: envelope.body };
  const verdict = verifyKept(verify, request, secrets, receivedAt);
  if (verdict.kind === 'verified') return verdict;
  if (verdict.reason !== 'signature-mismatch') return { kind: 'rejected' };
  if (evidence === undefined) return { kind: 'undecided' };
  // A captured request needs no certainty: it goes back to quarantine whole, and can be replayed again.
  const isSettled =
    request.masked === true
      ? evidence.stored.document.rotating === undefined
      : hasEverySecret(evidence, receivedAt);
  return isSettled ? { kind: 'rejected' } : { kind: 'undecided' };
}

/**
 * Returns whether the document has, or had, every secret that the service used up to a time. A document whose version is not the
 * confirmed one proves nothing: the store may still return an older version.
 */
function hasEverySecret({ stored, confirmed }: Evidence, time: number): boolean {
  if (stored.document.rotating !== undefined || stored.versionId !== confirmed?.versionId) return false;
  return Date.parse(confirmed.at) > time + confirmationMarginMs;
}

/** A request that was captured keeps all of its headers: it is the evidence for fixing the contract. */
function rejectedEntry(
  envelope: ParkedEnvelope,
  { tokenIn, harmlessHeaders }: Pick<AdmitDependencies, 'tokenIn' | 'harmlessHeaders'>,
): QuarantineEntry {
  const { masked, headers, url, method } = envelope.unverified;
  if (masked === true) return entryOf(envelope, 'signature-mismatch', { headers, url, method });
  const { body, ...request } = hideToken(requestOf(envelope), tokenIn);
  return entryOf(
    { ...envelope, body },
    'signature-mismatch',
    unverifiedRequest({ ...request, headers }, harmlessHeaders),
  );
}

function requestOf({ unverified: { url }, body }: ParkedEnvelope) {
  return { url, body };
}

function entryOf(
  { requestId, receivedAt, body, contract }: Envelope,
  reason: QuarantineReason,
  request: Pick<QuarantineEntry, 'headers' | 'url' | 'method'>,
): QuarantineEntry {
  return { reason, receivedAt, requestId, raw: body, ...request, contract };
}

/** The limit of the wait for the next receive of a parked request, in seconds. */
const maxWaitSeconds = 60;

/** Lets the queue redeliver parked requests sooner than failed messages: after 2 s, then 4 s, and so on. Never throws. */
async function retryParked(
  parked: readonly QueueMessage[],
  { visibility, log }: AdmitDependencies,
  deadline: Deadline,
): Promise<void> {
  if (parked.length === 0) return;
  const failures = await visibility.change(
    parked.map(({ receiptHandle, receiveCount }) => ({
      receiptHandle,
      seconds: Math.min(maxWaitSeconds, 2 ** receiveCount),
    })),
    deadline,
  );
  const visibilityErrors = failures.length === 0 ? {} : { visibilityErrors: failures.join(', ') };
  log('PARKED_WAITING', { requests: parked.length, ...visibilityErrors });
}

/**
 * Makes the state of a pipeline without registration, where an operator stores the secret. There is no other secret to wait for, so
 * each read confirms the stored one, and a request that matches none of the stored secrets is rejected.
 */
export function createConfirmedByHand(
  secret: Pick<WebhookSecretStore, 'read'>,
  clock: Clock,
): Pick<WebhookStateTable, 'read'> {
  return {
    async read() {
      // The time is taken before the read: its answer may be as old as that.
      const at = new Date(clock()).toISOString();
      const stored = await secret.read();
      return stored === undefined ? {} : { confirmed: { at, versionId: stored.versionId } };
    },
  };
}

/** Records when the last verified request of the service was received, for the webhook's status. Never throws. */
export type RecordVerified = (verified: readonly Received[]) => Promise<void>;

/** The minimum time between two writes of one instance, failed ones included. */
const minIntervalMs = 60_000;

export function createRecordVerified(
  state: Pick<WebhookStateTable, 'recordVerified'>,
  clock: Clock,
  log: Log,
): RecordVerified {
  let lastWriteAt = Number.NEGATIVE_INFINITY;
  return async (verified) => {
    const now = clock();
    if (now - lastWriteAt < minIntervalMs) return;
    const newest = verified
      .flatMap(({ envelope }) => (envelope === undefined || isProbe(envelope) ? [] : envelope.receivedAt))
      .sort()
      .at(-1);
    if (newest === undefined) return;
    lastWriteAt = now;
    try {
      await state.recordVerified(newest);
    } catch (error) {
      log('VERIFIED_NOT_RECORDED', { error: errorName(error) });
    }
  };
}

/** Returns whether a request is the test event of `sms doctor`, which does not prove that the service sends. */
function isProbe({ body }: Envelope): boolean {
  return Buffer.from(body).includes(probeMessagePrefix);
}
