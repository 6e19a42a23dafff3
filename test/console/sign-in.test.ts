import { expect, test } from 'vitest';
import { consoleInBrowser } from './support/browser.ts';
import { newProvider, type Provider, routeProvider } from './support/provider.ts';

const browser = consoleInBrowser();

/** Until the page renews its token, in milliseconds: seconds before it expires. */
const tokenAgeMs = 3_590_000;

interface SignedOutOptions {
  readonly hasClock?: boolean;
  /** Changes what the provider answers. */
  readonly change?: Partial<Provider>;
  readonly endpoints?: 'fixed' | 'discovered';
}

/** Opens a page without a session, whose users sign in at a provider. */
async function openSignedOut(path: string, options: SignedOutOptions = {}) {
  const { change = {}, endpoints = 'fixed', hasClock = false } = options;
  const provider: Provider = { ...newProvider(), ...change };
  const { url } = browser.server();
  const opened = await browser.open(path, {
    role: null,
    hasClock,
    prepare: (context) => routeProvider(context, url, endpoints, provider),
  });
  return { ...opened, provider };
}

test('a renewal without a connection keeps the page, and a later one continues', async () => {
  const { page, provider } = await openSignedOut('/replies', { hasClock: true });
  await page.getByText('42 entries').waitFor();
  provider.isReachable = false;
  await page.clock.fastForward(tokenAgeMs);
  const stale = page.getByText('You see the state of');
  await stale.waitFor();
  expect(provider).toMatchObject({ signIns: 1, renewals: 0 });
  provider.isReachable = true;
  await page.clock.fastForward(61_000);
  await stale.waitFor({ state: 'detached' });
  expect(provider.signIns).toBe(1);
  expect(provider.renewals).toBeGreaterThan(0);
  await page.getByText('42 entries').waitFor();
});

test('a renewal that the provider refuses leads to a new sign-in, and back to the same page', async () => {
  const { page, provider } = await openSignedOut('/replies', { hasClock: true });
  await page.getByText('42 entries').waitFor();
  provider.refuses = true;
  const signIn = page.waitForRequest('**/provider/authorize?*');
  await page.clock.fastForward(tokenAgeMs);
  await signIn;
  await page.waitForURL('**/replies');
  await page.getByText('42 entries').waitFor();
  expect(provider.signIns).toBe(2);
});

test.each([
  ['a code with another state is not exchanged', { state: 'other' }, 0],
  ['a token with another nonce is refused', { nonce: 'other' }, 1],
])('%s', async (_, forged, exchanges) => {
  const { page, provider } = await openSignedOut('/replies', { change: { forged } });
  await page.getByText('The sign-in did not work').waitFor();
  expect(provider).toMatchObject({ signIns: 1, exchanges });
  expect(browser.server().requests.filter(({ url }) => url.startsWith('/v1/'))).toEqual([]);
  provider.forged = {};
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/replies');
});

test('a code that this page did not ask for is not exchanged', async () => {
  const { page, provider } = await openSignedOut('/signed-in?code=stolen&state=other');
  await page.getByText('The sign-in did not work').waitFor();
  expect(provider).toMatchObject({ signIns: 0, exchanges: 0 });
});

test('a sign-in whose configuration cannot be read says so', async () => {
  const { page } = await browser.open('/signed-in?code=code&state=state', {
    role: null,
    prepare: (context) => context.route('**/config.json', (route) => route.abort()),
  });
  await page.getByText('The sign-in did not work').waitFor();
});

test('a provider that does not answer is reported, and the sign-in can be repeated', async () => {
  const { page, provider } = await openSignedOut('/replies', {
    endpoints: 'discovered',
    change: { isReachable: false },
  });
  await page.getByText('The sign-in did not work').waitFor();
  const signIn = page.getByRole('button', { name: 'Sign in' });
  await signIn.click();
  await page.getByText('The sign-in service does not answer').waitFor();
  provider.isReachable = true;
  await signIn.click();
  await page.waitForURL('**/replies');
  await page.getByText('42 entries').waitFor();
});

test('a sign-out at a provider without an address for that says that its session stays', async () => {
  const { page } = await openSignedOut('/replies', { endpoints: 'discovered' });
  await page.getByText('42 entries').waitFor();
  await page.getByRole('button', { name: 'Display' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are still signed in at your sign-in service').waitFor();
  expect(await page.getByText('You are signed out').count()).toBe(0);
});
