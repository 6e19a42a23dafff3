import fc from 'fast-check';
import { maxBodyBytes } from '../../functions/ingest/receive.ts';
import type { RequestParts } from '../support/lambda-events.ts';
import { bodiesFor } from './events.ts';
import { hostileTexts, magicNames, privateText } from './hostile-values.ts';
import {
  expiredSecret,
  signByHand,
  startedAt,
  strangersSecret,
  type TargetName,
  targetOf,
} from './targets.ts';

/** Something done to a request after it was signed. */
type Mutation =
  | { readonly do: 'drop' | 'upper-case' | 'double' | 'truncate' | 'empty'; readonly header: number }
  | { readonly do: 'replace' | 'append' | 'prepend' | 'join' | 'list'; readonly header: number; text: string }
  | { readonly do: 'flip'; readonly header: number; readonly at: number; readonly by: number }
  | {
      readonly do: 'respell';
      readonly encoding: 'hex' | 'base64' | 'base64url' | 'unpadded' | 'padded' | 'upper-case';
    }
  | { readonly do: 'body'; readonly body: Uint8Array }
  | { readonly do: 'move-body-into-id' | 'flip-flag' | 'no-headers' | 'no-body' };

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
  readonly mutations: readonly Mutation[];
  readonly noise: readonly (readonly [string, string])[];
  readonly method: string;
  readonly query: string;
  readonly path: string;
  readonly queueFails: boolean;
  /** How much time passes before it; milliseconds. */
  readonly gapMs: number;
}

const header = fc.nat(3);
const foreignSignatures = fc.constantFrom(
  'v1,',
  'v1',
  'v1a,AAAA',
  'v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  'sha1=',
  'sha256=',
  'SHA256=',
  'Token ',
  'Bearer ',
  `${'v1,x '.repeat(500)}`,
  ' ',
  ',',
  ', ',
);

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ do: fc.constantFrom('drop', 'upper-case', 'double', 'truncate', 'empty'), header }),
  fc.record({
    do: fc.constantFrom('replace', 'append', 'prepend', 'join', 'list'),
    header,
    text: fc.oneof(hostileTexts, foreignSignatures),
  }),
  fc.record({ do: fc.constant('flip'), header, at: fc.nat(80), by: fc.integer({ min: 1, max: 127 }) }),
  fc.record({
    do: fc.constant('respell'),
    encoding: fc.constantFrom('hex', 'base64', 'base64url', 'unpadded', 'padded', 'upper-case'),
  }),
  fc.record({ do: fc.constant('body'), body: fc.uint8Array({ maxLength: 32 }) }),
  fc.record({ do: fc.constantFrom('move-body-into-id', 'flip-flag', 'no-headers', 'no-body') }),
);

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
    mutations: fc.array(mutation, { maxLength: 3 }),
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

export const ingestAttempts: fc.Arbitrary<IngestAttempt> = fc.oneof(
  { weight: 3, arbitrary: attemptOn('shipped') },
  { weight: 1, arbitrary: attemptOn('form') },
  { weight: 1, arbitrary: attemptOn('nested') },
);

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
  const state = {
    headers: secret === undefined ? {} : signByHand(attempt.target, secret, { id, timestamp, body }),
    body,
    hasBody: true,
    hasHeaders: true,
    flipsFlag: false,
  };
  for (const change of attempt.mutations) mutate(state, change);

  const isText = Buffer.from(state.body.toString('utf8')).equals(state.body);
  const text = isText ? state.body.toString('utf8') : state.body.toString('base64');
  return {
    path: attempt.path,
    arrives: state.hasBody ? state.body : Buffer.alloc(0),
    signed: attempt.signer === 'current' ? { body, id, timestamp } : undefined,
    parts: {
      method: attempt.method,
      rawQueryString: attempt.query,
      isBase64Encoded: isText === state.flipsFlag,
      ...(state.hasHeaders && {
        headers: Object.fromEntries([...attempt.noise, ...Object.entries(state.headers)]),
      }),
      ...(state.hasBody ? { body: text } : {}),
    },
  };
}

interface State {
  headers: Record<string, string>;
  body: Buffer;
  hasBody: boolean;
  hasHeaders: boolean;
  flipsFlag: boolean;
}

function mutate(state: State, change: Mutation): void {
  switch (change.do) {
    case 'body':
      state.body = Buffer.from(change.body);
      return;
    case 'no-body':
      state.hasBody = false;
      return;
    case 'no-headers':
      state.hasHeaders = false;
      return;
    case 'flip-flag':
      state.flipsFlag = true;
      return;
    case 'move-body-into-id': {
      const id = state.headers['webhook-id'];
      if (id === undefined) return;
      state.headers['webhook-id'] = `${id}.${state.headers['webhook-timestamp']}`;
      const end = state.body.indexOf('.');
      if (end >= 0) state.body = state.body.subarray(end + 1);
      return;
    }
    case 'respell': {
      const name = 'webhook-signature';
      const [, signature] = state.headers[name]?.split(',') ?? [];
      if (signature !== undefined) state.headers[name] = `v1,${respelled(signature, change.encoding)}`;
      return;
    }
    default:
      mutateHeader(state.headers, change);
  }
}

function respelled(signature: string, encoding: Extract<Mutation, { do: 'respell' }>['encoding']): string {
  if (encoding === 'unpadded') return signature.replaceAll('=', '');
  if (encoding === 'padded') return `${signature}=`;
  if (encoding === 'upper-case') return signature.toUpperCase();
  return Buffer.from(signature, 'base64').toString(encoding);
}

function mutateHeader(
  headers: Record<string, string>,
  change: Extract<Mutation, { readonly header: number }>,
): void {
  const names = Object.keys(headers);
  const name = names[change.header % Math.max(1, names.length)];
  if (name === undefined) return;
  const value = headers[name] ?? '';
  switch (change.do) {
    case 'drop':
      delete headers[name];
      return;
    case 'upper-case':
      delete headers[name];
      headers[name.toUpperCase()] = value;
      return;
    case 'double':
      // API Gateway joins a header that came twice.
      headers[name] = `${value},${value}`;
      return;
    case 'truncate':
      headers[name] = value.slice(0, -1);
      return;
    case 'empty':
      headers[name] = '';
      return;
    case 'replace':
      headers[name] = change.text;
      return;
    case 'append':
      headers[name] = value + change.text;
      return;
    case 'prepend':
      headers[name] = change.text + value;
      return;
    case 'join':
      headers[name] = `${change.text},${value}`;
      return;
    case 'list':
      headers[name] = `${change.text} ${value}`;
      return;
    case 'flip': {
      const bytes = Buffer.from(value, 'latin1');
      const at = change.at % Math.max(1, bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ change.by;
      headers[name] = bytes.toString('latin1');
    }
  }
}
