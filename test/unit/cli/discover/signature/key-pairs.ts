import { generateKeyPairSync, type KeyObject } from 'node:crypto';

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

/** As services hand them out: PEM, base64 of DER, or the bare bytes of an Ed25519 key. */
export function spellKey(key: KeyObject, spelling: 'pem' | 'der' | 'raw base64' | 'raw hex'): string {
  const der = key.export({ type: 'spki', format: 'der' });
  if (spelling === 'der') return der.toString('base64');
  if (spelling === 'pem' || key.asymmetricKeyType !== 'ed25519')
    return key.export({ type: 'spki', format: 'pem' }).toString();
  return der.subarray(-32).toString(spelling === 'raw hex' ? 'hex' : 'base64');
}
