import { createHash } from 'node:crypto';
import type { JwtSignatureContract } from '../../contract/schema/contract-schema.ts';
import { readClaims } from '../../contract/signature/jwt.ts';
import { tokenOf } from '../../contract/signature/token.ts';
import { maskedValue, matchesMasked } from '../../contract/signature/webhook-request.ts';
import { bestOf, type Confirmed, confirm, type Effort } from './confirm.ts';
import { candidateKeys } from './probes.ts';
import type { ReadableCapture, ValuePlace } from './readable-capture.ts';

/** A shorter secret may occur in a header by chance. */
const minSecretLength = 6;
/** The prefixes that are tried before a masked token, whose own prefix cannot be seen. */
const usualPrefixes = [
  '',
  'Bearer ',
  'Basic ',
  'Token ',
  'App ',
  'Key ',
  'ApiKey ',
  'Apikey ',
  'API-Key ',
  'AccessKey ',
  'Secret ',
  'bearer ',
  'basic ',
  'token ',
  'key=',
];
const prefixShape = /^(?:[A-Za-z][\w-]{0,31}[ =:] ?)?$/;

/** Searches a header, a parameter or a field that carries the secret itself. */
export function searchToken(
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
  effort: Effort,
): Confirmed | undefined {
  const drafts = new Map<string, ValuePlace & { prefix: string; encoding: 'text' | 'base64' }>();
  for (const { headers, masked, fields } of captures) {
    const places = (values: ReadonlyMap<string, string>) =>
      [...values].map(([header, value]) => [{ header }, value] as const);
    const isMasked = ([, value]: (typeof fields)[number]) => maskedValue.test(value);
    const shown = [...places(headers), ...fields.filter((field) => !isMasked(field))];
    const hidden = [...places(masked), ...fields.filter(isMasked)];
    for (const secret of secrets.filter(({ length }) => length >= minSecretLength))
      for (const encoding of ['text', 'base64'] as const) {
        const token = tokenOf({ prefix: '', encoding }, secret);
        const add = (place: ValuePlace, prefix: string) =>
          drafts.set(JSON.stringify([place, prefix, encoding]), { ...place, prefix, encoding });
        for (const [place, value] of shown) {
          effort.spend(3);
          const prefix = value.endsWith(token) ? value.slice(0, -token.length) : undefined;
          if (prefix !== undefined && prefixShape.test(prefix)) add(place, prefix);
        }
        for (const [place, value] of hidden)
          for (const prefix of usualPrefixes) {
            effort.spend(3);
            if (matchesMasked(value, prefix + token)) add(place, prefix);
          }
      }
  }
  return bestOf(
    [...drafts.values()].map((draft) => confirm(() => ({ scheme: 'token', ...draft }), captures, secrets)),
  );
}

/** A JSON Web Token in compact form (RFC 7515, section 7.1), read but not verified. */
interface JsonWebToken {
  /** The text before it in the header, such as "Bearer ". */
  readonly prefix: string;
  readonly algorithm: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

const tokenShape = /^((?:[A-Za-z][\w-]{0,31}[ =:] ?)?)([\w-]+)\.([\w-]+)\.([\w-]*)$/;

/** @returns undefined for a header that holds no such token */
function readToken(value: string): JsonWebToken | undefined {
  const [, prefix = '', head = '', payload = ''] = tokenShape.exec(value) ?? [];
  const algorithm = readClaims(head)?.alg;
  const claims = readClaims(payload);
  return claims === undefined || typeof algorithm !== 'string' ? undefined : { prefix, algorithm, claims };
}

type HashClaim = JwtSignatureContract['payloadHash'];

const algorithms = ['HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'ES256', 'EdDSA'] as const;
const utf8 = { encoding: 'utf8', prefix: '' } as const;

/**
 * Searches a JSON Web Token that is signed with a secret and holds a hash of the body.
 *
 * @returns the scheme, or in sentences why the tokens in the captures cannot be used
 */
export function searchJwt(
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
  effort: Effort,
): { readonly best: Confirmed | undefined; readonly refused: readonly string[] } {
  const refused = new Set<string>();
  const tried = new Set<string>();
  let best: Confirmed | undefined;
  for (const capture of captures)
    for (const [header, value] of capture.headers) {
      const token = readToken(value);
      const draft = token && draftJwt(header, token, capture);
      if (typeof draft === 'string') refused.add(`${header}: ${draft}`);
      if (draft === undefined || typeof draft === 'string' || tried.has(JSON.stringify(draft))) continue;
      tried.add(JSON.stringify(draft));
      const confirmed = confirmJwt(draft, captures, secrets, effort);
      if (confirmed === undefined)
        refused.add(`${header}: a JSON Web Token (${draft.algorithm}) that none of the secrets signed`);
      best = bestOf([best, confirmed]);
      if (best !== undefined && best.fits === best.carriers) return { best, refused: [] };
    }
  return { best, refused: [...refused] };
}

interface JwtDraft
  extends Pick<
    JwtSignatureContract,
    'algorithm' | 'header' | 'payloadHash' | 'unsignedBody' | 'urlHash' | 'id'
  > {
  readonly scheme: 'jwt';
  readonly prefix: string;
  /** The claim with the time; undefined if the token has none. */
  readonly timeClaim: string | undefined;
}

/** @returns the scheme of a token without its secret, or in words why the token cannot be used */
function draftJwt(
  header: string,
  token: JsonWebToken,
  { capture: { body: received, url }, method }: ReadableCapture,
): JwtDraft | string {
  const algorithm = algorithms.find((name) => name === token.algorithm);
  if (algorithm === undefined)
    return `a JSON Web Token with an unsupported algorithm; ${algorithms.join(', ')} are supported`;
  const body = method === 'GET' ? Buffer.of() : received;
  const payloadHash = findHash(token, body) ?? null;
  const urlHash = findHash(token, url) ?? null;
  const hasId = typeof token.claims.jti === 'string';
  // A claim that is named like a hash is one of another body.
  const isUnsigned = hasId && !Object.keys(token.claims).some((name) => /hash|digest|sha|sum/i.test(name));
  const coversEvents = method === 'GET' ? urlHash !== null : payloadHash !== null;
  if (!coversEvents && !isUnsigned)
    return 'a JSON Web Token without a hash of the body in any claim (SHA-256, SHA-384 or SHA-512; hex, base64 or base64url): such a token proves nothing about the body, unless the body was changed on its way here';
  return {
    scheme: 'jwt',
    algorithm,
    header,
    prefix: token.prefix,
    payloadHash,
    urlHash,
    ...(coversEvents ? {} : { unsignedBody: true }),
    id: hasId ? { claim: 'jti' } : null,
    // "nbf", the time from which on a token is valid, stands in if a token does not carry the time it was issued at.
    timeClaim: ['iat', 'nbf'].find((name) => typeof token.claims[name] === 'number'),
  };
}

function confirmJwt(
  { timeClaim, ...scheme }: JwtDraft,
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
  effort: Effort,
): Confirmed | undefined {
  const rules = scheme.algorithm.startsWith('HS') ? candidateKeys(secrets).map(({ rule }) => rule) : [utf8];
  return bestOf(
    rules.map((secret) => {
      effort.spend(100);
      const timestamp = (toleranceSeconds: number) =>
        timeClaim === undefined ? null : { claim: timeClaim, toleranceSeconds };
      return confirm((seconds) => ({ ...scheme, secret, timestamp: timestamp(seconds) }), captures, secrets);
    }),
  );
}

/** Finds the claim that holds a hash of the content. */
function findHash(
  { claims }: JsonWebToken,
  content: string | Uint8Array,
): NonNullable<HashClaim> | undefined {
  for (const algorithm of ['sha256', 'sha384', 'sha512'] as const) {
    const digest = createHash(algorithm).update(content).digest();
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const text = digest.toString(encoding);
      const claim = Object.keys(claims).find((name) => claims[name] === text);
      if (claim !== undefined) return { claim, algorithm, encoding };
    }
  }
  return undefined;
}
