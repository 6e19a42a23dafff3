import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { isObject } from '../../contract/text/json.ts';
import { parseJson } from '../aws-protocol/http.ts';
import { UserError } from '../terminal/terminal.ts';
import { ok, type Route, type SandboxRequest, unauthorized } from './router.ts';

const lifetimeSeconds = 3600;

/** The tokens of the sandbox, and the routes that issue and revoke them. */
export interface Tokens {
  readonly routes: readonly Route[];
  /** Returns whether the request has a token that is neither revoked nor expired. */
  isValid(headers: IncomingHttpHeaders): boolean;
  /** The number of valid tokens. */
  count(): number;
  /** Invalidates all tokens. */
  expireAll(): void;
}

/** Makes the token routes that the contract describes. @throws UserError for a contract whose answer cannot be built */
export function createTokens(contract: Contract, apiKey: string, clock: () => number): Tokens {
  const { exchange, revoke } = contract.service.token;
  const validUntil = new Map<string, number>();
  const accessTokenPath = plainPath('accessToken', exchange.accessToken);
  const expiresInPath = exchange.expiresIn === null ? undefined : plainPath('expiresIn', exchange.expiresIn);

  function exchangeToken(request: SandboxRequest) {
    if (presentedKey(exchange.apiKey, request) !== exchange.apiKey.prefix + apiKey)
      return unauthorized('Expected the API key of the sandbox');
    const token = `sandbox-token-${randomBytes(18).toString('base64url')}`;
    validUntil.set(token, clock() + lifetimeSeconds * 1000);
    const answer = { token_type: 'Bearer' };
    place(answer, accessTokenPath, token);
    if (expiresInPath !== undefined) place(answer, expiresInPath, lifetimeSeconds);
    return ok(answer);
  }

  const exchangeRoute = { ...exchange, isProtected: false, answer: exchangeToken };
  const revokeRoute = revoke && {
    ...revoke,
    isProtected: true,
    answer: ({ headers }: SandboxRequest) => {
      validUntil.delete(bearerToken(headers));
      return { status: 204 };
    },
  };
  return {
    routes: revokeRoute ? [exchangeRoute, revokeRoute] : [exchangeRoute],
    isValid: (headers) => clock() < (validUntil.get(bearerToken(headers)) ?? 0),
    count: () => [...validUntil.values()].filter((time) => clock() < time).length,
    expireAll: () => validUntil.clear(),
  };
}

function bearerToken(headers: IncomingHttpHeaders): string {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

type KeyPlace = Contract['service']['token']['exchange']['apiKey'];

function presentedKey({ in: where, name }: KeyPlace, { headers, query, text }: SandboxRequest): unknown {
  if (where === 'header') return headers[name.toLowerCase()];
  if (where === 'query') return query.get(name);
  const body = parseJson(text);
  return isObject(body) ? body[name] : undefined;
}

/** The steps of a JMESPath expression that is a dotted path. The sandbox can write an answer only for such an expression. */
function plainPath(name: string, expression: string): string[] {
  return expression.split('.').map((step) => {
    const match = /^(?:([A-Za-z_]\w*)|"([^"\\]+)")$/.exec(step);
    const key = match?.[1] ?? match?.[2];
    if (key !== undefined) return key;
    const place = `service.token.exchange.${name}`;
    throw new UserError(
      `The sandbox cannot answer the token exchange of this contract: ${place} must be a dotted path, for example data.token`,
    );
  });
}

function place(
  target: Record<string, unknown>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = target[name];
  const next = isObject(inner) ? inner : {};
  target[name] = next;
  place(next, rest, value);
}
