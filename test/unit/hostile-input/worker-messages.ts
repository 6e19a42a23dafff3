import fc from 'fast-check';
import { headersRead } from '../../../contract/signature/verify.ts';
import { maskCredentials } from '../../../functions/receive/captured-requests.ts';
import { encodeEnvelope, unverifiedRequest } from '../../../functions/receive/envelope.ts';
import { bodiesFor } from './events.ts';
import { hostileJson, hostileTexts } from './hostile-values.ts';
import {
  expiredSecret,
  onEveryTarget,
  signByHand,
  startedAt,
  strangersSecret,
  type TargetName,
  targetOf,
  webhookUrl,
} from './targets.ts';

/** One queue message, as plain data, and how the world around it is. */
export interface WorkerAttempt {
  readonly target: TargetName;
  readonly body: Uint8Array;
  /** Verified by ingest, or signed by one of these and parked, captured, or captured and replayed, or a text of any kind. */
  readonly as: 'verified' | 'parked' | 'captured' | 'replayed' | 'text';
  readonly signer: 'current' | 'retired' | 'stranger' | 'none';
  readonly id: string;
  readonly ageSeconds: number;
  readonly query: string;
  readonly text: string;
  /** Whether the service was asked for its secret since. */
  readonly isConfirmed: boolean;
  /** Whether the database refuses the item for good, as it does one that is too large. */
  readonly isUnstorable: boolean;
  readonly receiveCount: number;
}

const attemptOn = (target: TargetName): fc.Arbitrary<WorkerAttempt> =>
  fc.record({
    target: fc.constant(target),
    body: bodiesFor(target),
    as: fc.constantFrom('verified', 'verified', 'verified', 'parked', 'captured', 'replayed', 'text'),
    signer: fc.constantFrom('current', 'retired', 'stranger', 'none'),
    id: fc.oneof(fc.stringMatching(/^[\w-]{1,20}$/), fc.constantFrom('witness', '__proto__'), hostileTexts),
    ageSeconds: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constantFrom(300, 301, -300, -301)),
    query: hostileTexts,
    text: fc.oneof(
      hostileTexts,
      hostileJson,
      fc
        .tuple(hostileJson, hostileJson, hostileJson)
        .map(
          ([version, receivedAt, unverified]) =>
            `{"version":${version},"requestId":"r","receivedAt":${receivedAt},"bodyBase64":"","unverified":${unverified}}`,
        ),
      fc.constantFrom(
        '{"version":1,"requestId":"r","receivedAt":"2026-01-15T12:00:05.000Z","bodyBase64":"e30=","unverified":null}',
        '{"version":2,"requestId":"r","receivedAt":"2026-01-15T12:00:05.000Z","bodyBase64":"e30="}',
        '{"version":1,"requestId":"r","receivedAt":"2026-01-15","bodyBase64":"e30="}',
        '{"version":1,"requestId":"r","receivedAt":"+275760-09-13T00:00:00.000Z","bodyBase64":"e30="}',
        '{"__proto__":{"version":1,"requestId":"r","receivedAt":"2026-01-15T12:00:05.000Z","bodyBase64":"e30="}}',
      ),
    ),
    isConfirmed: fc.boolean(),
    isUnstorable: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
    receiveCount: fc.constantFrom(1, 2, 1000),
  });

export const workerAttempts = onEveryTarget(attemptOn);

export const requestId = 'req-attack';
export const receivedAt = new Date(startedAt).toISOString();

/** The text of the queue message, and whether anything of it may become history. */
export function messageOf(attempt: WorkerAttempt): { readonly text: string; readonly mayCount: boolean } {
  const { target, body, id } = attempt;
  if (attempt.as === 'text') return { text: attempt.text, mayCount: false };
  if (attempt.as === 'verified')
    return { text: encodeEnvelope({ requestId, receivedAt, signedId: id, body }), mayCount: true };
  const { contract, secret } = targetOf(target);
  const isInTime = target !== 'shipped' || Math.abs(attempt.ageSeconds) <= 300;
  const secrets = { current: secret, retired: expiredSecret, stranger: strangersSecret, none: undefined };
  const key = secrets[attempt.signer];
  const timestamp = String(Math.floor(startedAt / 1000) - attempt.ageSeconds);
  const request = {
    headers: key === undefined ? {} : signByHand(target, key, { id, timestamp, body }),
    url: `${webhookUrl}?${attempt.query}`,
  };
  if (attempt.as === 'captured' || attempt.as === 'replayed') {
    const headers = maskCredentials(
      { ...request, body, requestId, receivedAt: startedAt },
      { credentials: [], signatures: [], secrets: [secret] },
    );
    const captured = { method: 'POST', ...request, headers };
    const kept =
      attempt.as === 'captured' ? { captured } : { unverified: { ...captured, masked: true as const } };
    const text = encodeEnvelope({ requestId, receivedAt, body, ...kept });
    return { text, mayCount: attempt.as === 'replayed' && attempt.signer === 'current' && isInTime };
  }
  const unverified = unverifiedRequest(request, headersRead(contract.webhook.signature));
  return {
    text: encodeEnvelope({ requestId, receivedAt, body, unverified }),
    mayCount: attempt.signer === 'current' && isInTime,
  };
}
