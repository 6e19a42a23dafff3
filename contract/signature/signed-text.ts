import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type {
  HmacSignatureContract,
  PublicKeySignatureContract,
  SignedTextContract,
} from '../schema/contract-schema.ts';
import { headerReader, readPart, rejected, type Verifier } from './webhook-request.ts';

type SecretRule = HmacSignatureContract['secret'];

/**
 * Decodes a secret, as the service writes it, to the bytes of the key. A secret without the contract's prefix is UTF-8 text.
 *
 * @returns undefined for a secret that is not written in the contract's encoding. Decoders turn such a text into few or no bytes,
 * and an attacker could guess that key
 */
export function signingKey(rule: SecretRule, secret: string): Uint8Array | undefined {
  const text = secret.startsWith(rule.prefix) ? secret.slice(rule.prefix.length) : secret;
  const encoding = secret.startsWith(rule.prefix) ? rule.encoding : 'utf8';
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
  const unpadded = (base64: string) => base64.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  return unpadded(key.toString('base64')) === unpadded(text);
}

/** The type of each algorithm's key, and the hash that it signs; Ed25519 hashes by itself. */
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

/** Reads the public key of an algorithm. @returns undefined for any other text, and for a key of another type */
export function publicKeyFor(algorithm: Algorithm, text: string): KeyObject | undefined {
  const key = readPublicKey(text);
  return key?.asymmetricKeyType === algorithms[algorithm].type ? key : undefined;
}

/** The bytes before the 32 bytes of an Ed25519 key in its SubjectPublicKeyInfo (RFC 8410). */
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Reads a public key in the forms that services use: PEM, base64 of DER, or the 32 bytes of an Ed25519 key in base64 or hex.
 *
 * @returns undefined for any other text
 */
export function readPublicKey(text: string): KeyObject | undefined {
  try {
    // createPublicKey also accepts a private key, but no service gives its private key away.
    if (text.includes('-----BEGIN')) return /PRIVATE/.test(text) ? undefined : createPublicKey(text);
    const bytes = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
    const der = bytes.length === 32 ? Buffer.concat([ed25519Prefix, bytes]) : bytes;
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** The values that a signature may cover in addition to the body; undefined where the request lacks one. */
interface SignedValues {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly url: string;
  readonly header: (name: string) => string | undefined;
}

/** Joins the signed content from a body and other values. @returns undefined if the request lacks one of them */
type SignedContent = (body: Uint8Array, values: SignedValues) => Uint8Array | undefined;

/** Compiles the contract's `signedContent` template. The body stays bytes. */
export function compileSignedContent(template: string): SignedContent {
  // Parts with an odd index are placeholders, because split keeps the captured groups.
  const parts = template.split(/\{([^}]*)\}/);
  const bodyAt = parts.findIndex((part, index) => index % 2 === 1 && isOfBody(part));
  return (body, values) => {
    const chunks: Uint8Array[] = [];
    for (const [index, part] of parts.entries()) {
      if (index % 2 === 0) chunks.push(Buffer.from(part));
      else if (isOfBody(part)) chunks.push(writeBody(part, body));
      else {
        const value = fillIn(part, values);
        const boundary = parts[index < bodyAt ? index + 1 : index - 1];
        if (value === undefined || blursBoundary(part, value, boundary)) return undefined;
        chunks.push(Buffer.from(value));
      }
    }
    return Buffer.concat(chunks);
  };
}

/** Lists the headers that a template names, in lower case. */
function headersInTemplate(template: string): string[] {
  return [...template.matchAll(/\{header:([^}]*)\}/g)].map(([, name = '']) => name.toLowerCase());
}

function isOfBody(placeholder: string): boolean {
  return /^(body|form)/.test(placeholder);
}

/** Writes the raw body, its hash, or its sorted form parameters. */
function writeBody(placeholder: string, body: Uint8Array): Uint8Array {
  const [source, algorithm, encoding] = placeholder.split(':');
  if (source === 'form') return Buffer.from(sortedParameters(body, algorithm === 'query'));
  if (algorithm === undefined) return body;
  const digest = createHash(algorithm).update(body).digest();
  return encoding === 'hex' || encoding === 'base64' ? Buffer.from(digest.toString(encoding)) : digest;
}

/** Joins the form parameters, sorted by name and then by value, as one text or as a query. They are not percent-encoded. */
function sortedParameters(body: Uint8Array, asQuery: boolean): string {
  return [...new URLSearchParams(Buffer.from(body).toString())]
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map((pair) => pair.join(asQuery ? '=' : ''))
    .join(asQuery ? '&' : '');
}

/**
 * Reports whether a value that the sender chose holds the text that separates it from its neighbour. The sender could then move
 * bytes from one to the other, and the signature would still match.
 */
function blursBoundary(placeholder: string, value: string, boundary: string | undefined): boolean {
  // The sender of a request chooses only the query of its URL.
  const chosen = placeholder === 'url' ? value.replace(/^[^?]*/, '') : value;
  return boundary !== undefined && boundary !== '' && chosen.includes(boundary);
}

function fillIn(placeholder: string, values: SignedValues): string | undefined {
  if (placeholder === 'id') return values.id;
  if (placeholder === 'timestamp') return values.timestamp;
  if (placeholder === 'url') return values.url;
  return values.header(placeholder.slice('header:'.length));
}

/**
 * How many signatures of a request are verified. A rotation needs 2 or 3. The limit bounds the work that a forged request with
 * many signatures can cause.
 */
const maxSignatures = 8;

/** Reports whether one of the signatures, given without prefix, matches the content. @returns undefined if the secret is not a key */
type MatchesOne = (content: Uint8Array, secret: string, signatures: readonly string[]) => boolean | undefined;

/** Makes the verifier of a scheme that signs a text made of the request. */
export function createSignedTextVerifier(scheme: SignedTextContract, matchesOne: MatchesOne): Verifier {
  const signedContent = compileSignedContent(scheme.signedContent);
  return ({ headers, body, url }, secrets, now) => {
    const header = headerReader(headers);
    const value = header(scheme.header);
    if (value === undefined) return rejected('signature-missing');

    const timestamp = readPart(scheme.timestamp, header);
    if (scheme.timestamp !== null) {
      if (timestamp === undefined || !/^\d{1,15}$/.test(timestamp)) return rejected('timestamp-invalid');
      const sentAt = Number(timestamp) * (scheme.timestamp.unit === 'seconds' ? 1000 : 1);
      if (Math.abs(now - sentAt) > scheme.timestamp.toleranceSeconds * 1000)
        return rejected('timestamp-outside-window');
    }

    const id = readPart(scheme.id, header);
    const content = signedContent(body, { id, timestamp, url, header });
    if (content === undefined) return rejected('signature-missing');

    const entries = scheme.separator === null ? [value] : value.split(scheme.separator);
    const signatures = entries
      .filter((entry) => entry.length > scheme.prefix.length && entry.startsWith(scheme.prefix))
      .slice(0, maxSignatures)
      .map((entry) => entry.slice(scheme.prefix.length));
    return secrets.some((secret) => matchesOne(content, secret, signatures))
      ? { kind: 'verified', signedId: id }
      : rejected('signature-mismatch');
  };
}

/** Lists the headers that such a scheme reads, in lower case. A later verification needs no others. */
export function headersRead({ header, id, timestamp, signedContent }: SignedTextContract): string[] {
  const named = [header, id?.header, timestamp?.header].flatMap((name) => name?.toLowerCase() ?? []);
  return [...new Set([...named, ...headersInTemplate(signedContent)])];
}
