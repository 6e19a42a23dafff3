import { expect, test } from 'vitest';
import { settle } from './support/accessibility.ts';
import { consoleInBrowser } from './support/browser.ts';

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
