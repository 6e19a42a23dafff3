import type { Page } from 'playwright-core';
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

/** Returns what the page has of numbers, in its text and in its attributes. */
const numbersIn = (page: Page) =>
  page.evaluate<string[]>('document.documentElement.outerHTML.match(/\\+?1 ?202[ -]?555[ -]?\\d+/g) ?? []');

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Display' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
};

/** Does what a browser does when Back brings a page from its cache. */
const bringBack = (page: Page) =>
  page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))");

/** Lets an hour pass in which the page would ask, and expects that it asks nothing. */
async function expectSilent(page: Page): Promise<void> {
  const { requests } = browser.server();
  requests.length = 0;
  await page.clock.fastForward(tokenAgeMs);
  // The page would ask in the turns that follow.
  await page.evaluate("fetch('/icon.svg')");
  expect(requests).toEqual([]);
}

async function openOptOuts(options: SignedOutOptions = {}) {
  const opened = await openSignedOut('/opt-outs', { hasClock: true, ...options });
  await expect.poll(() => numbersIn(opened.page)).not.toEqual([]);
  return opened;
}

test('a page whose user signs out keeps no number and asks nothing, also if the browser brings it back', async () => {
  const { page, provider } = await openOptOuts();
  provider.staysAtPage = true;
  const left = page.waitForRequest('**/provider/logout');
  await signOut(page);
  await left;
  await page.getByText('No token is left on this page.').waitFor();
  expect(await numbersIn(page)).toEqual([]);
  await expect.poll(() => provider.revoked).toEqual(['refresh-1']);
  await expectSilent(page);
  await bringBack(page);
  await page.getByText('No token is left on this page.').waitFor();
  expect(provider).toMatchObject({ signIns: 1, exchanges: 1, renewals: 0 });
});

test('a page whose session the provider ends keeps no number, and begins again if the browser brings it back', async () => {
  const { page, context, provider } = await openOptOuts();
  Object.assign(provider, { refuses: true, staysAtPage: true });
  const signIn = page.waitForRequest('**/provider/authorize?*');
  await page.clock.fastForward(tokenAgeMs);
  await signIn;
  expect(await numbersIn(page)).toEqual([]);
  await expectSilent(page);
  // The server with fixtures knows its users by a cookie.
  await context.clearCookies();
  const again = page.waitForRequest('**/provider/authorize?*');
  await bringBack(page);
  await again;
  expect(await numbersIn(page)).toEqual([]);
});

test('a sign-out ends the session of the other tabs too', async () => {
  const { page, context, provider } = await openOptOuts();
  // The server with fixtures knows its users by a cookie, and the other tab signs in for itself.
  await context.clearCookies();
  const other = await context.newPage();
  await other.goto('/opt-outs', { waitUntil: 'commit' });
  await expect.poll(() => numbersIn(other)).not.toEqual([]);
  await signOut(page);
  await page.waitForURL('**/signed-out');
  await other.getByText('You are signed out').waitFor();
  expect(await numbersIn(other)).toEqual([]);
  await expect.poll(() => provider.revoked.toSorted()).toEqual(['refresh-1', 'refresh-2']);
  await other.getByRole('button', { name: 'Sign in' }).click();
  await other.waitForURL('**/');
  await other.getByRole('heading', { name: 'Overview' }).waitFor();
});

test('a token that is renewed during a sign-out is revoked, and no request has it', async () => {
  const { page, context, provider } = await openOptOuts();
  provider.staysAtPage = true;
  const held = Promise.withResolvers<void>();
  await context.route('**/provider/token', async (route) => {
    await held.promise;
    await route.fallback();
  });
  const renewal = page.waitForRequest('**/provider/token');
  await page.clock.fastForward(tokenAgeMs);
  await renewal;
  await signOut(page);
  await page.getByText('You are signed out').waitFor();
  browser.server().requests.length = 0;
  held.resolve();
  await expect.poll(() => provider.revoked).toEqual(['refresh-1', 'refresh-2']);
  await expectSilent(page);
});

test('a sign-out ends the session of the provider also where the token cannot be revoked', async () => {
  const { page, provider } = await openOptOuts();
  provider.isReachable = false;
  await signOut(page);
  await page.waitForURL('**/signed-out');
  expect(provider.revoked).toEqual([]);
  expect(await numbersIn(page)).toEqual([]);
});

test('a sign-out at a provider without an address for that says that its session stays', async () => {
  const { page, provider } = await openSignedOut('/replies', { endpoints: 'discovered' });
  await page.getByText('42 entries').waitFor();
  await signOut(page);
  await page.waitForURL('**/signed-out?provider=signed-in');
  await page.getByText('You are still signed in at your sign-in service').waitFor();
  expect(await page.getByText('You are signed out').count()).toBe(0);
  await expect.poll(() => provider.revoked).toEqual(['refresh-1']);
});
