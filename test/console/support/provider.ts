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
}

export const newProvider = (): Provider => ({
  isReachable: true,
  refuses: false,
  forged: {},
  signIns: 0,
  exchanges: 0,
  renewals: 0,
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
  const config = {
    issuer: url,
    clientId: 'console',
    ...(endpoints === 'fixed' && { authorizationEndpoint, tokenEndpoint }),
  };
  let nonce = '';
  await context.route('**/config.json', (route) => route.fulfill({ json: config }));
  await context.route('**/.well-known/openid-configuration', (route) =>
    provider.isReachable
      ? route.fulfill({
          json: { issuer: url, authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint },
        })
      : route.abort(),
  );
  await context.route('**/provider/authorize?*', async (route) => {
    provider.signIns += 1;
    const query = new URL(route.request().url()).searchParams;
    nonce = provider.forged.nonce ?? query.get('nonce') ?? '';
    const state = provider.forged.state ?? query.get('state') ?? '';
    const back = `${url}/signed-in?${new URLSearchParams({ code: 'code', state })}`;
    const body = `<script>location.replace(${JSON.stringify(back)})</script>`;
    await route.fulfill({ contentType: 'text/html', body });
  });
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
      refresh_token: 'refresh',
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
