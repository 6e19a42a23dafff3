import { createHmac, createSecretKey, sign } from 'node:crypto';
import type { SignatureContract, SignedTextContract } from '../contract/contract.ts';
import type { HeaderPart } from './header-value.ts';
import { publicKeyHash } from './public-key.ts';
import { tokenOf } from './schemes/token.ts';
import { signJwt } from './sign-jwt.ts';
import { compileSignedContent } from './signed-content.ts';
import { requireKey } from './signing-key.ts';
import type { UnsignedRequest } from './unsigned-request.ts';

/** Whether the stored secret can sign, and not only the sender's private key. */
export function isSharedSecret(scheme: SignatureContract): boolean {
  return scheme.scheme === 'jwt' ? scheme.algorithm.startsWith('HS') : scheme.scheme !== 'public-key';
}

/**
 * The headers a sender adds to a request, by the contract's scheme: what {@link createVerifier} accepts.
 *
 * @param secret the secret that is stored; of schemes with a public key, where only the sender can sign, the sender's private key as PEM
 * @throws Error where the secret cannot sign
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
      `signedContent names a header the request does not have, or one that holds the text beside it: ${scheme.signedContent}`,
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

/** Several parts may share a header, as entries of a list. */
function add(
  headers: Record<string, string>,
  { header, prefix, separator }: HeaderPart,
  value: string,
): void {
  const before = headers[header];
  headers[header] = before === undefined ? prefix + value : before + (separator ?? '') + prefix + value;
}
