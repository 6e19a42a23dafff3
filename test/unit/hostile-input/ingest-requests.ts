import fc from 'fast-check';
import { maxBodyBytes } from '../../../functions/receive/ingest/receive.ts';
import type { RequestParts } from '../../../tools/support/lambda-events.ts';
import { applyChange, type Change, type Changing, changes } from './change-request.ts';
import { bodiesFor } from './events.ts';
import { hostileTexts, magicNames, privateText } from './hostile-values.ts';
import {
  expiredSecret,
  onEveryTarget,
  signByHand,
  startedAt,
  strangersSecret,
  type TargetName,
  targetOf,
} from './targets.ts';

/** One attempt on ingest, as plain data. */
export interface IngestAttempt {
  readonly target: TargetName;
  readonly body: Uint8Array;
  /** The body once more, this often, to come near the limit. */
  readonly bodyTimes: number;
  readonly signer: 'current' | 'expired' | 'stranger' | 'none';
  readonly id: string;
  /** How old the request says it is; seconds. */
  readonly ageSeconds: number;
  readonly mutations: readonly Change[];
  readonly noise: readonly (readonly [string, string])[];
  readonly method: string;
  readonly query: string;
  readonly path: string;
  readonly queueFails: boolean;
  /** How much time passes before it; milliseconds. */
  readonly gapMs: number;
}

/** Seconds at and about both edges of the replay window of 300 s. */
const ages = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  fc.constantFrom(299, 300, 301, -299, -300, -301, 1e9, -1e12),
  fc.integer({ min: -400, max: 400 }),
);

const attemptOn = (target: TargetName): fc.Arbitrary<IngestAttempt> =>
  fc.record({
    target: fc.constant(target),
    body: bodiesFor(target),
    bodyTimes: fc.oneof(
      { weight: 400, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.constantFrom(4096, 4097, 100_000) },
    ),
    signer: fc.constantFrom('current', 'current', 'expired', 'stranger', 'none'),
    id: fc.oneof({ weight: 4, arbitrary: fc.stringMatching(/^[\w-]{1,20}$/) }, hostileTexts),
    ageSeconds: ages,
    mutations: fc.array(changes, { maxLength: 3 }),
    noise: fc.array(
      fc.tuple(
        fc.oneof(
          hostileTexts,
          fc.constantFrom('content-type', 'content-encoding', 'x-forwarded-for', 'cookie', ...magicNames),
        ),
        hostileTexts,
      ),
      { maxLength: 3 },
    ),
    method: fc.oneof(
      { weight: 20, arbitrary: fc.constant('POST') },
      fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'post', 'POST ', 'TRACE', privateText),
    ),
    query: fc.oneof({ weight: 5, arbitrary: fc.constant('') }, hostileTexts),
    path: fc.oneof({ weight: 5, arbitrary: fc.constant('/webhooks/sms') }, hostileTexts),
    queueFails: fc.oneof({ weight: 15, arbitrary: fc.constant(false) }, fc.constant(true)),
    gapMs: fc.oneof({ weight: 3, arbitrary: fc.nat(100) }, fc.constantFrom(499, 500, 60_000)),
  });

export const ingestAttempts = onEveryTarget(attemptOn);

/** Returns the parts of a request that the service signed; undefined if there are none. */
interface Signed {
  readonly body: Buffer;
  readonly id: string;
  readonly timestamp: string;
}

/** The request of an attempt. */
export interface ForgedRequest {
  readonly parts: RequestParts;
  readonly path: string;
  /** The bytes that arrive. */
  readonly arrives: Buffer;
  readonly signed: Signed | undefined;
}

/** @param now milliseconds since the epoch */
export function requestOf(attempt: IngestAttempt, now = startedAt): ForgedRequest {
  const timestamp = String(Math.max(0, Math.floor(now / 1000) - attempt.ageSeconds));
  // A body that begins as the signed content goes on behind a time: what is moved into the id leaves one that fits.
  const isMoved = attempt.mutations.some((change) => change.do === 'move-body-into-id');
  const pieces = Array.from({ length: attempt.bodyTimes }, () => attempt.body);
  const body = Buffer.concat([Buffer.from(isMoved ? `${timestamp}.` : ''), ...pieces]).subarray(
    0,
    maxBodyBytes + 1,
  );
  const { id } = attempt;
  const secrets = {
    current: targetOf(attempt.target).secret,
    expired: expiredSecret,
    stranger: strangersSecret,
    none: undefined,
  };
  const secret = secrets[attempt.signer];
  const request: Changing = {
    headers: secret === undefined ? {} : signByHand(attempt.target, secret, { id, timestamp, body }),
    body,
    flipsFlag: false,
  };
  for (const change of attempt.mutations) applyChange(request, change);

  const arrives = request.body ?? Buffer.alloc(0);
  const isText = Buffer.from(arrives.toString('utf8')).equals(arrives);
  return {
    path: attempt.path,
    arrives,
    signed: attempt.signer === 'current' ? { body, id, timestamp } : undefined,
    parts: {
      method: attempt.method,
      rawQueryString: attempt.query,
      isBase64Encoded: isText === request.flipsFlag,
      ...(request.headers && {
        headers: Object.fromEntries([...attempt.noise, ...Object.entries(request.headers)]),
      }),
      ...(request.body && { body: arrives.toString(isText ? 'utf8' : 'base64') }),
    },
  };
}
