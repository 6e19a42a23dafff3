import { expect, test } from 'vitest';
import { consoleInBrowser } from '../support/browser.ts';
import { download } from '../support/download.ts';

const browser = consoleInBrowser();

test('the focus returns to the row that was opened', async () => {
  const { page } = await browser.open('/messages?state=failed');
  const link = page.locator('[data-index="2"] a').first();
  await link.click();
  await page.getByRole('heading', { name: 'Message', exact: true }).waitFor();
  await page.goBack();
  await page.locator('[data-index="2"] a:focus').first().waitFor();
  // Another way to the list begins at its top.
  await page.getByRole('link', { name: 'Replies' }).click();
  await page.getByText('42 entries').waitFor();
  await page.getByRole('link', { name: 'Failures' }).click();
  await page.locator('[data-index="2"]').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
});

test('tabs of messages and sends differ by their titles, which have no number', async () => {
  const { page } = await browser.open('/messages/msg-conflict');
  await expect.poll(() => page.title()).toBe('Message msg-conflict · SMS console');
  await page.goto('/sends/spring-2026');
  await expect.poll(() => page.title()).toBe('Send spring-2026 · SMS console');
  await page.goto('/conversations/m~msg-conflict');
  await expect.poll(() => page.title()).toBe('Conversation · SMS console');
  await page.goto(`/messages/${encodeURIComponent('msg-12025550143')}`);
  await expect.poll(() => page.title()).toBe('Message · SMS console');
});

test('the id of a send is copied on its page and on that of a message', async () => {
  const { page } = await browser.open('/sends/spring-2026');
  await page.getByRole('button', { name: 'Copy Send' }).waitFor();
  await page.goto('/messages/msg-conflict');
  await page.getByRole('button', { name: 'Copy Send' }).waitFor();
});

test('a file is named for the filters of its list', async () => {
  const { page } = await browser.open(
    '/messages?state=failed&range=7d&status=rejected&reason=carrier_rejected',
    {
      role: 'operator',
    },
  );
  expect((await download(page, 'Download CSV')).name).toMatch(/^failures-rejected-carrier_rejected-7d-\d{4}/);
  await page.goto('/quarantine?reason=missing-field');
  expect((await download(page, 'Download CSV')).name).toMatch(/^quarantine-missing-field-7d-\d{4}/);
  await page.goto('/sends?name=news*');
  expect((await download(page, 'Download CSV')).name).toMatch(/^sends-news-30d-\d{4}/);
  await page.goto('/sends/spring-2026?state=failed&reason=landline&code=30006');
  expect((await download(page, 'Download CSV')).name).toMatch(
    /^send-spring-2026-failed-landline-30006-\d{4}/,
  );
});

test('why an entry stays in the quarantine is said in Portuguese', async () => {
  const id = browser.server().fixtures.quarantine[0]?.id ?? '';
  const { page } = await browser.open(`/quarantine/${encodeURIComponent(id)}`, {
    role: 'operator',
    locale: 'pt-BR',
  });
  await page.getByRole('button', { name: 'Reprocessar' }).click();
  const body = { outcome: 'unreadable', why: 'the contract still cannot read it' };
  browser.server().overrides.set('/v1/quarantine', { status: 200, body });
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reprocessar' }).click();
  await page.getByText('O item continua na quarentena: o contrato ainda não consegue lê-lo').waitFor();
});
