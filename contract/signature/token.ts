import type { TokenSignatureContract } from '../schema/contract-schema.ts';
import { equal, headerReader, matchesMasked, rejected, type Verifier } from './webhook-request.ts';

export function createVerifier(scheme: TokenSignatureContract): Verifier {
  return ({ headers, masked = false }, secrets) => {
    const value = headerReader(headers)(scheme.header);
    if (value === undefined) return rejected('signature-missing');
    const matches = secrets.some((secret) => {
      const expected = tokenOf(scheme, secret);
      return masked ? matchesMasked(value, expected) : equal(value, expected);
    });
    return matches ? { kind: 'verified', signedId: undefined } : rejected('signature-mismatch');
  };
}

export function headersRead({ header }: TokenSignatureContract): string[] {
  return [header.toLowerCase()];
}

/** Writes the token as the header holds it. */
export function tokenOf({ prefix, encoding }: TokenSignatureContract, secret: string): string {
  return prefix + (encoding === 'base64' ? Buffer.from(secret).toString('base64') : secret);
}

/** A header value has no blanks at its ends and no line breaks. Basic authentication needs a user and a password (RFC 7617, section 2). */
export function isUsableSecret({ prefix, encoding }: TokenSignatureContract, secret: string): boolean {
  if (encoding === 'base64') return secret !== '' && (prefix !== 'Basic ' || secret.includes(':'));
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(secret);
}
