import { expect, test } from 'vitest';
import { expectAccessible, settle } from '../support/accessibility.ts';
import { consoleInBrowser } from '../support/browser.ts';
import { problem } from '../support/console-server.ts';

const browser = consoleInBrowser();

test('every page opens without a connection, and shows its content once there is one again', async () => {
  const { page, context } = await browser.open('/');
  await settle(page);
  await context.setOffline(true);
  const pages = page.getByRole('navigation');
  for (const name of ['Sends', 'Failures', 'Opt-outs', 'Quarantine', 'Health', 'Replies']) {
    await pages.getByRole('link', { name, exact: true }).click();
    await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
  }
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await context.setOffline(false);
  await again.click();
  await page.getByText('42 entries').waitFor();
});

test('an answer of another form breaks one page only, which can be tried again', async () => {
  const { overrides } = browser.server();
  overrides.set('/v1/health', { status: 200, body: { checks: 'none' } });
  const { page } = await browser.open('/health');
  await page.getByRole('heading', { name: 'This page does not work' }).waitFor();
  await expectAccessible(page, 'a page that fails');
  await page.getByRole('link', { name: 'Replies', exact: true }).click();
  await page.getByText('42 entries').waitFor();
  await page.goBack();
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  overrides.clear();
  await again.click();
  await page.getByText('1 check failed, 1 warning').waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Health');
});

test('on a slow link the frame of the page is there before its code and the session are', async () => {
  const [code, session] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { page } = await browser.open('/replies', {
    prepare: async (context) => {
      await context.route('**/assets/*.js', async (route) => {
        await code.promise;
        await route.continue();
      });
      await context.route('**/session', async (route) => {
        await session.promise;
        await route.continue();
      });
    },
  });
  const frame = page.locator('#frame .brand');
  await frame.waitFor();
  await page.getByText('Carregando…').waitFor();
  code.resolve();
  await page.getByRole('status').getByText('Loading').waitFor();
  expect(await frame.isVisible()).toBe(true);
  session.resolve();
  await page.getByText('42 entries').waitFor();
  expect(await frame.isVisible()).toBe(false);
});

test('a page says when it was refreshed, why it no longer is, and goes on by itself', async () => {
  const { overrides } = browser.server();
  const { page, context } = await browser.open('/replies', { hasClock: true });
  const updated = page.locator('.updated time');
  const first = await updated.getAttribute('datetime');
  await page.clock.fastForward(11_000);
  await expect.poll(() => updated.getAttribute('datetime')).not.toBe(first);
  await context.setOffline(true);
  await page.clock.fastForward(11_000);
  await page.getByText(/You see the state of .*\. The server cannot be reached\./).waitFor();
  await expectAccessible(page, 'a page without a connection');
  await page.getByText('42 entries').waitFor();
  await context.setOffline(false);
  overrides.set('/v1/replies', problem(503, 'unavailable', 'A sentence.'));
  await page.clock.fastForward(61_000);
  await page.getByText('The database does not answer in time.').waitFor();
  overrides.clear();
  await page.route('**/v1/replies?*', (route) => route.fulfill({ body: '<p>Sign in to this network</p>' }));
  await page.clock.fastForward(61_000);
  await page.getByText('The answer of the server cannot be read.').waitFor();
  await page.unroute('**/v1/replies?*');
  await page.clock.fastForward(61_000);
  await updated.waitFor();
});

test.each(['/opt-outs', '/health', '/messages/msg-late', '/'])(
  '%s, which could not be read, is read again by itself, and stays calm meanwhile',
  async (path) => {
    const { overrides, requests } = browser.server();
    overrides.set('/v1/', problem(500, 'internal', 'The query failed.'));
    const { page } = await browser.open(path, { hasClock: true });
    const failure = page.getByRole('alert').first();
    await failure.getByText('The server answered 500: The query failed. The console tries again').waitFor();
    await page.evaluate(
      "new MutationObserver(() => { window.isRestless = true; }).observe(document.querySelector('[role=alert]').parentElement, { childList: true })",
    );
    const asked = requests.length;
    await page.clock.fastForward(6000);
    await expect.poll(() => requests.length).toBeGreaterThan(asked);
    expect(await page.evaluate('window.isRestless')).toBe(undefined);
    overrides.clear();
    await page.clock.fastForward(61_000);
    await failure.waitFor({ state: 'detached' });
    await page.locator('.updated').waitFor();
  },
);

/** What the first view loads before it asks for its data, compressed: at 50 KB a second it takes less than a second. */
const maxFirstBytes = 26_000;

test('the overview shows its figures before the code of the page is there, and loads one language', async () => {
  const held = Promise.withResolvers<void>();
  const server = browser.server();
  const { page } = await browser.open('/', {
    prepare: (context) =>
      context.route(/assets\/(?:start|unread-notes)-[^/]+\.js$/, async (route) => {
        await held.promise;
        await route.continue();
      }),
  });
  await expect.poll(() => server.requests.some(({ url }) => url.startsWith('/v1/insights'))).toBe(true);
  const bytes = [...server.scriptBytes.values()].reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(5000);
  expect(bytes).toBeLessThanOrEqual(maxFirstBytes);
  // The frame has the figures that the page will have.
  const first = page.locator('#first .tile');
  await first.first().waitFor();
  const numbers = await first.locator('.tile-number').allTextContents();
  expect(await page.locator('#frame').getAttribute('aria-hidden')).toBe(null);
  held.resolve();
  await page.locator('main .tile').first().waitFor();
  expect(await page.locator('main .tile .tile-number').allTextContents()).toEqual(numbers);
  expect(await page.locator('#frame').isVisible()).toBe(false);
  expect([...server.scriptBytes.keys()].filter((name) => name.includes('portuguese'))).toEqual([]);
});
