import * as oauth from 'oauth4webapi';
import { returnPath } from '../rules/return-path.ts';
import { keepBearer } from './bearer.ts';
import { elsewhereIn } from './console-types.ts';

/** What the provider led the browser here for. */
export type Arrival =
  | { readonly kind: 'open' }
  /** `isElsewhereIn`: the provider has no address that ends its session. */
  | { readonly kind: 'signed-out'; readonly isElsewhereIn: boolean }
  /** The address that `sms console` printed was opened before, or is an old one. */
  | { readonly kind: 'used-address' }
  /** The sign-in did not work; `reason` is a code of OAuth or the name of an error, `returnTo` the path that was asked for. */
  | { readonly kind: 'failed'; readonly reason: string; readonly returnTo?: string };

/** config.json beside the page. */
export interface SignInConfig {
  readonly issuer: string;
  readonly clientId: string;
  /** The addresses of a provider; without them the page finds them by discovery. */
  readonly authorizationEndpoint?: string;
  readonly tokenEndpoint?: string;
  /** Where a sign-out goes, for a provider with an address of its own for that. */
  readonly signOutUrl?: string;
}

/** What a sign-in needs again after the redirect. It is of no use to other pages, and holds no token. */
interface Pending {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
  readonly returnTo: string;
}

const pendingKey = 'sms-console-sign-in';

/** A token is renewed this long before it expires, in milliseconds. */
const renewEarlyMs = 30_000;

/** The stand-in of one machine has no certificate. */
const options = (config: SignInConfig) => ({
  [oauth.allowInsecureRequests]: new URL(config.issuer).hostname === '127.0.0.1',
});

const redirectUri = () => `${window.location.origin}/signed-in`;

async function serverOf(config: SignInConfig): Promise<oauth.AuthorizationServer> {
  const { issuer, authorizationEndpoint, tokenEndpoint } = config;
  if (authorizationEndpoint !== undefined && tokenEndpoint !== undefined)
    return { issuer, authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint };
  const response = await oauth.discoveryRequest(new URL(issuer), options(config));
  return oauth.processDiscoveryResponse(new URL(issuer), response);
}

/** Leads the browser to the provider: authorization code with PKCE. @param returnTo the path to show afterwards */
export async function startSignIn(config: SignInConfig, returnTo: string): Promise<void> {
  const server = await serverOf(config);
  const pending: Pending = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    returnTo,
  };
  sessionStorage.setItem(pendingKey, JSON.stringify(pending));
  const url = new URL(server.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: config.clientId,
    redirect_uri: redirectUri(),
    scope: 'openid email',
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
  }).toString();
  window.location.assign(url);
}

/** Exchanges the code that the provider led the browser back with for tokens, and shows the path that was asked for. */
export async function finishSignIn(config: SignInConfig): Promise<Arrival> {
  const pending = takePending();
  if (pending === undefined) return { kind: 'failed', reason: 'not_begun_here' };
  try {
    const server = await serverOf(config);
    const client = { client_id: config.clientId };
    const url = new URL(window.location.href);
    const parameters = oauth.validateAuthResponse(server, client, url, pending.state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri(),
      pending.verifier,
      options(config),
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: pending.nonce,
      requireIdToken: true,
    });
    keepTokens(config, server, tokens);
    window.history.replaceState(null, '', pending.returnTo);
    return { kind: 'open' };
  } catch (error) {
    return { kind: 'failed', reason: reasonOf(error), returnTo: pending.returnTo };
  }
}

/** Returns a code: the description of an error may be of another page. */
function reasonOf(error: unknown): string {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return error.error;
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}

function takePending(): Pending | undefined {
  const text = sessionStorage.getItem(pendingKey);
  sessionStorage.removeItem(pendingKey);
  return text === null ? undefined : pendingOf(JSON.parse(text));
}

/** Reads what {@link keepPending} stored; undefined for what another version of the page stored. */
function pendingOf(value: unknown): Pending | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { verifier, state, nonce, returnTo }: Partial<Record<keyof Pending, unknown>> = value;
  const isPending = [verifier, state, nonce, returnTo].every((part) => typeof part === 'string');
  return isPending
    ? { verifier: String(verifier), state: String(state), nonce: String(nonce), returnTo: String(returnTo) }
    : undefined;
}

let idToken: string | undefined;

/** Keeps tokens in memory, and renews them while the provider allows it. Then the user signs in again. */
function keepTokens(
  config: SignInConfig,
  server: oauth.AuthorizationServer,
  first: oauth.TokenEndpointResponse,
): void {
  let refreshToken = first.refresh_token;
  let expiresAt = expiryOf(first);
  idToken = first.id_token;
  let renewal: Promise<void> | undefined;

  async function renew(): Promise<void> {
    const client = { client_id: config.clientId };
    if (refreshToken === undefined) return signInAgain(config);
    try {
      const response = await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        refreshToken,
        options(config),
      );
      const renewed = await oauth.processRefreshTokenResponse(server, client, response);
      if (renewed.id_token === undefined) return signInAgain(config);
      // A provider that rotates no refresh tokens leaves the old one in force.
      refreshToken = renewed.refresh_token ?? refreshToken;
      expiresAt = expiryOf(renewed);
      idToken = renewed.id_token;
    } catch (error) {
      if (isRefusal(error)) return signInAgain(config);
      throw error;
    }
  }

  keepBearer(async () => {
    if (Date.now() > expiresAt - renewEarlyMs) {
      renewal ??= renew().finally(() => {
        renewal = undefined;
      });
      await renewal;
    }
    return String(idToken);
  });
}

/** Whether the provider refuses to renew. Other errors, such as a missing connection, may pass, and the next request tries again. */
function isRefusal(error: unknown): boolean {
  const isOfProvider =
    error instanceof oauth.ResponseBodyError || error instanceof oauth.WWWAuthenticateChallengeError;
  return isOfProvider && error.status < 500 && error.status !== 429;
}

/** Returns when the ID token expires, in milliseconds since the epoch. */
function expiryOf(tokens: oauth.TokenEndpointResponse): number {
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  return claims === undefined ? Date.now() + (tokens.expires_in ?? 300) * 1000 : claims.exp * 1000;
}

/** Never resolves: the browser is leaving the page. */
async function signInAgain(config: SignInConfig): Promise<never> {
  await startSignIn(config, returnPath(window.location));
  return new Promise(() => {});
}

/** Ends the session of the provider if it can, and shows a page that does not sign in by itself. */
export async function signOut(config: SignInConfig): Promise<void> {
  const back = `${window.location.origin}/signed-out`;
  if (config.signOutUrl !== undefined) return window.location.assign(config.signOutUrl);
  const { end_session_endpoint: endSession } = await serverOf(config);
  if (endSession === undefined) return window.location.assign(`${back}?${elsewhereIn}`);
  const url = new URL(endSession);
  url.searchParams.set('client_id', config.clientId);
  url.searchParams.set('post_logout_redirect_uri', back);
  if (idToken !== undefined) url.searchParams.set('id_token_hint', idToken);
  window.location.assign(url);
}
