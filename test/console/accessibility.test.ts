import { beforeEach, expect, test } from 'vitest';
import { expectPageForAll, settle } from './support/accessibility.ts';
import { consoleInBrowser } from './support/browser.ts';

const browser = consoleInBrowser();

// The rows of a list are alike, and axe looks at each.
beforeEach(() => {
  browser.server().fixtures.pageSize = 8;
  browser.server().fixtures.sources = ['main', 'backup'];
});

// The other pages: test/console/nightly/accessibility.test.ts.
test('axe finds no violation in the overview in either theme, nor on a phone, and a first visit loads at most 230 KB of scripts', async () => {
  await expectPageForAll(browser, 'overview', '/');
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
