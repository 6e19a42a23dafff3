import { generateKeyPairSync, type KeyObject } from 'node:crypto';

/** Chooses one of several, by a random number. */
export type Draw = <T>(choices: readonly [T, ...T[]]) => T;

export function drawFrom(random: () => number): Draw {
  return (choices) => choices[Math.floor(random() * choices.length)] ?? choices[0];
}

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];

export function word(draw: Draw, length: number): string {
  const [first = '', ...rest] = letters;
  return Array.from({ length }, () => draw([first, ...rest])).join('');
}

export function bytes(draw: Draw, length: number): Buffer {
  const every = Array.from({ length: 255 }, (_, index) => index + 1);
  return Buffer.from(Array.from({ length }, () => draw([0, ...every])));
}

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const made = new Map<string, readonly [KeyPair, KeyPair]>();

/** Two pairs of a kind, made once: the service's own, and another's. */
export function keyPairs(kind: 'ed25519' | 'rsa' | 'ec'): readonly [KeyPair, KeyPair] {
  const pairs = made.get(kind) ?? ([make(kind), make(kind)] as const);
  made.set(kind, pairs);
  return pairs;
}

function make(kind: 'ed25519' | 'rsa' | 'ec'): KeyPair {
  if (kind === 'ed25519') return generateKeyPairSync('ed25519');
  if (kind === 'ec') return generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return generateKeyPairSync('rsa', { modulusLength: 2048 });
}

/** As services hand them out: PEM, also with lost line breaks, base64 of DER, or the bare bytes of an Ed25519 key. */
export function spellKey(
  key: KeyObject,
  spelling: 'pem' | 'pem in one line' | 'der' | 'raw base64' | 'raw hex',
): string {
  const der = key.export({ type: 'spki', format: 'der' });
  if (spelling === 'der') return der.toString('base64');
  if (spelling === 'pem in one line') return spellKey(key, 'pem').replaceAll('\n', ' ');
  if (spelling === 'pem' || key.asymmetricKeyType !== 'ed25519')
    return key.export({ type: 'spki', format: 'pem' }).toString();
  return der.subarray(-32).toString(spelling === 'raw hex' ? 'hex' : 'base64');
}

/** The part that is changed after signing; nothing by default. */
export type Change = 'body' | 'timestamp' | 'id' | 'nonce' | 'url' | 'token';

/** How one service signs. */
export interface SigningStyle {
  /** For the name of a test. */
  readonly name: string;
  readonly secret: string;
  readonly wrongSecret: string;
  /** The parts that a signature covers, or that a token is. */
  readonly covers: readonly Change[];
  readonly isForm: boolean;
  readonly masked: boolean;
  /** Returns the headers that sign a request. */
  readonly sign?: (request: Unsigned, change: Change | undefined) => Readonly<Record<string, string>>;
  /** Returns the whole request, where the signature is not in the headers alone. */
  readonly complete?: (request: Unsigned, change: Change | undefined) => Completed;
}

interface Completed {
  readonly method: 'POST' | 'GET';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Unsigned {
  readonly body: Buffer;
  readonly url: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly id: string;
  readonly nonce: string;
}
