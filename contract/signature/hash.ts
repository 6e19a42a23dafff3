import { createHash } from 'node:crypto';
import type { HashSignatureContract } from '../schema/contract-schema.ts';
import type { RequestFormat } from '../schema/request-form.ts';
import { isAsymmetricKey } from './keys.ts';
import { encodeBytes, inCaseOf } from './signed-content.ts';
import { createSignedTextVerifier } from './signed-text.ts';
import { equal, type Verifier } from './webhook-request.ts';

export { createTokenReader } from './none.ts';
export { headersRead } from './signed-text.ts';

/** Verifies a plain hash of a text that holds the secret. */
export function createVerifier(scheme: HashSignatureContract, format: RequestFormat): Verifier {
  const matchesOne = (content: Uint8Array, secret: string, signatures: readonly string[]) => {
    if (!isUsableSecret(scheme, secret)) return undefined;
    const expected = encodeBytes(createHash(scheme.algorithm).update(content).digest(), scheme.encoding);
    return signatures.some((signature) => equal(inCaseOf(scheme.encoding, signature), expected));
  };
  return createSignedTextVerifier(scheme, matchesOne, format);
}

/** With an empty secret or a public key, anyone could make the hash. */
export function isUsableSecret(_: HashSignatureContract, secret: string): boolean {
  return secret !== '' && !isAsymmetricKey(secret);
}
