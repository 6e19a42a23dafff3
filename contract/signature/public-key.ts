import { verify } from 'node:crypto';
import type { PublicKeySignatureContract } from '../schema/contract-schema.ts';
import { createSignedTextVerifier, publicKeyFor, publicKeyHash } from './signed-text.ts';
import type { Verifier } from './webhook-request.ts';

export { headersRead } from './signed-text.ts';

export function createVerifier(scheme: PublicKeySignatureContract): Verifier {
  const hash = publicKeyHash(scheme.algorithm);
  return createSignedTextVerifier(scheme, (content, secret, signatures) => {
    const key = publicKeyFor(scheme.algorithm, secret);
    return key && signatures.some((text) => verify(hash, content, key, Buffer.from(text, scheme.encoding)));
  });
}

export function isUsableSecret({ algorithm }: PublicKeySignatureContract, secret: string): boolean {
  return publicKeyFor(algorithm, secret) !== undefined;
}
