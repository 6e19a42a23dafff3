import type { TokenSignatureContract } from '../schema/contract-schema.ts';
import type { RequestFormat } from '../schema/request-form.ts';
import type { TokenReader } from './hidden-values.ts';
import { headersOf, readPlace, requestReader } from './request-reader.ts';
import { equal, matchesMasked, rejected, type Verifier } from './webhook-request.ts';

/** Verifies a request that carries the secret itself: in a header, in the query or in the body. */
export function createVerifier(scheme: TokenSignatureContract, format: RequestFormat): Verifier {
  const place = { ...scheme, prefix: '', separator: null };
  const read = scheme.query === undefined ? (scheme.body === undefined ? undefined : 'fields') : 'query';
  return (request, secrets) => {
    const reader = requestReader(request, format);
    if (read !== undefined && reader.hasTooMany(read)) return rejected('too-many-parameters');
    const value = readPlace(place, reader);
    if (value === undefined) return rejected('signature-missing');
    const matches = secrets.some((secret) => {
      const expected = tokenOf(scheme, secret);
      return request.masked === true ? matchesMasked(value, expected) : equal(value, expected);
    });
    return matches ? { kind: 'verified', signedId: undefined } : rejected('signature-mismatch');
  };
}

export function headersRead(scheme: TokenSignatureContract): string[] {
  return headersOf([scheme]);
}

/**
 * Makes the reader of the token that requests carry outside of their headers: it must not be stored with them. A captured request may have another
 * format than the contract says, so its body is read in both.
 *
 * @returns undefined if the token is in a header
 */
export function createTokenReader(
  scheme: TokenSignatureContract,
  format: RequestFormat,
): TokenReader | undefined {
  if (scheme.header !== undefined) return undefined;
  const place = { ...scheme, prefix: '', separator: null };
  const formats = [
    format,
    { ...format, bodyFormat: format.bodyFormat === 'form' ? 'json' : 'form' } as const,
  ];
  return (request) => {
    const readers = formats.map((each) => requestReader({ ...request, headers: {} }, each));
    return readers.map((reader) => readPlace(place, reader)).find((token) => token !== undefined);
  };
}

/** Writes the token as the request holds it. */
export function tokenOf(
  { prefix, encoding }: Pick<TokenSignatureContract, 'prefix' | 'encoding'>,
  secret: string,
): string {
  return prefix + (encoding === 'base64' ? Buffer.from(secret).toString('base64') : secret);
}

/** A header value has no blanks at its ends and no line breaks. Basic authentication needs a user or a password (RFC 7617, section 2). */
export function isUsableSecret({ prefix, encoding }: TokenSignatureContract, secret: string): boolean {
  if (encoding === 'base64')
    return secret !== '' && (prefix !== 'Basic ' || (secret.includes(':') && secret !== ':'));
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(secret);
}
