import { hideToken, type TokenReader } from '../../../contract/signature/hidden-values.ts';
import { queryOf } from '../../../contract/signature/request-reader.ts';
import { type Verifier, verifyKept } from '../../../contract/signature/webhook-request.ts';
import { type Deadline, errorName, omitUndefined } from '../../base/basics.ts';
import type { Log } from '../../base/log-catalogue.ts';
import type { Count } from '../../base/metrics.ts';
import type { MessageVisibility } from '../../base/sqs-queue.ts';
import {
  type Confirmed,
  confirmationMarginMs,
  type StoredSecret,
  secretsAcceptedAt,
  type WebhookSecretStore,
  type WebhookStateTable,
} from '../../registration/index.ts';
import { type Envelope, type UnverifiedRequest, unverifiedRequest } from '../envelope.ts';
import type { QuarantineEntry, QuarantineReason } from '../quarantine/quarantine.ts';
import type { PendingEntry, QueueMessage, Received } from './read-batch.ts';

export interface ParkedDependencies {
  readonly verify: Verifier;
  /** Undefined if no token is in the URL or the body. */
  readonly tokenIn?: TokenReader | undefined;
  /** Whether the contract reads the query beside the body. */
  readonly readsQuery?: boolean;
  readonly state: Pick<WebhookStateTable, 'read'>;
  readonly secret: Pick<WebhookSecretStore, 'read'>;
  /** The headers that are kept of a rejected parked request, in lower case; never one that carries the secret itself. */
  readonly harmlessHeaders: readonly string[];
  readonly visibility: MessageVisibility;
  readonly log: Log;
  readonly count: Count;
}

export interface ParkedRequest {
  readonly queueMessage: QueueMessage;
  readonly envelope: ParkedEnvelope;
}

/** Requests of a batch, sorted by what happens to them. */
export interface SortedRequests {
  /** Requests that ingest or the worker verified, and queue messages that are not an envelope. */
  readonly verified: readonly Received[];
  /** Queue messages of parked requests whose signature cannot be decided yet. They must be reported as failed, or Lambda deletes them. */
  readonly waiting: readonly QueueMessage[];
  /** Captured requests, and parked ones whose signature matches no secret of the service. */
  readonly quarantined: readonly PendingEntry[];
}

/** Verifies parked requests by the secrets that are known now. Those that are verified get an envelope as if ingest had done it. Never throws. */
export async function judgeParkedRequests(
  requests: readonly ParkedRequest[],
  dependencies: ParkedDependencies,
): Promise<SortedRequests> {
  const { verify, tokenIn, readsQuery = false, count } = dependencies;
  const verified: Received[] = [];
  const quarantined: PendingEntry[] = [];
  const waiting: QueueMessage[] = [];
  // A contract whose scheme has no secret needs no evidence, and no secret may be stored.
  const needsEvidence = requests.some(
    ({ envelope }) => judge(envelope, verify, undefined).kind === 'undecided',
  );
  const evidence = needsEvidence ? await readEvidence(dependencies) : undefined;
  for (const { queueMessage, envelope } of requests) {
    const judgement = judge(envelope, verify, evidence);
    if (judgement.kind === 'undecided') waiting.push(queueMessage);
    else if (judgement.kind === 'verified') {
      const request = requestOf(envelope);
      const { body, url } = hideToken(request, tokenIn);
      const { signedId } = judgement;
      const beside = omitUndefined({
        method: request.method,
        query: readsQuery && request.method !== 'GET' ? queryOf(url) : undefined,
      });
      verified.push({
        queueMessage,
        envelope: { ...envelope, body, unverified: undefined, signedId, ...beside },
      });
    } else
      quarantined.push({
        makeEntry: () => rejectedEntry(envelope, dependencies),
        queueMessages: [queueMessage.messageId],
      });
  }
  if (verified.length > 0) {
    count('parkedVerified', verified.length);
    count('accepted', verified.length);
  }
  return { verified, quarantined, waiting };
}

/** A request that ingest queued without verifying it. */
interface ParkedEnvelope extends Envelope {
  readonly unverified: UnverifiedRequest;
}

export function isParked(envelope: Envelope): envelope is ParkedEnvelope {
  return envelope.unverified !== undefined;
}

/** The facts that decide about parked requests. */
interface Evidence {
  readonly stored: StoredSecret;
  /** When the service was last asked for its secret, and which version of the document holds it. */
  readonly confirmed: Confirmed | undefined;
}

/** @returns undefined if the evidence cannot be read: parked requests stay parked then */
async function readEvidence({ state, secret, log }: ParkedDependencies): Promise<Evidence | undefined> {
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
 * @param evidence undefined if there is none: a request that it could verify stays undecided
 */
function judge(envelope: ParkedEnvelope, verify: Verifier, evidence: Evidence | undefined): Judgement {
  const receivedAt = Date.parse(envelope.receivedAt);
  const secrets = evidence === undefined ? [] : secretsAcceptedAt(evidence.stored.document, receivedAt);
  const request = { ...envelope.unverified, ...requestOf(envelope) };
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
  { tokenIn, harmlessHeaders }: Pick<ParkedDependencies, 'tokenIn' | 'harmlessHeaders'>,
): QuarantineEntry {
  const { masked, headers, url } = envelope.unverified;
  const { method } = requestOf(envelope);
  if (masked === true)
    return quarantineEntryOf(envelope, 'signature-mismatch', { headers, url, method, masked });
  const { body, ...request } = hideToken(requestOf(envelope), tokenIn);
  return quarantineEntryOf({ ...envelope, body }, 'signature-mismatch', {
    ...unverifiedRequest({ ...request, headers }, harmlessHeaders),
    method,
  });
}

function requestOf({ unverified, method, body }: ParkedEnvelope) {
  return { url: unverified.url, body, method: unverified.method ?? method };
}

/** Returns the quarantine entry of a request as a whole. */
export function quarantineEntryOf(
  { requestId, receivedAt, body, contract, path }: Envelope,
  reason: QuarantineReason,
  request: Pick<QuarantineEntry, 'headers' | 'url' | 'method' | 'masked'>,
): QuarantineEntry {
  const ofRequest = omitUndefined({ ...request, path });
  return { reason, receivedAt, requestId, raw: body, ...ofRequest, contract };
}

/** The limit of the wait for the next receive of a parked request, in seconds. */
const maxWaitSeconds = 60;

/** Lets the queue redeliver parked requests sooner than failed messages: after 2 s, then 4 s, and so on. Never throws. */
export async function retryParked(
  parked: readonly QueueMessage[],
  { visibility, log }: ParkedDependencies,
  deadline: Deadline,
): Promise<void> {
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
