import type {
  RejectionReason,
  Verifier,
  WebhookRequest,
} from '../../../contract/signature/webhook-request.ts';
import { type Clock, errorName } from '../../base/basics.ts';
import type { IngestLog } from '../../base/log-catalogue.ts';
import type { Count } from '../../base/metrics.ts';
import type { QueueSender } from '../../base/sqs-queue.ts';
import {
  acceptedSecrets,
  encodeSignal,
  type MismatchSignal,
  type SecretCache,
  type SecretDocument,
} from '../../registration/index.ts';
import type { Capture } from '../captured-requests.ts';
import { type Envelope, unverifiedRequest } from '../envelope.ts';

/** A webhook request with its sender and its time. */
export interface IncomingRequest extends WebhookRequest {
  readonly requestId: string;
  /** The sender's address, as API Gateway sees it. */
  readonly sourceIp: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** The path behind that of the webhook, decoded, if the contract reads it. */
  readonly path?: string;
}

/** `not-registered`: no secret is stored yet. */
type Reason = RejectionReason | 'not-registered';

export type Decision =
  | { readonly kind: 'verified'; readonly signedId: string | undefined }
  /** The request is queued unverified: parked for a later verification, or captured. */
  | {
      readonly kind: 'kept';
      /** The part that is added to the envelope. */
      readonly addition: Pick<Envelope, 'unverified' | 'captured'> & Partial<Pick<Envelope, 'body' | 'path'>>;
      /** Called once the queue has confirmed the request. */
      onQueued(): void;
      readonly reported: Promise<void>;
    }
  | {
      readonly kind: 'rejected';
      readonly reason: Reason;
      /** Whether a capture is on, and has no room for the request. */
      readonly isCaptureFull?: boolean;
      /** Resolves once setup has the report about mismatches; never rejects. Lambda freezes what is not awaited. */
      readonly reported?: Promise<void>;
    };

/** Decides about the requests that the cached secrets do not verify: they are rejected, parked, captured, or verified after all. */
export interface RejectionPolicy {
  /**
   * @param cached the secrets that did not verify the request; undefined if no secret was used
   * @throws what the secret store throws, if the decision depends on its answer
   */
  decide(request: IncomingRequest, reason: Reason, cached?: SecretDocument): Promise<Decision>;
  /** Counts a verified request: a row of mismatches ends with it. */
  noteVerified(): void;
}

export interface PolicyDependencies {
  readonly cache: Pick<SecretCache, 'read' | 'reread'>;
  readonly verify: Verifier;
  /** When a request that matches no stored secret is parked: during a rotation, or always. */
  readonly park: 'rotating' | 'always';
  /** The headers that the scheme reads, in lower case. */
  readonly headersRead: readonly string[];
  readonly capture: Capture;
  /** The queue of setup. */
  readonly signals: QueueSender;
  readonly clock: Clock;
  readonly log: IngestLog;
  readonly count: Count;
}

export function createRejectionPolicy(dependencies: PolicyDependencies): RejectionPolicy {
  const { cache, verify, headersRead, capture, signals, clock, log, count } = dependencies;
  const watch = createMismatchWatch(clock);
  const parks = ({ rotating }: SecretDocument) => dependencies.park === 'always' || rotating !== undefined;

  /** Sends a signal to setup. Never throws: the response does not depend on it. */
  async function report(signal: MismatchSignal | undefined): Promise<void> {
    if (signal === undefined) return;
    try {
      await signals.send(encodeSignal(signal));
    } catch (error) {
      log('SIGNAL_NOT_SENT', { error: errorName(error), mismatches: signal.mismatches });
    }
  }

  async function reread(cached: SecretDocument): Promise<SecretDocument | undefined> {
    try {
      return await cache.reread();
    } catch (error) {
      // Parking needs no answer of the store now: the worker reads the secrets later.
      if (!parks(cached)) throw error;
      return cached;
    }
  }

  function park(request: IncomingRequest, document: SecretDocument): Decision {
    return {
      kind: 'kept',
      addition: { unverified: unverifiedRequest(request, headersRead) },
      onQueued: () => count('parked'),
      reported: report(watch.mismatched(document.rotating !== undefined)),
    };
  }

  async function captureOrReject(request: IncomingRequest, reason: Reason): Promise<Decision> {
    const reported = report(reason === 'signature-mismatch' ? watch.mismatched(false) : undefined);
    if (!capture.isOn(request.receivedAt)) return { kind: 'rejected', reason, reported };
    // A capture masks the stored secrets. If they cannot be read, ingest answers 503, so that the service sends the request again.
    const kept = capture.keep(request, await cache.read());
    if (kept === undefined) return { kind: 'rejected', reason, isCaptureFull: true, reported };
    return {
      kind: 'kept',
      addition: kept,
      onQueued() {
        count('captured');
        log('REQUEST_CAPTURED', { reason });
      },
      reported,
    };
  }

  return {
    noteVerified: watch.verified,

    async decide(request, reason, cached) {
      if (cached === undefined || reason !== 'signature-mismatch') return captureOrReject(request, reason);
      const newest = await reread(cached);
      if (newest === undefined) return captureOrReject(request, 'not-registered');
      if (newest !== cached) {
        const { receivedAt } = request;
        const verdict = verify(request, acceptedSecrets(newest, receivedAt), receivedAt);
        if (verdict.kind === 'verified') {
          watch.verified();
          return verdict;
        }
        if (verdict.reason !== 'signature-mismatch') return captureOrReject(request, verdict.reason);
      }
      return parks(newest) ? park(request, newest) : captureOrReject(request, reason);
    },
  };
}

/** The number of mismatches in a row, without a verified request between them, that is a burst. */
const burstLength = 20;
/** After this time without a verified request a single mismatch is a burst: the next one may come hours later. */
const quietMs = 60_000;
/** The minimum time between two signals of one instance, during a burst and otherwise. */
const burstIntervalMs = 5_000;
const calmIntervalMs = 60_000;
/** The minimum time between the signals of two bursts, which a verified request or a change of the rotation mark separates. */
const newBurstIntervalMs = 1_000;

/** Decides, request by request, when an instance of ingest sends a signal. */
export interface MismatchWatch {
  verified(): void;
  /** @returns the signal that is due now, if one is */
  mismatched(isRotating: boolean): MismatchSignal | undefined;
}

export function createMismatchWatch(clock: Clock): MismatchWatch {
  let inARow = 0;
  let unreported = 0;
  let lastVerifiedAt = clock();
  let lastSignalAt = Number.NEGATIVE_INFINITY;
  let lastBurstSignalAt = Number.NEGATIVE_INFINITY;
  /** The mark in the last signal of the present burst; undefined if there is no burst. */
  let reportedBurst: { readonly isRotating: boolean } | undefined;

  return {
    verified() {
      inARow = 0;
      reportedBurst = undefined;
      lastVerifiedAt = clock();
    },
    mismatched(isRotating) {
      const now = clock();
      inARow += 1;
      unreported += 1;
      const isBurst = inARow >= burstLength || now - lastVerifiedAt >= quietMs;
      const intervalMs = isBurst ? burstIntervalMs : calmIntervalMs;
      // The start of a burst is reported at once, whatever was reported before: the secret may have changed again. So is a burst that
      // goes on when the mark is gone: setup may have attributed it to the rotation that has ended.
      const isNew = isBurst && reportedBurst?.isRotating !== isRotating;
      const isDue = isNew ? now - lastBurstSignalAt >= newBurstIntervalMs : now - lastSignalAt >= intervalMs;
      if (!isDue) return undefined;
      reportedBurst = isBurst ? { isRotating } : undefined;
      if (isBurst) lastBurstSignalAt = now;
      lastSignalAt = now;
      const signal = { mismatches: unreported, isBurst, isRotating };
      unreported = 0;
      return signal;
    },
  };
}
