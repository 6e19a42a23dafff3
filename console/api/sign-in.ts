import * as oauth from 'oauth4webapi';
import { returnPath } from '../rules/return-path.ts';
import { endSession, keepBearer, type SessionEnd } from './bearer.ts';
import { elsewhereIn } from './console-types.ts';

/** What the provider led the browser here for, or how the session ended. */
export type Arrival =
  | { readonly kind: 'open' }
  | SessionEnd
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
  readonly revocationEndpoint?: string;
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

/** The tabs of the console report a sign-out to each other. */
const signOutsName = 'sms-console-sign-out';

/** A token is renewed this long before it expires, in milliseconds. */
const renewEarlyMs = 30_000;

/** The stand-in of one machine has no certificate. */
const options = (config: SignInConfig) => ({
  [oauth.allowInsecureRequests]: new URL(config.issuer).hostname === '127.0.0.1',
});

const redirectUri = () => `${window.location.origin}/signed-in`;

async function serverOf(config: SignInConfig): Promise<oauth.AuthorizationServer> {
  const { issuer, authorizationEndpoint, tokenEndpoint, revocationEndpoint } = config;
  if (authorizationEndpoint !== undefined && tokenEndpoint !== undefined)
    return {
      issuer,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: tokenEndpoint,
      ...(revocationEndpoint !== undefined && { revocation_endpoint: revocationEndpoint }),
    };
  const response = await oauth.discoveryRequest(new URL(issuer), options(config));
  return oauth.processDiscoveryResponse(new URL(issuer), response);
}

/**
 * Leads the browser to the provider: authorization code with PKCE.
 *
 * @param returnTo the path to show afterwards
 * @param known the provider, if the page has found it before
 */
export async function startSignIn(
  config: SignInConfig,
  returnTo: string,
  known?: oauth.AuthorizationServer,
): Promise<void> {
  const server = known ?? (await serverOf(config));
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
  // Back may bring the page from the cache of the browser, and would show that it waits for the provider.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.location.reload();
  });
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

/** The session of the user who signed in. */
interface SignedIn {
  readonly config: SignInConfig;
  readonly server: oauth.AuthorizationServer;
  readonly signOuts: BroadcastChannel;
  readonly tokens: Tokens;
}

interface Tokens {
  readonly idToken: string;
  readonly refreshToken: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The only place that has tokens; undefined before a sign-in, and after the end of the session. */
let signedIn: SignedIn | undefined;

/** The renewal that runs now. */
let renewal: Promise<void> | undefined;

/** Keeps tokens in memory, and renews them while the provider allows it. Then the user signs in again. */
function keepTokens(
  config: SignInConfig,
  server: oauth.AuthorizationServer,
  first: oauth.TokenEndpointResponse,
): void {
  const signOuts = new BroadcastChannel(signOutsName);
  signOuts.addEventListener('message', ({ data }) => {
    if (signedIn !== undefined) void endSignedIn(signedIn, data === true);
  });
  signedIn = { config, server, signOuts, tokens: tokensOf(first) };
  keepBearer(currentToken);
}

/** Never resolves after the end of the session: no request goes out then, nor one that waited for a renewal. */
async function currentToken(): Promise<string> {
  if (signedIn !== undefined && Date.now() > signedIn.tokens.expiresAt - renewEarlyMs) {
    renewal ??= renew(signedIn).finally(() => {
      renewal = undefined;
    });
    await renewal;
  }
  return signedIn?.tokens.idToken ?? new Promise(() => {});
}

async function renew(before: SignedIn): Promise<void> {
  const { config, server, tokens } = before;
  if (tokens.refreshToken === undefined) return signInAgain();
  try {
    const client = { client_id: config.clientId };
    const response = await oauth.refreshTokenGrantRequest(
      server,
      client,
      oauth.None(),
      tokens.refreshToken,
      options(config),
    );
    const renewed = await oauth.processRefreshTokenResponse(server, client, response);
    if (renewed.id_token === undefined) return signInAgain();
    const after = { ...before, tokens: tokensOf(renewed, tokens.refreshToken) };
    // The user may have signed out meanwhile.
    if (signedIn === before) signedIn = after;
    else await revoke(after);
  } catch (error) {
    if (isRefusal(error)) return signInAgain();
    throw error;
  }
}

/** @param refreshToken the one in force: a provider that rotates none sends no other one */
function tokensOf(answer: oauth.TokenEndpointResponse, refreshToken?: string): Tokens {
  return {
    idToken: String(answer.id_token),
    refreshToken: answer.refresh_token ?? refreshToken,
    expiresAt: expiryOf(answer),
  };
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

/** Leaves for a new sign-in, unless the user signed out meanwhile. */
async function signInAgain(): Promise<void> {
  if (signedIn === undefined) return;
  const { config, server } = signedIn;
  signedIn = undefined;
  endSession({ kind: 'expired' });
  await startSignIn(config, returnPath(window.location), server);
}

/** Forgets the tokens and all that the page shows, and has the provider revoke the refresh token: a copy of it is then of no use. */
async function endSignedIn(before: SignedIn, isElsewhereIn: boolean): Promise<void> {
  signedIn = undefined;
  endSession({ kind: 'signed-out', isElsewhereIn });
  await revoke(before);
}

/** Resolves when the request is on its way, which goes on while the browser leaves. A token that was not revoked ends by itself. */
function revoke({ config, server, tokens }: SignedIn): Promise<void> {
  const { refreshToken } = tokens;
  if (refreshToken === undefined || server.revocation_endpoint === undefined) return Promise.resolve();
  const client = { client_id: config.clientId };
  return new Promise((resolve) => {
    const send: typeof fetch = (url, init) => {
      resolve();
      return fetch(url, { ...init, keepalive: true });
    };
    oauth
      .revocationRequest(server, client, oauth.None(), refreshToken, {
        ...options(config),
        [oauth.customFetch]: send,
      })
      .catch(() => resolve());
  });
}

/** Ends the session here, in the other tabs, and at the provider if it can. It leads to a page that does not sign in by itself. */
export async function signOut(): Promise<void> {
  if (signedIn === undefined) return;
  const before = signedIn;
  const { config, server, tokens } = before;
  const isElsewhereIn = config.signOutUrl === undefined && server.end_session_endpoint === undefined;
  before.signOuts.postMessage(isElsewhereIn);
  await endSignedIn(before, isElsewhereIn);
  window.location.assign(config.signOutUrl ?? endSessionUrl(config, server, tokens));
}

function endSessionUrl(
  { clientId }: SignInConfig,
  { end_session_endpoint: endSession }: oauth.AuthorizationServer,
  { idToken }: Tokens,
): string | URL {
  const back = `${window.location.origin}/signed-out`;
  if (endSession === undefined) return `${back}?${elsewhereIn}`;
  const url = new URL(endSession);
  url.searchParams.set('client_id', clientId);
  url.searchParams.set('post_logout_redirect_uri', back);
  url.searchParams.set('id_token_hint', idToken);
  return url;
}
