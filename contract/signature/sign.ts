import { createHash, createHmac, createSecretKey, sign } from 'node:crypto';
import type {
  JwtSignatureContract,
  SignatureContract,
  SignedTextContract,
} from '../schema/contract-schema.ts';
import { compileSignedContent, publicKeyHash, requireKey } from './signed-text.ts';
import { tokenOf } from './token.ts';
import type { HeaderPart } from './webhook-request.ts';

/** A request before it is signed. */
export interface UnsignedRequest {
  readonly body: Uint8Array;
  /** The event's id, used by schemes that sign one. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly url: string;
  /** Further headers that the template names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Makes the token of a request, in compact form (RFC 7515, section 7.1). */
function signJwt(
  { algorithm, payloadHash, urlHash, id, timestamp, secret: rule }: JwtSignatureContract,
  { body, id: eventId, now, url }: UnsignedRequest,
  secret: string,
): string {
  const claims = {
    ...(timestamp === null ? {} : { [timestamp.claim]: Math.floor(now / 1000) }),
    ...(id === null ? {} : { [id.claim]: eventId }),
    ...(urlHash === null ? {} : { [urlHash.claim]: hashOf(urlHash, url) }),
    [payloadHash.claim]: hashOf(payloadHash, body),
  };
  const content = [{ alg: algorithm, typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const hash = algorithm === 'EdDSA' ? null : `sha${algorithm.slice(2)}`;
  const signature =
    hash !== null && algorithm.startsWith('HS')
      ? createHmac(hash, createSecretKey(requireKey(rule, secret)))
          .update(content)
          .digest()
      : // RFC 7518, section 3.4: an ECDSA signature is its two numbers, concatenated.
        sign(hash, Buffer.from(content), { key: secret, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

function hashOf(
  { algorithm, encoding }: JwtSignatureContract['payloadHash'],
  content: string | Uint8Array,
): string {
  return createHash(algorithm).update(content).digest(encoding);
}

/** Reports whether sender and receiver share the secret. Otherwise only the sender's private key can sign. */
export function isSharedSecret(scheme: SignatureContract): boolean {
  return scheme.scheme === 'jwt' ? scheme.algorithm.startsWith('HS') : scheme.scheme !== 'public-key';
}

/**
 * Signs a request as the service would, by the contract's scheme. {@link createVerifier} accepts the result.
 *
 * @param secret the stored secret; for a scheme with a public key, the sender's private key as PEM
 * @returns the headers to add
 * @throws Error if the secret cannot sign
 */
export function signRequest(
  scheme: SignatureContract,
  request: UnsignedRequest,
  secret: string,
): Record<string, string> {
  switch (scheme.scheme) {
    case 'none':
      return {};
    case 'token':
      return { [scheme.header]: tokenOf(scheme, secret) };
    case 'hmac':
    case 'public-key':
      return signText(scheme, request, secret);
    case 'jwt':
      return { [scheme.header]: scheme.prefix + signJwt(scheme, request, secret) };
  }
}

function signText(
  scheme: SignedTextContract,
  request: UnsignedRequest,
  secret: string,
): Record<string, string> {
  const timestamp = String(
    Math.floor(scheme.timestamp?.unit === 'seconds' ? request.now / 1000 : request.now),
  );
  const content = compileSignedContent(scheme.signedContent)(request.body, {
    id: request.id,
    timestamp,
    url: request.url,
    header: (name) => request.headers?.[name],
  });
  if (content === undefined)
    throw new Error(
      `signedContent names a header that the request lacks, or one that holds the text next to it: ${scheme.signedContent}`,
    );
  const headers: Record<string, string> = {};
  if (scheme.timestamp !== null) add(headers, scheme.timestamp, timestamp);
  if (scheme.id !== null) add(headers, scheme.id, request.id);
  add(headers, scheme, Buffer.from(signBytes(scheme, content, secret)).toString(scheme.encoding));
  return headers;
}

function signBytes(scheme: SignedTextContract, content: Uint8Array, secret: string): Uint8Array {
  return scheme.scheme === 'hmac'
    ? createHmac(scheme.algorithm, createSecretKey(requireKey(scheme.secret, secret)))
        .update(content)
        .digest()
    : sign(publicKeyHash(scheme.algorithm), content, secret);
}

/** Adds a value to its header. Several values may share a header, as entries of a list. */
function add(
  headers: Record<string, string>,
  { header, prefix, separator }: HeaderPart,
  value: string,
): void {
  const before = headers[header];
  headers[header] = before === undefined ? prefix + value : before + (separator ?? '') + prefix + value;
}
