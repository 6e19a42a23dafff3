import { expect, test } from 'vitest';
import { consoleInBrowser } from './support/browser.ts';
import { routeProvider } from './support/provider.ts';

const browser = consoleInBrowser();

/** Opens a page without a session, whose users sign in at a provider from now on. */
async function openSignedOut(endpoints: 'fixed' | 'discovered') {
  const opened = await browser.open('/', { role: null });
  await opened.page.getByText('Your session has ended').waitFor();
  return { ...opened, provider: await routeProvider(opened.context, browser.server().url, endpoints) };
}

test('a renewal without a connection keeps the page, and a later one continues', async () => {
  const { page, provider } = await openSignedOut('fixed');
  await page.clock.install();
  await page.goto('/replies');
  await page.getByText('42 entries').waitFor();
  provider.isReachable = false;
  await page.clock.fastForward(45_000);
  const stale = page.getByText('The newest refresh failed');
  await stale.waitFor();
  expect(provider).toMatchObject({ signIns: 1, renewals: 0 });
  provider.isReachable = true;
  await page.clock.fastForward(11_000);
  await stale.waitFor({ state: 'detached' });
  expect(provider.signIns).toBe(1);
  expect(provider.renewals).toBeGreaterThan(0);
  await page.getByText('42 entries').waitFor();
});

test('a renewal that the provider refuses leads to a new sign-in, and back to the same page', async () => {
  const { page, provider } = await openSignedOut('fixed');
  await page.clock.install();
  await page.goto('/replies');
  await page.getByText('42 entries').waitFor();
  provider.refuses = true;
  const signIn = page.waitForRequest('**/provider/authorize?*');
  await page.clock.fastForward(45_000);
  await signIn;
  await page.waitForURL('**/replies');
  await page.getByText('42 entries').waitFor();
  expect(provider.signIns).toBe(2);
});

test('a sign-in whose configuration cannot be read says so', async () => {
  const { page, context } = await openSignedOut('fixed');
  await context.route('**/config.json', (route) => route.abort());
  await page.goto('/signed-in?code=code&state=state');
  await page.getByText('The sign-in did not work').waitFor();
});

test('a provider that does not answer is reported, and the sign-in can be repeated', async () => {
  const { page, provider } = await openSignedOut('discovered');
  provider.isReachable = false;
  await page.goto('/replies');
  await page.getByText('The sign-in did not work').waitFor();
  const signIn = page.getByRole('button', { name: 'Sign in' });
  await signIn.click();
  await page.getByText('The sign-in service does not answer').waitFor();
  provider.isReachable = true;
  await signIn.click();
  await page.waitForURL('**/replies');
  await page.getByText('42 entries').waitFor();
});
