import { createHash } from 'node:crypto';
import type { JwtSignatureContract } from '../../schema/contract-schema.ts';
import { type Confirmed, confirm, type Effort, type JsonWebToken, readToken } from './confirm.ts';
import { candidateKeys } from './probes.ts';
import type { ReadableCapture } from './readable-capture.ts';

export interface JwtSearch {
  readonly best: Confirmed | undefined;
  /** What was seen of tokens that cannot be taken, in sentences. */
  readonly refused: readonly string[];
}

type HashClaim = JwtSignatureContract['payloadHash'];

const algorithms = ['HS256', 'HS384', 'HS512', 'RS256', 'RS384', 'RS512', 'ES256', 'EdDSA'] as const;
const utf8 = { encoding: 'utf8', prefix: '' } as const;

/** Searches a JSON Web Token that is signed with a secret and holds a hash of the body. */
export function searchJwt(
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
  effort: Effort,
): JwtSearch {
  const refused = new Set<string>();
  const tried = new Set<string>();
  let best: Confirmed | undefined;
  for (const readable of captures)
    for (const [header, value] of readable.headers) {
      const token = readToken(value);
      if (token === undefined) continue;
      const found = searchOne(header, token, readable, captures, secrets, effort, tried);
      if (typeof found === 'string') refused.add(`${header}: ${found}`);
      else if (found !== undefined && found.fits > (best?.fits ?? 0)) best = found;
      if (best !== undefined && best.fits === best.carriers) return { best, refused: [] };
    }
  return { best, refused: [...refused] };
}

/** @returns why not, in words; undefined where another capture's token led to the same scheme */
function searchOne(
  header: string,
  token: JsonWebToken,
  { capture }: ReadableCapture,
  captures: readonly ReadableCapture[],
  secrets: readonly string[],
  effort: Effort,
  tried: Set<string>,
): Confirmed | string | undefined {
  const algorithm = algorithms.find((name) => name === token.algorithm);
  if (algorithm === undefined)
    return `a JSON Web Token with an algorithm that is not taken; ${algorithms.join(', ')} are`;
  const payloadHash = findHash(token, capture.body);
  if (payloadHash === undefined)
    return 'a JSON Web Token without a hash of the body in any claim (SHA-256, SHA-384 or SHA-512; hex, base64 or base64url): such a token proves nothing about the body, unless the body was changed on its way here';

  const rules = algorithm.startsWith('HS') ? candidateKeys(secrets).map(({ rule }) => rule) : [utf8];
  const scheme = {
    scheme: 'jwt',
    algorithm,
    header,
    prefix: token.prefix,
    payloadHash,
    urlHash: findHash(token, capture.url) ?? null,
    id: typeof token.claims.jti === 'string' ? { claim: 'jti' } : null,
  } as const;
  const name = JSON.stringify(scheme);
  if (tried.has(name)) return undefined;
  tried.add(name);
  // Where a token does not say when it was made, it says from when on it counts, which is the same time.
  const claim = ['iat', 'nbf'].find((name) => typeof token.claims[name] === 'number');
  let best: Confirmed | undefined;
  for (const secret of rules) {
    effort.spend(100);
    const found = confirm(
      (toleranceSeconds) => ({
        ...scheme,
        secret,
        timestamp: claim === undefined ? null : { claim, toleranceSeconds },
      }),
      captures,
      secrets,
    );
    if ('scheme' in found && found.fits > (best?.fits ?? 0)) best = found;
  }
  return best ?? `a JSON Web Token (${algorithm}) that none of the secrets signed`;
}

/** The claim that holds a hash of the content. */
function findHash({ claims }: JsonWebToken, content: string | Uint8Array): HashClaim | undefined {
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
