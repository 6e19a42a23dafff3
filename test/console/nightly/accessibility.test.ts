import { beforeEach, expect, test } from 'vitest';
import { expectAccessible, expectPageForAll, settle } from '../support/accessibility.ts';
import { consoleInBrowser } from '../support/browser.ts';
import { problem } from '../support/console-server.ts';

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

test.each(Object.entries(pages))(
  'axe finds no violation in either theme, nor on a phone, and a first visit loads at most 230 KB of scripts: %s',
  async (name, path) => expectPageForAll(browser, name, path),
);

test('no page in Portuguese is wider than a phone', async () => {
  const { page } = await browser.open('/', { viewport: { width: 390, height: 844 }, locale: 'pt-BR' });
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path);
    await settle(page);
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(390);
  }
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
