import { createHash, createHmac, createSecretKey, verify } from 'node:crypto';
import type { JwtSignatureContract } from '../schema/contract-schema.ts';
import type { RequestFormat } from '../schema/request-form.ts';
import { isObject, parseJson } from '../text/json.ts';
import { readPublicKey, signingKey } from './keys.ts';
import { urlSpellings } from './request-reader.ts';
import { inCaseOf } from './signed-content.ts';
import { equal, headerReader, rejected, type Verifier } from './webhook-request.ts';

export { createTokenReader } from './none.ts';

type Claims = Readonly<Record<string, unknown>>;

/** The type of the public key, by the first two letters of the algorithm (RFC 7518, section 3.1). */
const publicKeyTypes = { RS: 'rsa', ES: 'ec', Ed: 'ed25519' } as const;

/**
 * Verifies a JWT in compact form (RFC 7515, section 7.1) that holds a hash of the body. A token chooses only among the algorithms that the
 * contract lists, which use one kind of key.
 */
export function createVerifier(scheme: JwtSignatureContract, { method }: RequestFormat): Verifier {
  const algorithms = [scheme.algorithm, ...(scheme.otherAlgorithms ?? [])];
  return ({ headers, body: received, url }, secrets, now) => {
    const body = method === 'GET' ? Buffer.of() : received;
    const value = headerReader(headers)(scheme.header);
    if (value === undefined) return rejected('signature-missing');
    const token = value.startsWith(scheme.prefix) ? value.slice(scheme.prefix.length) : '';
    const [head = '', payload = '', signature = '', ...rest] = token.split('.');
    const claims = readClaims(payload);
    const { alg, crit } = readClaims(head) ?? {};
    const algorithm = algorithms.find((name) => name === alg);
    // RFC 7515, section 4.1.11: a token whose critical extensions are not understood is invalid. None is understood here.
    if (rest.length > 0 || claims === undefined || algorithm === undefined || crit !== undefined)
      return rejected('signature-missing');
    const { issuer = null } = scheme;
    if (issuer !== null && claims.iss !== issuer) return rejected('signature-missing');
    // A token without the hash of this body belongs to another request, whatever secret signed it.
    const coversBody = scheme.payloadHash === null || holdsBodyHash(scheme.payloadHash, claims, body);
    const { urlHash } = scheme;
    const coversUrl = urlHash === null || urlSpellings(url).some((text) => holdsHash(urlHash, claims, text));
    if (!coversBody || !coversUrl) return rejected('signature-missing');

    const problem = timeProblem(scheme, claims, now);
    if (problem !== undefined) return rejected(problem);

    const isSigned = secrets.some((secret) =>
      isSignedBy(scheme, algorithm, `${head}.${payload}`, signature, secret),
    );
    if (!isSigned) return rejected('signature-mismatch');
    const id = scheme.id === null ? undefined : claims[scheme.id.claim];
    return { kind: 'verified', signedId: typeof id === 'string' && id !== '' ? id : undefined };
  };
}

export function headersRead({ header }: JwtSignatureContract): string[] {
  return [header.toLowerCase()];
}

export function isUsableSecret(scheme: JwtSignatureContract, secret: string): boolean {
  return scheme.algorithm.startsWith('HS')
    ? signingKey(scheme.secret, secret) !== undefined
    : publicKeyOf(scheme.algorithm, secret) !== undefined;
}

function isSignedBy(
  scheme: JwtSignatureContract,
  algorithm: string,
  content: string,
  signature: string,
  secret: string,
): boolean {
  const hash = algorithm === 'EdDSA' ? null : `sha${algorithm.slice(2)}`;
  if (hash !== null && algorithm.startsWith('HS')) {
    const bytes = signingKey(scheme.secret, secret);
    if (bytes === undefined) return false;
    return equal(signature, createHmac(hash, createSecretKey(bytes)).update(content).digest('base64url'));
  }
  const key = publicKeyOf(algorithm, secret);
  if (key === undefined) return false;
  const bytes = Buffer.from(signature, 'base64url');
  // RFC 7518, section 3.4: an ECDSA signature is its two numbers, concatenated.
  return verify(hash, Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' }, bytes);
}

function publicKeyOf(algorithm: string, secret: string) {
  const type = Object.entries(publicKeyTypes).find(([prefix]) => algorithm.startsWith(prefix))?.[1];
  const key = readPublicKey(secret);
  return key?.asymmetricKeyType === type ? key : undefined;
}

/** Checks the times that the token carries: seconds since the epoch (RFC 7519, section 4.1). */
function timeProblem({ timestamp }: JwtSignatureContract, claims: Claims, now: number) {
  const toleranceMs = (timestamp?.toleranceSeconds ?? 0) * 1000;
  const issuedAt = timestamp === null ? undefined : claims[timestamp.claim];
  if (timestamp !== null && typeof issuedAt !== 'number') return 'timestamp-invalid';
  if (typeof issuedAt === 'number' && Math.abs(now - issuedAt * 1000) > toleranceMs)
    return 'timestamp-outside-window';
  const { exp = Number.POSITIVE_INFINITY, nbf = 0 } = claims;
  if (typeof exp !== 'number' || typeof nbf !== 'number') return 'timestamp-invalid';
  return now >= exp * 1000 + toleranceMs || now < nbf * 1000 - toleranceMs
    ? 'timestamp-outside-window'
    : undefined;
}

type HashClaim = NonNullable<JwtSignatureContract['payloadHash']>;

/** Services leave the claim out if there is no body. A token without the claim then proves that there is none. */
function holdsBodyHash(rule: HashClaim, claims: Claims, body: Uint8Array): boolean {
  return holdsHash(rule, claims, body) || (body.length === 0 && claims[rule.claim] === undefined);
}

function holdsHash(
  { claim, algorithm, encoding }: HashClaim,
  claims: Claims,
  content: string | Uint8Array,
): boolean {
  const value = claims[claim];
  return (
    typeof value === 'string' &&
    equal(inCaseOf(encoding, value), createHash(algorithm).update(content).digest(encoding))
  );
}

/** Reads the header or the claims of a token: JSON in base64url. @returns undefined for any other text */
export function readClaims(part: string): Claims | undefined {
  const value = parseJson(Buffer.from(part, 'base64url').toString());
  return isObject(value) ? value : undefined;
}
