import type { SignatureContract } from '../schema/contract-schema.ts';
import type { RequestFormat } from '../schema/request-form.ts';
import * as hash from './hash.ts';
import type { TokenReader } from './hidden-values.ts';
import * as hmac from './hmac.ts';
import * as jwt from './jwt.ts';
import * as none from './none.ts';
import * as publicKey from './public-key.ts';
import * as token from './token.ts';
import type { Verifier } from './webhook-request.ts';

/**
 * This file knows all schemes. Functions import `#signature`, which the bundler replaces by the one scheme of their contract.
 */

/**
 * Makes the verifier of a contract's signature scheme. Templates are compiled once.
 *
 * @param format how the contract says that requests are written
 */
export function createVerifier(scheme: SignatureContract, format: RequestFormat): Verifier {
  switch (scheme.scheme) {
    case 'hash':
      return hash.createVerifier(scheme, format);
    case 'hmac':
      return hmac.createVerifier(scheme, format);
    case 'public-key':
      return publicKey.createVerifier(scheme, format);
    case 'jwt':
      return jwt.createVerifier(scheme, format);
    case 'token':
      return token.createVerifier(scheme, format);
    case 'none':
      return none.createVerifier();
  }
}

/**
 * Makes the reader of the token that requests carry in their query or their body.
 *
 * @returns undefined for a scheme that signs, or whose token is in a header
 */
export function createTokenReader(scheme: SignatureContract, format: RequestFormat): TokenReader | undefined {
  switch (scheme.scheme) {
    case 'hash':
      return hash.createTokenReader();
    case 'hmac':
      return hmac.createTokenReader();
    case 'public-key':
      return publicKey.createTokenReader();
    case 'jwt':
      return jwt.createTokenReader();
    case 'token':
      return token.createTokenReader(scheme, format);
    case 'none':
      return none.createTokenReader();
  }
}

/** Lists the headers that a scheme reads, in lower case. A later verification needs no others. */
export function headersRead(scheme: SignatureContract): string[] {
  switch (scheme.scheme) {
    case 'hash':
      return hash.headersRead(scheme);
    case 'hmac':
      return hmac.headersRead(scheme);
    case 'public-key':
      return publicKey.headersRead(scheme);
    case 'jwt':
      return jwt.headersRead(scheme);
    case 'token':
      return token.headersRead(scheme);
    case 'none':
      return none.headersRead();
  }
}

/** Reports whether the contract's scheme can verify signatures with a secret. */
export function isUsableSecret(scheme: SignatureContract, secret: string): boolean {
  switch (scheme.scheme) {
    case 'hash':
      return hash.isUsableSecret(scheme, secret);
    case 'hmac':
      return hmac.isUsableSecret(scheme, secret);
    case 'public-key':
      return publicKey.isUsableSecret(scheme, secret);
    case 'jwt':
      return jwt.isUsableSecret(scheme, secret);
    case 'token':
      return token.isUsableSecret(scheme, secret);
    case 'none':
      return none.isUsableSecret();
  }
}
