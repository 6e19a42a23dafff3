import { createPublicKey, type KeyObject } from 'node:crypto';
import type { HmacSignatureContract, PublicKeySignatureContract } from '../schema/contract-schema.ts';

type SecretRule = HmacSignatureContract['secret'];

/**
 * The key bytes of a secret as its owner writes it. A secret without the contract's prefix is UTF-8 text.
 *
 * @returns undefined for a secret that is not written in the contract's encoding: what decoders make of such a text is
 * short or empty, and a key that anybody can guess
 */
export function signingKey(rule: SecretRule, secret: string): Uint8Array | undefined {
  const text = secret.startsWith(rule.prefix) ? secret.slice(rule.prefix.length) : secret;
  const encoding = secret.startsWith(rule.prefix) ? rule.encoding : 'utf8';
  const key = Buffer.from(text, encoding);
  return key.length > 0 && isSpelledAs(text, key, encoding) ? key : undefined;
}

/** As {@link signingKey}. @throws Error where it gives none */
export function requireKey(rule: SecretRule, secret: string): Uint8Array {
  const key = signingKey(rule, secret);
  if (key === undefined)
    throw new Error(`the secret is not written in ${rule.encoding}, as the contract says`);
  return key;
}

function isSpelledAs(text: string, key: Buffer, encoding: SecretRule['encoding']): boolean {
  if (encoding === 'utf8') return true;
  if (encoding === 'hex') return key.toString('hex') === text.toLowerCase();
  const unpadded = (base64: string) => base64.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  return unpadded(key.toString('base64')) === unpadded(text);
}

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
