import { beforeEach, expect, test } from 'vitest';
import { expectAccessible, settle, violationsOf } from './support/accessibility.ts';
import { consoleInBrowser } from './support/browser.ts';
import { problem } from './support/console-server.ts';

const browser = consoleInBrowser();

// The rows of a list are alike, and axe looks at each.
beforeEach(() => {
  browser.server().fixtures.pageSize = 8;
  browser.server().fixtures.sources = ['main', 'backup'];
});

const pages = {
  overview: '/',
  providers: '/providers',
  failures: '/messages?state=failed',
  'failures of a country, by the first report':
    '/messages?state=failed&by=first&country=BR&reason=unreachable',
  unknown: '/messages?state=unknown',
  message: '/messages/msg-conflict',
  proof: '/messages/msg-conflict/proof',
  conversation: '/conversations/r~rep-hostile',
  replies: '/replies',
  'opt-outs': '/opt-outs',
  quarantine: '/quarantine',
  health: '/health',
  sends: '/sends',
  send: '/sends/spring-2026',
  'unknown message': '/messages/none',
  'no page': '/nowhere',
};

/** What the console may load: 230 KB of compressed JavaScript for all of its pages. */
const maxBytes = 230_000;

test.each(Object.entries(pages))(
  'axe finds no violation in either theme, nor on a phone, and a first visit loads at most 230 KB of scripts: %s',
  async (name, path) => {
    const { page } = await browser.open(path, { role: 'operator' });
    await settle(page);
    await expectAccessible(page, name);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    expect(await violationsOf(page, ['color-contrast', 'target-size'])).toEqual([]);
    const bytes = [...browser.server().scriptBytes.values()].reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
  },
);

test('no page in Portuguese is wider than a phone', async () => {
  const { page } = await browser.open('/', { viewport: { width: 390, height: 844 }, locale: 'pt-BR' });
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path);
    await settle(page);
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(390);
  }
});

test('in forced colours a bar, the report that decides and the page of the navigation are still marked', async () => {
  const { page } = await browser.open('/sends/spring-2026', { forcedColors: 'active' });
  const ground = (selector: string, pseudo = '') =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}'), '${pseudo}').backgroundColor`);
  await page.locator('.bar-table .bar').first().waitFor();
  const card = await ground('.card');
  for (const bar of ['.bar > span', '.outcome-bar > [data-outcome=delivered]'])
    expect(await ground(bar)).not.toBe(card);
  expect(await ground('.nav-link[aria-current]')).not.toBe(await ground('.nav-link:not([aria-current])'));
  await page.goto('/messages/msg-conflict');
  await page.locator('.timeline > [data-decides]').waitFor();
  expect(await ground('.timeline > [data-decides]', '::before')).not.toBe(
    await ground('.timeline > :not([data-decides])', '::before'),
  );
});

test('axe finds no violation in an entry of the quarantine, nor in the question before a replay', async () => {
  const id = browser.server().fixtures.quarantine[1]?.id ?? '';
  const { page } = await browser.open(`/quarantine/${encodeURIComponent(id)}`, { role: 'operator' });
  const replay = page.getByRole('button', { name: 'Replay' });
  await replay.waitFor();
  await expectAccessible(page, 'entry');
  await replay.click();
  await page.getByRole('alertdialog').waitFor();
  await expectAccessible(page, 'replay');
});

test('axe finds no violation in the results of a search, nor in the display settings', async () => {
  const { page } = await browser.open('/');
  await page.getByRole('searchbox').fill('msg-f0001');
  await page.keyboard.press('Enter');
  await page.getByText('More than one was found').waitFor();
  await expectAccessible(page, 'search');
  await page.getByRole('button', { name: 'Display' }).click();
  await page.getByRole('dialog').waitFor();
  await expectAccessible(page, 'display');
});

test('axe finds no violation in errors, nor without a session', async () => {
  browser.server().overrides.set('/v1/replies', problem(500, 'internal', 'The query failed.'));
  const { page, context } = await browser.open('/replies');
  await page.getByRole('alert').waitFor();
  await expectAccessible(page, 'error');
  await context.clearCookies();
  await page.reload();
  await page.getByText('Your session has ended').waitFor();
  await expectAccessible(page, 'session');
});

test('every page has one heading of the first level, and the keyboard reaches the content first by a skip link', async () => {
  const { page } = await browser.open('/replies');
  await page.getByRole('row').nth(1).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
});

test('a new page gets the focus, also Pending after Failures, and a filter keeps it', async () => {
  const { page } = await browser.open('/messages?state=failed');
  const focused = () => page.evaluate('document.activeElement.id || document.activeElement.tagName');
  await page.getByLabel('Status').focus();
  await page.getByLabel('Status').selectOption('rejected');
  await page.waitForURL('**status=rejected**');
  await settle(page);
  expect(await focused()).not.toBe('content');
  await page.getByRole('link', { name: 'Pending' }).click();
  await page.getByRole('heading', { name: 'Pending', level: 1 }).waitFor();
  await expect.poll(focused).toBe('content');
});

test('a button keeps the focus while it works and afterwards', async () => {
  const id = browser.server().fixtures.quarantine[0]?.id ?? '';
  const { page } = await browser.open(`/quarantine/${encodeURIComponent(id)}`, { role: 'operator' });
  const replay = page.getByRole('button', { name: 'Replay' });
  await replay.press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replay' }).press('Enter');
  await page.getByText('The entry was handed to the pipeline again.').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Replay');
  expect(await replay.getAttribute('aria-disabled')).toBe('true');
});

test('the button of a download keeps the focus while it works and afterwards', async () => {
  const { page } = await browser.open('/messages?state=failed', { role: 'operator' });
  await settle(page);
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/messages?*', async (route) => {
    await held.promise;
    await route.continue();
  });
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).press('Enter');
  const focused = page.locator('.download button:focus');
  await focused.filter({ hasNotText: 'Download CSV' }).waitFor();
  held.resolve();
  await saved;
  await focused.filter({ hasText: 'Download CSV' }).waitFor();
});
