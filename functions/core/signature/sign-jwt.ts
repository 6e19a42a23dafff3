import { createHash, createHmac, createSecretKey, sign } from 'node:crypto';
import type { JwtSignatureContract } from '../contract/contract.ts';
import { requireKey } from './signing-key.ts';
import type { UnsignedRequest } from './unsigned-request.ts';

/** The token of a request in compact form (RFC 7515, section 7.1). */
export function signJwt(
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
      : // RFC 7518, section 3.4: the two numbers of an ECDSA signature side by side.
        sign(hash, Buffer.from(content), { key: secret, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

function hashOf(
  { algorithm, encoding }: JwtSignatureContract['payloadHash'],
  content: string | Uint8Array,
): string {
  return createHash(algorithm).update(content).digest(encoding);
}
