import { createHmac, createSecretKey } from 'node:crypto';
import type { HmacSignatureContract } from '../schema/contract-schema.ts';
import { createSignedTextVerifier, signingKey } from './signed-text.ts';
import { equal, type Verifier } from './webhook-request.ts';

export { headersRead } from './signed-text.ts';

export function createVerifier(scheme: HmacSignatureContract): Verifier {
  return createSignedTextVerifier(scheme, (content, secret, signatures) => {
    const key = signingKey(scheme.secret, secret);
    if (key === undefined) return undefined;
    // In Node.js 24, createHmac takes six times as long with raw bytes as with a KeyObject.
    const hmac = createHmac(scheme.algorithm, createSecretKey(key));
    const expected = hmac.update(content).digest(scheme.encoding);
    // Compare the text, not the decoded bytes: base64 can write the same bytes in several ways.
    return signatures.some((signature) => equal(signature, expected));
  });
}

export function isUsableSecret(scheme: HmacSignatureContract, secret: string): boolean {
  return signingKey(scheme.secret, secret) !== undefined;
}
