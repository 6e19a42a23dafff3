import { contractHash } from '../../../../../contract/events/body.ts';
import { postedJson } from '../../../../../contract/schema/request-form.ts';
import { signRequest } from '../../../../../contract/signature/sign.ts';
import { createVerifier, headersRead } from '../../../../../contract/signature/verify.ts';
import type { Clock } from '../../../../../functions/base/basics.ts';
import { type CaptureSettings, createCapture } from '../../../../../functions/receive/captured-requests.ts';
import { decodeEnvelope, type Envelope } from '../../../../../functions/receive/envelope.ts';
import { type ReceiveDependencies, receive } from '../../../../../functions/receive/ingest/receive.ts';
import {
  createRejectionPolicy,
  type PolicyDependencies,
} from '../../../../../functions/receive/ingest/rejection-policy.ts';
import type { SecretDocument } from '../../../../../functions/registration/secret/secret-document.ts';
import type { SecretCache } from '../../../../../functions/registration/secret/webhook-secret-store.ts';
import {
  decodeSignal,
  type MismatchSignal,
} from '../../../../../functions/registration/setup/mismatch-signal.ts';
import { shippedContract } from '../../../../../tools/support/contracts.ts';
import { httpApiEvent, type RequestParts } from '../../../../../tools/support/lambda-events.ts';
import { recorder } from '../../../../support/recorder.ts';

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

type TestCache = Pick<SecretCache, 'read' | 'reread'>;

/** A cache that has a document, and finds another one in the store. */
export function cached(document: SecretDocument | undefined, stored = document): TestCache {
  return { read: async () => document, reread: async () => stored };
}

export const failing: () => Promise<never> = async () => {
  throw Object.assign(new Error('secret detail +12025550143'), { name: 'TimeoutError' });
};

/** The contract's hash, as envelopes have it. */
export const contract = contractHash(shippedContract);

/** What a test may replace of ingest. */
interface Parts extends Partial<Omit<ReceiveDependencies, 'secrets'>> {
  readonly cache?: TestCache;
  readonly park?: PolicyDependencies['park'];
  readonly capture?: Partial<CaptureSettings>;
  readonly sendSignal?: (signal: MismatchSignal) => Promise<void>;
  /** Whether the scheme has no secret. */
  readonly hasNoSecret?: boolean;
}

/** Ingest with queues that keep what was sent. */
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
  const verify = parts.verify ?? createVerifier(scheme, postedJson);
  const read = headersRead(scheme);
  const policy = createRejectionPolicy({
    cache,
    verify,
    park,
    headersRead: read,
    capture: createCapture({
      until: '',
      credentials: [],
      signatures: read,
      ...capture,
    }),
    signals: {
      send: async (text) => {
        const signal = decodeSignal(text);
        if (signal === undefined) throw new Error('ingest sent what is no signal');
        await sendSignal?.(signal);
        signals.push(signal);
      },
    },
    clock,
    log,
    count,
  });
  const dependencies: ReceiveDependencies = {
    verify,
    secrets: hasNoSecret ? undefined : { cache, policy },
    queue: { send: async (text) => void sent.push(...[decodeEnvelope(text) ?? []].flat()) },
    clock,
    log,
    count,
    webhookUrl: url,
    acknowledge: { status: 200 },
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
