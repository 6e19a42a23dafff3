import { createPublicKey, type KeyObject } from 'node:crypto';
import type { PublicKeySignatureContract } from '../contract/contract.ts';

/** What each algorithm takes: the type of its key, and the hash it signs; Ed25519 has its own. */
const algorithms = {
  ed25519: { type: 'ed25519', hash: null },
  'rsa-sha1': { type: 'rsa', hash: 'sha1' },
  'rsa-sha256': { type: 'rsa', hash: 'sha256' },
  'rsa-sha512': { type: 'rsa', hash: 'sha512' },
  'ecdsa-sha256': { type: 'ec', hash: 'sha256' },
} as const;

type Algorithm = PublicKeySignatureContract['algorithm'];

export function publicKeyHash(algorithm: Algorithm): string | null {
  return algorithms[algorithm].hash;
}

/** The public key, where it is one for the algorithm. */
export function publicKeyFor(algorithm: Algorithm, text: string): KeyObject | undefined {
  const key = readPublicKey(text);
  return key?.asymmetricKeyType === algorithms[algorithm].type ? key : undefined;
}

/** RFC 8410: what stands before the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo. */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Reads a public key as services hand it out: PEM, base64 of DER, or the 32 bytes of an Ed25519 key in base64 or hex.
 *
 * @returns undefined for a text that is no public key
 */
export function readPublicKey(text: string): KeyObject | undefined {
  try {
    // A private key would be taken too, and is nothing to be handed out.
    if (text.includes('-----BEGIN')) return /PRIVATE/.test(text) ? undefined : createPublicKey(text);
    const bytes = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
    const der = bytes.length === 32 ? Buffer.concat([ed25519Prefix, bytes]) : bytes;
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}
