import { createPublicKey, type KeyObject } from 'node:crypto';
import type {
  HmacSignatureContract,
  PublicKeySignatureContract,
  SignatureContract,
} from '../schema/contract-schema.ts';

type SecretRule = HmacSignatureContract['secret'];

/**
 * Decodes a secret, as the service writes it, to the bytes of the key. A secret without the contract's prefix is UTF-8 text, unless the
 * prefix is optional and the rest is written in the encoding.
 *
 * @returns undefined for a secret that is not written in the contract's encoding. Decoders turn such a text into few or no bytes,
 * and an attacker could guess that key. Also for a key of a pair: everyone has a public key, and could sign with it
 */
export function signingKey(rule: SecretRule, secret: string): Uint8Array | undefined {
  if (isAsymmetricKey(secret)) return undefined;
  if (secret.startsWith(rule.prefix)) return decodeKey(secret.slice(rule.prefix.length), rule.encoding);
  return (rule.prefixOptional && decodeKey(secret, rule.encoding)) || decodeKey(secret, 'utf8');
}

/** A key in PEM (RFC 7468), as a JWK (RFC 7517) also with escaped or other quotation marks, or of SSH. */
const markOfKey = /---\s*BEGIN|\bkty\b[\s"'\\]{0,4}:|^\s*(?:sk-)?(?:ssh|ecdsa)-/i;

/**
 * Returns whether a text is a key of a pair, as it is, or in base64 or hexadecimal: no shared secret is written so, and a public key is known to all.
 */
export function isAsymmetricKey(secret: string): boolean {
  const decoded = [Buffer.from(secret, 'base64'), Buffer.from(secret.replace(/\s/g, ''), 'hex')];
  return (
    [secret, ...decoded.map((bytes) => bytes.toString('latin1'))].some((text) => markOfKey.test(text)) ||
    decoded.some(isPublicKeyInDer)
  );
}

/** A sequence of DER. 32 bytes may be any secret, and are read as a key of Ed25519. */
function isPublicKeyInDer(key: Buffer): boolean {
  if (key.length === 32 || key[0] !== 0x30) return false;
  return (['spki', 'pkcs1'] as const).some((type) => {
    try {
      createPublicKey({ key, format: 'der', type });
      return true;
    } catch {
      return false;
    }
  });
}

function decodeKey(text: string, encoding: SecretRule['encoding']): Uint8Array | undefined {
  const key = Buffer.from(text, encoding);
  return key.length > 0 && isSpelledAs(text, key, encoding) ? key : undefined;
}

/** Decodes a secret like {@link signingKey}. @throws Error for a secret that is not written in the contract's encoding */
export function requireKey(rule: SecretRule, secret: string): Uint8Array {
  const key = signingKey(rule, secret);
  if (key === undefined)
    throw new Error(`the secret is not written in ${rule.encoding}, as webhook.signature.secret requires`);
  return key;
}

function isSpelledAs(text: string, key: Buffer, encoding: SecretRule['encoding']): boolean {
  if (encoding === 'utf8') return true;
  if (encoding === 'hex') return key.toString('hex') === text.toLowerCase();
  const standard = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return key.toString('base64').replace(/=+$/, '') === standard;
}

/** The type of each algorithm's key, and the hash that it signs; Ed25519 hashes by itself. */
const algorithms = {
  ed25519: { type: 'ed25519', hash: null },
  'rsa-sha1': { type: 'rsa', hash: 'sha1' },
  'rsa-sha256': { type: 'rsa', hash: 'sha256' },
  'rsa-sha384': { type: 'rsa', hash: 'sha384' },
  'rsa-sha512': { type: 'rsa', hash: 'sha512' },
  'ecdsa-sha256': { type: 'ec', hash: 'sha256' },
  'ecdsa-sha384': { type: 'ec', hash: 'sha384' },
  'ecdsa-sha512': { type: 'ec', hash: 'sha512' },
} as const;

type Algorithm = PublicKeySignatureContract['algorithm'];

export function publicKeyHash(algorithm: Algorithm): string | null {
  return algorithms[algorithm].hash;
}

/** Reads the public key of an algorithm. @returns undefined for any other text, and for a key of another type */
export function publicKeyFor(algorithm: Algorithm, text: string): KeyObject | undefined {
  const key = readPublicKey(text);
  return key?.asymmetricKeyType === algorithms[algorithm].type ? key : undefined;
}

/** The bytes before the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo (RFC 8410). */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Reads a public key in the forms that services use: PEM of a key or a certificate, also with lost or escaped line breaks, base64 of DER,
 * or the 32 bytes of an Ed25519 key in base64 or hex.
 *
 * @returns undefined for any other text
 */
export function readPublicKey(text: string): KeyObject | undefined {
  try {
    // createPublicKey also accepts a private key, but no service gives its private key away.
    if (text.includes('-----BEGIN'))
      return /PRIVATE/.test(text) ? undefined : createPublicKey(repairPem(text));
    const bytes = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
    const der = bytes.length === 32 ? Buffer.concat([ed25519Prefix, bytes]) : bytes;
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** Restores the line breaks of a PEM text that was copied through a form or an environment variable (RFC 7468, section 2). */
function repairPem(text: string): string {
  return text.replace(
    /-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \1-----/,
    (_, label: string, content: string) => {
      const lines = content.replace(/\\[rn]|\s/g, '').match(/.{1,64}/g) ?? [];
      return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join('\n');
    },
  );
}

/** Reports whether sender and receiver share the secret. Otherwise only the sender's private key can sign. */
export function isSharedSecret(scheme: SignatureContract): boolean {
  return scheme.scheme === 'jwt' ? scheme.algorithm.startsWith('HS') : scheme.scheme !== 'public-key';
}
