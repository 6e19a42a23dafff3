import type { IncomingHttpHeaders } from 'node:http';
import { createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod';
import type { Authorize, Authorized } from './api.ts';
import { messageAnswer } from './payload.ts';

/** What a token has to be: `JwtConfiguration` of AWS::ApiGatewayV2::Authorizer, and `AuthorizationScopes` of its route. */
export interface TokenRules {
  readonly issuer: string;
  readonly audience: readonly string[];
  /** One of them is enough; none for any token. */
  readonly scopes: readonly string[];
}

/** Returns the keys of an issuer. */
export type Issuers = (issuer: string) => Promise<JWTVerifyGetKey>;

const discovery = z.looseObject({ jwks_uri: z.url() });

/** Finds the keys of issuers by discovery, once. */
export function remoteIssuers(): Issuers {
  const known = new Map<string, Promise<JWTVerifyGetKey>>();
  return (issuer) => {
    const keys = known.get(issuer) ?? discover(issuer);
    known.set(issuer, keys);
    // A provider that does not answer now may do so at the next request.
    keys.catch(() => known.delete(issuer));
    return keys;
  };
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  return createRemoteJWKSet(new URL(discovery.parse(await response.json()).jwks_uri));
}

const rejected = (status: number, message: string): Authorized => {
  const answer = messageAnswer(status, message);
  const headers = { ...answer.headers, ...(status === 401 && { 'www-authenticate': 'Bearer' }) };
  return { kind: 'rejected', answer: { ...answer, headers } };
};

/**
 * Authorizes requests by a JSON Web Token, as API Gateway does ("Control access to HTTP APIs with JWT authorizers", developer guide): algorithms
 * of RSA only, the issuer, the times, the audience, or the client where a token has no audience, and a scope of the route.
 */
export function authorizeByToken({ issuer, audience, scopes }: TokenRules, issuers: Issuers): Authorize {
  return async (headers, now) => {
    const claims = await verified(headers, { issuer, now }, issuers);
    if (claims === undefined || !isFor(claims, audience)) return rejected(401, 'Unauthorized');
    const granted = scopesOf(claims);
    if (scopes.length > 0 && !scopes.some((scope) => granted.includes(scope)))
      return rejected(403, 'Forbidden');
    return { kind: 'authorized', authorizer: { jwt: { claims: asTexts(claims), scopes: granted } } };
  };
}

async function verified(
  { authorization = '' }: IncomingHttpHeaders,
  { issuer, now }: { readonly issuer: string; readonly now: number },
  issuers: Issuers,
): Promise<JWTPayload | undefined> {
  const token = authorization.replace(/^Bearer /i, '');
  try {
    const { payload } = await jwtVerify(token, await issuers(issuer), {
      issuer,
      algorithms: ['RS256', 'RS384', 'RS512'],
      currentDate: new Date(now),
      requiredClaims: ['exp'],
    });
    return payload;
  } catch {
    return undefined;
  }
}

function isFor({ aud, client_id: clientId }: JWTPayload, audience: readonly string[]): boolean {
  const named = aud === undefined ? [String(clientId)] : [aud].flat();
  return named.some((one) => audience.includes(one));
}

function scopesOf({ scope, scp }: JWTPayload): readonly string[] {
  return String(scope ?? scp ?? '')
    .split(' ')
    .filter((one) => one !== '');
}

/** API Gateway passes claims on as texts; a list is `[a b]`. */
function asTexts(claims: JWTPayload): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [
      name,
      Array.isArray(value) ? `[${value.join(' ')}]` : String(value),
    ]),
  );
}
