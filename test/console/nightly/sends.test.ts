import { expect, test } from 'vitest';
import { consoleInBrowser } from '../support/browser.ts';
import { problem } from '../support/console-server.ts';
import { download } from '../support/download.ts';
import { figuresOf } from '../support/figures.ts';

const browser = consoleInBrowser();

test('the sends show how each is doing, highlight a high failure rate, and follow their messages', async () => {
  const { page } = await browser.open('/sends', { hasClock: true });
  await page.getByText('62 entries').waitFor();
  const spring = page.getByRole('row').filter({ hasText: 'spring-2026' });
  expect(await spring.textContent()).toMatch(/12,480[\s\S]*92.8%[\s\S]*7.2%/);
  expect(await page.locator('[data-alarming]').count()).toBe(1);
  const tonight = page.getByRole('row').filter({ hasText: 'tonight' });
  expect(await tonight.getByRole('img').getAttribute('aria-label')).toBe(
    'Delivered: 483, Failed: 6, Pending: 311',
  );
  Object.assign(browser.server().fixtures.sends[0] ?? {}, figuresOf(800, 0.1));
  await page.clock.fastForward(11_000);
  await tonight.getByText('10.0%').waitFor();
  await tonight.getByRole('link').click();
  await page.waitForURL('**/sends/tonight');
});

test('sends are ordered by failures and found by name, and all are in the document for a search of the browser', async () => {
  const { page } = await browser.open('/sends', { role: 'operator' });
  await page.getByText('62 entries').waitFor();
  const rows = page.locator('.list-body [role=row]');
  expect(await rows.count()).toBe(62);
  expect(await rows.last().textContent()).toContain('newsletter-1');
  await page.getByLabel('Order').selectOption('Worst first');
  await page.locator('[data-index="0"]').filter({ hasText: 'spring-2026' }).waitFor();
  const { lines } = await download(page, 'Download CSV');
  expect(lines[1]).toMatch(/^spring-2026,/);
  const name = page.getByLabel('Name');
  await name.fill('LETTER-1');
  await page.getByText('11 entries').waitFor();
  await page.waitForURL('**/sends?order=worst&name=LETTER-1');
  await name.fill('letter*');
  await page.getByText('No send of this time has this name.').waitFor();
  await name.fill('to*');
  await page.getByText('1 entry').waitFor();
  await page.waitForURL(/name=to(\*|%2A)$/);
  await page.reload();
  await page.getByText('1 entry').waitFor();
});

test('a send and the overview show spend and segments only if reports have them', async () => {
  const { page } = await browser.open('/sends/tonight', { hasClock: true });
  const facts = page.locator('.facts-row');
  await facts.getByText('Segments').waitFor();
  expect(await facts.textContent()).toMatch(
    /Spend\$4.59 The spend is that of the 483 of 800 messages whose price the service reports.Segments960/,
  );
  Object.assign(browser.server().fixtures.sends[0] ?? {}, { segments: 0, spend: [] });
  await page.clock.fastForward(6000);
  await expect.poll(() => facts.textContent()).not.toMatch(/Spend|Segments/);
  const { page: overview } = await browser.open('/');
  await overview.locator('.facts-row').getByText('Spend', { exact: true }).waitFor();
});

test('a send shows its states live, and a failure reason leads to its messages', async () => {
  const { page } = await browser.open('/sends/spring-2026', { hasClock: true });
  await page.getByText('7.2% high').waitFor();
  Object.assign(browser.server().fixtures.sends[1] ?? {}, figuresOf(12_480, 0.012));
  await page.clock.fastForward(6000);
  await page.locator('.tile').filter({ hasText: '1.2%' }).waitFor();
  await page.getByRole('link', { name: 'The carrier rejected it' }).click();
  await page.waitForURL(/state=failed&reason=carrier_rejected&code=30007#messages$/);
  await page.getByText('52 entries').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('messages');
  expect(await page.getByLabel('Reason', { exact: true }).inputValue()).toBe('carrier_rejected');
  await page.reload();
  await page.getByText('52 entries').waitFor();
});

test('the failures of a send can be downloaded with reason and code', async () => {
  const { page } = await browser.open('/sends/spring-2026', { role: 'operator' });
  const { lines } = await download(page, 'Download failures as CSV');
  expect(lines[0]).toBe(
    '\uFEFFmessage,status,number,reason,code,send,statusAt,firstSeenAt,price,currency,segments,network,carrier',
  );
  expect(lines).toHaveLength(263);
  expect(lines[2]).toMatch(/^msg-f0000,undelivered,.*,unreachable,30003,spring-2026,/);
});

test('without figures a send shows its messages, and the sends say how to switch figures on', async () => {
  browser.server().fixtures.sends = [];
  const { page } = await browser.open('/sends/spring-2026');
  await page.getByText('No figures of this send are kept.').waitFor();
  await page.getByText('100+ entries').waitFor();
  browser.server().overrides.set('/v1/sends', problem(404, 'insights-off', 'Set sms:insights to on.'));
  await page.goto('/sends');
  await page.getByText('Figures are switched off').waitFor();
  await page.getByText('set it to on, and deploy').waitFor();
});

test('an unknown send looks different from one without messages', async () => {
  browser.server().fixtures.sends = [];
  const { page } = await browser.open('/sends/nothing');
  await page.locator('.notice', { hasText: 'This send is not known' }).waitFor();
});

test('figures that arrive late move nothing that is in sight', async () => {
  const held = Promise.withResolvers<void>();
  const { page } = await browser.open('/sends/spring-2026', {
    viewport: { width: 390, height: 844 },
    prepare: async (context) => {
      await context.addInitScript(`new PerformanceObserver((list) => {
        window.shift = list.getEntries().reduce((sum, { value }) => sum + value, window.shift ?? 0);
      }).observe({ type: 'layout-shift', buffered: true })`);
      await context.route('**/v1/sends/spring-2026', async (route) => {
        await held.promise;
        await route.continue();
      });
    },
  });
  await page.locator('.list-body [data-index="0"]').waitFor();
  held.resolve();
  await page.getByRole('heading', { name: 'Time to delivery' }).waitFor();
  expect(await page.evaluate('window.shift ?? 0')).toBeLessThan(0.05);
});

test('long codes and ids stay within the page of a phone', async () => {
  const { fixtures } = browser.server();
  const long = 'X'.repeat(90);
  const [tonight] = fixtures.sends;
  if (tonight === undefined) throw new Error('The fixtures have no send.');
  Object.assign(tonight, {
    sendId: long,
    failures: [{ reason: 'unknown', code: long, messages: tonight.failed }],
  });
  const { page } = await browser.open(`/sends/${long}?state=failed&reason=unknown&code=${long}`, {
    viewport: { width: 390, height: 844 },
  });
  await page.getByText('other codes').or(page.locator('.code-of-reason')).first().waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
});

test('a link to the messages of a send shows them, also where the figures above arrive late', async () => {
  const held = Promise.withResolvers<void>();
  const { page } = await browser.open('/sends/spring-2026#messages', {
    prepare: (context) =>
      context.route('**/v1/sends/spring-2026', async (route) => {
        await held.promise;
        await route.continue();
      }),
  });
  await page.getByText('100+ entries').waitFor();
  held.resolve();
  await page.getByRole('heading', { name: 'Time to delivery' }).waitFor();
  const heading = page.getByRole('heading', { name: 'Messages', level: 2 });
  const top = async () => (await heading.boundingBox())?.y;
  await expect.poll(top).toBeGreaterThan(50);
  await expect.poll(top).toBeLessThan(140);
});
