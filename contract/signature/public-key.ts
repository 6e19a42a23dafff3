import { verify } from 'node:crypto';
import type { PublicKeySignatureContract } from '../schema/contract-schema.ts';
import type { RequestFormat } from '../schema/request-form.ts';
import { publicKeyFor, publicKeyHash } from './keys.ts';
import { createSignedTextVerifier } from './signed-text.ts';
import type { Verifier } from './webhook-request.ts';

export { createTokenReader } from './none.ts';
export { headersRead } from './signed-text.ts';

export function createVerifier(scheme: PublicKeySignatureContract, format: RequestFormat): Verifier {
  const hash = publicKeyHash(scheme.algorithm);
  const encoding = scheme.encoding === 'hex-upper' ? 'hex' : scheme.encoding;
  const matchesOne = (content: Uint8Array, secret: string, signatures: readonly string[]) => {
    const key = publicKeyFor(scheme.algorithm, secret);
    return key && signatures.some((text) => verify(hash, content, key, Buffer.from(text, encoding)));
  };
  return createSignedTextVerifier(scheme, matchesOne, format);
}

export function isUsableSecret({ algorithm }: PublicKeySignatureContract, secret: string): boolean {
  return publicKeyFor(algorithm, secret) !== undefined;
}
