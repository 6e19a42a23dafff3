import { contractHash } from '../../../../contract/events/identity.ts';
import { signRequest } from '../../../../contract/signature/sign.ts';
import { createVerifier, headersRead } from '../../../../contract/signature/verify.ts';
import { type CaptureSettings, createCapture } from '../../../../functions/capture/captured-requests.ts';
import { createMismatchReporter } from '../../../../functions/ingest/ingest-queue.ts';
import {
  type ReceiveDependencies,
  receive,
  type SecretChecks,
} from '../../../../functions/ingest/receive.ts';
import type { Clock } from '../../../../functions/runtime/clock.ts';
import type { Envelope } from '../../../../functions/webhook/envelope.ts';
import { createMismatchWatch, type MismatchSignal } from '../../../../functions/webhook/mismatch-signal.ts';
import type { SecretDocument } from '../../../../functions/webhook/secret-document.ts';
import { shippedContract } from '../../../../tools/support/contracts.ts';
import { httpApiEvent, type RequestParts } from '../../../../tools/support/lambda-events.ts';
import { recorder } from '../../../../tools/support/recorder.ts';

export const now = Date.UTC(2026, 0, 15, 12, 0, 5);
export const url = 'https://example.test/webhooks/sms';
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
export const oldSecret = 'whsec_b2xk';
export const scheme = shippedContract.webhook.signature;

export function documentWith(current: string, rest: Partial<SecretDocument> = {}): SecretDocument {
  return { version: 1, current: { secret: current, since: '2026-01-15T11:00:00.000Z' }, ...rest };
}

/** A rotation's mark. */
export const rotating = { since: '2026-01-15T12:00:00.000Z', by: 'a test', overlapMs: 60_000 };

/** A cache that knows a document, and finds another one in the store. */
export function cached(known: SecretDocument | undefined, stored = known): SecretChecks['cache'] {
  return { known: async () => known, reread: async () => stored };
}

export const failing: () => Promise<never> = async () => {
  throw Object.assign(new Error('secret detail +12025550143'), { name: 'TimeoutError' });
};

/** As envelopes name it. */
export const contract = contractHash(shippedContract);

/** What a test may replace of ingest. */
interface Parts extends Partial<Omit<ReceiveDependencies, 'secrets'>> {
  readonly cache?: SecretChecks['cache'];
  readonly park?: SecretChecks['park'];
  readonly capture?: Partial<CaptureSettings>;
  readonly sendSignal?: (signal: MismatchSignal) => Promise<void>;
  /** Leaves out what a scheme without a secret does not have. */
  readonly hasNoSecret?: boolean;
}

/** Ingest with queues that remember what they were given. */
export function ingest(parts: Parts = {}) {
  const {
    cache = cached(documentWith(secret)),
    park = 'rotating',
    capture,
    sendSignal,
    hasNoSecret,
    ...rest
  } = parts;
  const sent: Envelope[] = [];
  const signals: MismatchSignal[] = [];
  const { log, count, ...recorded } = recorder();
  const clock: Clock = parts.clock ?? (() => now);
  const signalQueue = { send: sendSignal ?? (async (signal) => void signals.push(signal)) };
  const captures = createCapture({
    ...{ cache, until: '', credentials: [], signatures: headersRead(scheme), newSalt: () => 'salt' },
    ...capture,
  });
  const watch = createMismatchWatch(clock, captures.takeLeftOut);
  const reporter = createMismatchReporter(watch, signalQueue, log);
  const dependencies: ReceiveDependencies = {
    verify: createVerifier(scheme),
    secrets: hasNoSecret
      ? undefined
      : {
          ...{ cache, park, headersRead: headersRead(scheme), reporter },
          capture: captures,
        },
    queue: { send: async (envelope) => void sent.push(envelope) },
    clock,
    log,
    count,
    webhookUrl: url,
    acknowledgeStatus: 200,
    contract,
    ...rest,
  };
  const post = (request: RequestParts) => receive(httpApiEvent(request), dependencies);
  return { sent, signals, ...recorded, post };
}

export function signed(
  body: string | Buffer,
  key = secret,
  at = now,
): RequestParts & { headers: Record<string, string> } {
  const bytes = Buffer.from(body);
  const text = typeof body === 'string' ? { body } : { body: body.toString('base64'), isBase64Encoded: true };
  return { ...text, headers: signRequest(scheme, { body: bytes, id: 'evt_1', now: at, url }, key) };
}
