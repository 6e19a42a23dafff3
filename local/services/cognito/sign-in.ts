import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { listen, loopbackUrl } from '../../aws-protocol/http.ts';

/** The users of the sign-in by their ids, each with its groups. */
const users: Readonly<Record<string, readonly string[]>> = {
  'local-viewer': ['viewer'],
  'local-support': ['support'],
  'local-operator': ['operator'],
  'local-guest': [],
};

export interface SignInClient {
  readonly clientId: string;
  readonly redirectUris: readonly string[];
  readonly signedOutUris: readonly string[];
  /** How long an access token is valid. */
  readonly tokenMinutes: number;
}

/** A run is shorter. */
const sessionSeconds = 10 * 3600;

/** What the access tokens are for. */
const resource = 'urn:sms-event-pipeline:console';

const groupsClaim = 'cognito:groups';

/**
 * Starts the sign-in of a user pool: authorization code with PKCE, rotated refresh tokens, a session until the sign-out. Its page has a link for
 * each user in place of a password.
 */
export async function startSignIn(port: number, client: SignInClient): Promise<Server> {
  const provider = new Provider(loopbackUrl(port), await configurationOf(client));
  provider.on('server_error', (_, error) => console.error(`sign-in: ${error.message}`));
  const answer = provider.callback();
  return listen(port, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const [, page, uid = '', user] = pathname.split('/');
    if (page === 'sign-in') return void signIn(provider, { uid, user }, request, response);
    if (page === 'logout') return redirect(response, endSession(searchParams));
    return void answer(request, response);
  });
}

/** Cognito's sign-out has an address and parameters of its own. */
function endSession(parameters: URLSearchParams): string {
  const standard = new URLSearchParams({
    client_id: parameters.get('client_id') ?? '',
    post_logout_redirect_uri: parameters.get('logout_uri') ?? '',
  });
  return `/session/end?${standard}`;
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end();
}

async function signIn(
  provider: Provider,
  { uid, user }: { readonly uid: string; readonly user: string | undefined },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (user !== undefined && Object.hasOwn(users, user)) {
    await provider.interactionFinished(request, response, { login: { accountId: user } });
    return;
  }
  const links = Object.keys(users).map((id) => `<li><a href="/sign-in/${uid}/${id}">${id}</a></li>`);
  page(response, `<h1>Sign in as</h1><ul>${links.join('')}</ul>`);
}

function page(response: Pick<ServerResponse, 'writeHead' | 'end'>, body: string): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(
    `<!doctype html><html lang="en"><title>Sign-in of this machine</title><body>${body}</body></html>`,
  );
}

async function configurationOf(client: SignInClient): Promise<Configuration> {
  const { clientId, redirectUris, signedOutUris, tokenMinutes } = client;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const groupsOf = (user: string) => users[user] ?? [];
  return {
    clients: [
      {
        client_id: clientId,
        redirect_uris: [...redirectUris],
        post_logout_redirect_uris: [...signedOutUris],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: randomUUID(), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomUUID()] },
    routes: { authorization: '/oauth2/authorize', token: '/oauth2/token' },
    scopes: ['openid'],
    claims: { openid: ['sub', groupsClaim] },
    conformIdTokenClaims: false,
    ttl: {
      AccessToken: tokenMinutes * 60,
      AuthorizationCode: 60,
      Grant: sessionSeconds,
      IdToken: tokenMinutes * 60,
      Interaction: sessionSeconds,
      RefreshToken: sessionSeconds,
      Session: sessionSeconds,
    },
    pkce: { required: () => true },
    clientBasedCORS: (_, origin) => redirectUris.some((uri) => new URL(uri).origin === origin),
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    findAccount: async (_, id) => ({
      accountId: id,
      claims: async () => ({ sub: id, [groupsClaim]: groupsOf(id) }),
    }),
    // There is no question whether the page may know who the user is.
    loadExistingGrant: async ({ oidc }) => {
      const accountId = oidc.session?.accountId;
      if (accountId === undefined || oidc.client === undefined) return undefined;
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId });
      grant.addOIDCScope('openid');
      grant.addResourceScope(resource, 'openid');
      await grant.save();
      return grant;
    },
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'openid',
          audience: clientId,
          accessTokenFormat: 'jwt',
          accessTokenTTL: tokenMinutes * 60,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
      rpInitiatedLogout: {
        enabled: true,
        // The page's button was the question already.
        logoutSource: (ctx, form) => {
          ctx.body = `<!doctype html><title>Sign-out</title>${form}<script>
            const form = document.forms[0];
            form.insertAdjacentHTML('beforeend', '<input type="hidden" name="logout" value="yes">');
            form.submit();</script>`;
        },
      },
    },
    formats: {
      customizers: {
        // Access tokens of Cognito hold the groups too.
        jwt: (_, _token, parts) => {
          const groups = groupsOf(String(parts.payload.sub));
          parts.payload = { ...parts.payload, scope: 'openid', token_use: 'access', [groupsClaim]: groups };
        },
      },
    },
  };
}
