import type { BrowserContext } from 'playwright-core';

export interface Provider {
  /** Without it no request reaches the provider. Tests change it. */
  isReachable: boolean;
  /** Whether it renews no token. Tests change it. */
  refuses: boolean;
  /** What it answers in place of the state and the nonce of the page. Tests change it. */
  forged: { readonly state?: string; readonly nonce?: string };
  /** How often the browser came to sign in. */
  signIns: number;
  /** How often a code was exchanged for tokens. */
  exchanges: number;
  /** How often a token was renewed. */
  renewals: number;
  /** The refresh tokens that were revoked. */
  readonly revoked: string[];
  /** Whether it keeps the browser at the page, which so shows what the browser may keep of it. Tests change it. */
  staysAtPage: boolean;
}

export const newProvider = (): Provider => ({
  isReachable: true,
  refuses: false,
  forged: {},
  signIns: 0,
  exchanges: 0,
  renewals: 0,
  revoked: [],
  staysAtPage: false,
});

/**
 * Answers as an OpenID Connect provider that signs everybody in as operator, on the console's own origin. Its tokens expire after an hour.
 *
 * @param endpoints whether config.json has the addresses of the provider, or the page finds them by discovery
 */
export async function routeProvider(
  context: BrowserContext,
  url: string,
  endpoints: 'fixed' | 'discovered',
  provider: Provider,
): Promise<void> {
  const authorizationEndpoint = `${url}/provider/authorize`;
  const tokenEndpoint = `${url}/provider/token`;
  const revocationEndpoint = `${url}/provider/revoke`;
  const signOutUrl = `${url}/provider/logout`;
  const config = {
    issuer: url,
    clientId: 'console',
    ...(endpoints === 'fixed' && {
      authorizationEndpoint,
      tokenEndpoint,
      revocationEndpoint,
      signOutUrl,
    }),
  };
  let nonce = '';
  await context.route('**/config.json', (route) => route.fulfill({ json: config }));
  await context.route('**/.well-known/openid-configuration', (route) =>
    provider.isReachable
      ? route.fulfill({
          json: {
            issuer: url,
            authorization_endpoint: authorizationEndpoint,
            token_endpoint: tokenEndpoint,
            revocation_endpoint: revocationEndpoint,
          },
        })
      : route.abort(),
  );
  await context.route('**/provider/authorize?*', async (route) => {
    provider.signIns += 1;
    if (provider.staysAtPage) return route.fulfill({ status: 204 });
    const query = new URL(route.request().url()).searchParams;
    nonce = provider.forged.nonce ?? query.get('nonce') ?? '';
    const state = provider.forged.state ?? query.get('state') ?? '';
    const back = `${url}/signed-in?${new URLSearchParams({ code: 'code', state })}`;
    const body = `<script>location.replace(${JSON.stringify(back)})</script>`;
    await route.fulfill({ contentType: 'text/html', body });
  });
  await context.route('**/provider/revoke', async (route) => {
    if (!provider.isReachable) return route.abort();
    const { token } = Object.fromEntries(new URLSearchParams(route.request().postData() ?? ''));
    if (token !== undefined) provider.revoked.push(token);
    await route.fulfill({ status: 200 });
  });
  await context.route('**/provider/logout', (route) =>
    provider.staysAtPage
      ? route.fulfill({ status: 204 })
      : route.fulfill({
          contentType: 'text/html',
          body: `<script>location.replace(${JSON.stringify(`${url}/signed-out`)})</script>`,
        }),
  );
  await context.route('**/provider/token', async (route) => {
    const isRenewal = route.request().postData()?.includes('grant_type=refresh_token') === true;
    if (!provider.isReachable) return route.abort();
    if (isRenewal && provider.refuses)
      return route.fulfill({ status: 400, json: { error: 'invalid_grant' } });
    provider[isRenewal ? 'renewals' : 'exchanges'] += 1;
    // The server with fixtures knows a role by its cookie.
    await context.addCookies([{ name: 'role', value: 'operator', url }]);
    const token = {
      access_token: 'access',
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: `refresh-${provider.exchanges + provider.renewals}`,
      // Tests move the clock of the page by an hour, and the first token expires then.
      id_token: idToken(url, nonce, provider.exchanges + provider.renewals > 1 ? 2 : 1),
    };
    await route.fulfill({ json: token });
  });
}

/** Returns an id token with a made-up signature: the page trusts the connection to the provider. */
function idToken(iss: string, nonce: string, hours: number): string {
  const seconds = Math.floor(Date.now() / 1000);
  const claims = { iss, nonce, sub: 'user', aud: 'console', iat: seconds, exp: seconds + hours * 3600 };
  const parts = [{ alg: 'RS256' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...parts, Buffer.from('signature').toString('base64url')].join('.');
}
