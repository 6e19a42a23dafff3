import { expect, test } from 'vitest';
import { consoleInBrowser } from '../support/browser.ts';
import { download } from '../support/download.ts';

const browser = consoleInBrowser();
const ground = 'getComputedStyle(document.documentElement).backgroundColor';

test('the theme follows the system until the viewer chooses one, which holds for the next visit', async () => {
  const { page } = await browser.open('/', { colorScheme: 'dark' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  const dark = await page.evaluate(ground);
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await page.evaluate(ground);
  expect(light).not.toBe(dark);
  await page.getByRole('button', { name: 'Display' }).click();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(() => page.evaluate(ground)).toBe(dark);
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.evaluate(ground)).toBe(dark);
});

test('a Brazilian browser gets Portuguese, with times and counts of that language', async () => {
  const { page } = await browser.open('/messages?state=failed', { locale: 'pt-BR' });
  await page.getByRole('heading', { name: 'Falhas' }).waitFor();
  await page.getByText('100+ itens').waitFor();
  await page.getByRole('cell', { name: 'O telefone estava fora de alcance' }).first().waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('pt-BR');
  expect(await page.locator('[data-index="0"] time').textContent()).toMatch(/^\d\d\/\d\d\/\d{4}, /);
});

test('a browser in UTC is not offered UTC as another zone', async () => {
  const { page } = await browser.open('/', { timezoneId: 'UTC' });
  await page.locator('footer .footnote').waitFor();
  expect((await page.locator('footer .footnote').textContent())?.trim()).toBe('Times are in UTC.');
});

test('every page works on a phone by its navigation', async () => {
  const { page } = await browser.open('/', { viewport: { width: 390, height: 844 }, hasTouch: true });
  for (const name of ['Overview', 'Sends', 'Failures', 'Replies', 'Opt-outs', 'Quarantine', 'Health']) {
    await page.getByRole('link', { name, exact: true }).tap();
    await page.getByRole('heading', { name, exact: true, level: 1 }).waitFor();
  }
  expect(await page.getByRole('link', { name: 'Health', exact: true }).isVisible()).toBe(true);
});

test('a link that is the page keeps its place on a phone when the marks of links arrive', async () => {
  const held = Promise.withResolvers<void>();
  const { page } = await browser.open('/health', {
    viewport: { width: 390, height: 844 },
    prepare: (context) =>
      context.route('**/v1/**', async (route) => {
        await held.promise;
        await route.continue();
      }),
  });
  const link = page.getByRole('link', { name: 'Health', exact: true });
  const right = async () => {
    const box = await link.boundingBox();
    return box === null ? undefined : box.x + box.width;
  };
  await expect.poll(right).toBeLessThanOrEqual(390);
  held.resolve();
  await link.locator('.nav-mark').waitFor();
  await page.locator('.nav-count').waitFor();
  await expect.poll(right).toBeLessThanOrEqual(390);
});

test('the chosen time zone is that of all times, of a download, of the next visit and of a shared address', async () => {
  const { page } = await browser.open('/messages?state=failed', { role: 'operator' });
  const time = page.locator('[data-index="0"] time');
  const at = new Date((await time.getAttribute('datetime')) ?? '');
  const hours = (timeZone: string) => at.toLocaleTimeString('en-GB', { timeZone });
  expect(await time.textContent()).toContain(`${hours('America/Sao_Paulo')}`);
  const timeOfFile = async () => (await download(page, 'Download CSV')).lines[1]?.split(',')[6];
  expect(await timeOfFile()).toMatch(/-03:00$/);
  await page.getByRole('button', { name: 'Display' }).click();
  await page.getByRole('radio', { name: 'UTC' }).check();
  await page.keyboard.press('Escape');
  await page.waitForURL('**/messages?state=failed&zone=utc');
  expect(await time.textContent()).toMatch(new RegExp(`, ${hours('UTC')}.*America/Sao_Paulo$`));
  expect(await timeOfFile()).toBe(at.toISOString());
  await page.getByRole('link', { name: 'Overview', exact: true }).click();
  await page.waitForURL('**/?zone=utc');
  await page.getByText('Times are in UTC.').waitFor();
  const shared = page.url();
  await page.goto('/replies');
  await page.waitForURL('**/replies?zone=utc');

  const { page: other } = await browser.open(shared);
  await other.getByText('Times are in UTC.').waitFor();
  await other.getByRole('button', { name: 'Display' }).click();
  await other.getByRole('radio', { name: 'Local time' }).check();
  await other.getByText('Times are in America/Sao_Paulo.').waitFor();
  await expect.poll(() => other.url()).not.toContain('zone');
});

test.each([
  ['en-US', 'Overview: 20 Nov 2020 – 25 Nov 2020 (UTC)', 'Loading…'],
  ['pt-BR', 'Visão geral: 20/11/2020 – 25/11/2020 (UTC)', 'Carregando…'],
])('the first figures have days and words of the language: %s', async (locale, title, loading) => {
  const { page } = await browser.open('/?from=2020-11-20&to=2020-11-25', {
    locale,
    // The code that shows the page does not arrive.
    prepare: (context) => context.route('**/assets/start-*.js', () => {}),
  });
  const first = page.locator('#first');
  await first.getByText(title, { exact: true }).waitFor();
  expect(await first.locator('.frame-loading').textContent()).toBe(loading);
});

test('no label of a filter reaches into its field on a phone', async () => {
  const { page } = await browser.open('/messages?state=failed', {
    locale: 'pt-BR',
    viewport: { width: 390, height: 844 },
  });
  await page.locator('.choice label').first().waitFor();
  const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('.choice label')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map(({ textContent }) => textContent)`);
  expect(cut).toEqual([]);
});
