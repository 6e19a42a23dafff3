import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { settle } from '../support/accessibility.ts';
import { consoleInBrowser } from '../support/browser.ts';

const browser = consoleInBrowser();

/** A4 upright with the usual edges of a browser, in pixels of CSS. */
const paper = { width: 718, height: 1047 };

const pages = {
  overview: '/',
  providers: '/providers',
  failures: '/messages?state=failed',
  pending: '/messages?state=pending',
  message: '/messages/msg-conflict',
  conversation: '/conversations/m~msg-yesterday',
  replies: '/replies',
  'opt-outs': '/opt-outs',
  quarantine: '/quarantine',
  health: '/health',
  sends: '/sends',
  send: '/sends/spring-2026',
};

/** Returns what the paper would cut: parts beyond its edge, and texts that are wider than their place. */
const cutParts = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('main *')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .filter((element) => !element.closest('.visually-hidden, .utc, [aria-hidden=true]'))
    .filter((element) => {
      const { left, right, width } = element.getBoundingClientRect();
      const isBeyond = width > 0 && (right > innerWidth + 1 || left < -1);
      const hides = getComputedStyle(element).overflowX !== 'visible' && !(element instanceof SVGElement);
      return isBeyond || (hides && element.scrollWidth > element.clientWidth + 1);
    })
    .map((element) => element.tagName + '.' + element.getAttribute('class') + ': ' + element.textContent.slice(0, 40))`);

/** Returns how many rows of a list begin above the end of the row before. */
const overlaps = (page: Page, rows: string) =>
  page.evaluate<number>(`[...document.querySelectorAll('${rows}')]
    .map((row) => row.getBoundingClientRect())
    .filter(({ top }, index, all) => index > 0 && top < all[index - 1].bottom - 1).length`);

/** The text that a reader sees. */
const seen = async (page: Page) =>
  (await page.locator('main').allInnerTexts()).join(' ').replace(/\s+/g, ' ');

test.each(['en-US', 'pt-BR'])(
  'no printed page cuts a column or a chart, or has what only a screen can use: %s',
  async (locale) => {
    browser.server().fixtures.sources = ['main', 'backup'];
    const { page } = await browser.open('/', { role: 'operator', locale });
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(path);
      await settle(page);
      await page.setViewportSize(paper);
      await page.emulateMedia({ media: 'print' });
      expect(await cutParts(page), name).toEqual([]);
      for (const selector of ['.nav', '.search', '.who', '.button', '.icon-button', 'summary'])
        expect(await page.locator(`${selector}:visible`).count(), `${name}: ${selector}`).toBe(0);
      expect(await page.locator('.top:visible .brand-name').textContent()).toBe('SmsPipeline');
      // With the year and the zone.
      expect(await page.locator('.updated').textContent(), name).toMatch(
        /\d{4},? \d\d:\d\d.*America\/Sao_Paulo/s,
      );
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  },
);

test('a printed list has each loaded row, one below the other', async () => {
  const { fixtures } = browser.server();
  const [reply] = fixtures.replies;
  if (reply === undefined) throw new Error('The fixtures have no reply.');
  fixtures.replies = Array.from({ length: 700 }, (_, index) => ({
    ...reply,
    replyId: `r${index}`,
    text: `${index}`,
  }));
  fixtures.pageSize = 700;
  const { page } = await browser.open('/replies');
  const rows = page.locator('.list-body [role=row]');
  await rows.first().waitFor();
  expect(await rows.count()).toBeLessThan(700);
  // What the browser does before it prints.
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: 'print' });
  await page.locator('[data-index="699"]').waitFor();
  expect(await rows.count()).toBe(700);
  expect(await overlaps(page, '.list-body [role=row]')).toBe(0);
  await page.emulateMedia({ media: 'screen' });
  await page.locator('[data-index="699"]').waitFor({ state: 'detached' });
  expect(await rows.count()).toBeLessThan(700);
});

test('a printed conversation has each loaded entry, one below the other', async () => {
  const { fixtures } = browser.server();
  const entries = fixtures.replies
    .concat(fixtures.replies)
    .map((reply, index) => ({ kind: 'reply' as const, ...reply, replyId: `r${index}` }));
  fixtures.conversation = () => ({
    number: '+12025550143',
    optOut: null,
    statements: [],
    entries,
    next: null,
  });
  const { page } = await browser.open('/conversations/r~rep-1');
  await page.locator('.bubbles > li').first().waitFor();
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: 'print' });
  await page.locator(`.bubbles [data-index="${entries.length - 1}"]`).waitFor();
  expect(await page.locator('.bubbles > li').count()).toBe(entries.length);
  expect(await overlaps(page, '.bubbles > li')).toBe(0);
});

test.each([
  ['en-US', 'Print a proof', 'Proof of one message', 'What “Delivered” means', 'not signed'],
  [
    'pt-BR',
    'Imprimir um comprovante',
    'Comprovante de uma mensagem',
    'O que “Entregue” significa',
    'não é assinado',
  ],
])('a message has a proof for paper: %s', async (locale, button, title, meaning, limit) => {
  const { page } = await browser.open('/messages/msg-conflict', { role: 'operator', locale });
  await page.getByRole('link', { name: button }).click();
  await page.getByRole('heading', { name: title }).waitFor();
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: 'print' });
  const text = await seen(page);
  expect(text).toContain('Pipeline SmsPipeline');
  expect(text).toContain('+1 202 555 0143');
  expect(text).toContain('c0ffee12beef');
  expect(text).toContain('Acme SMS');
  expect(text).toContain('“DELIVRD”, “handset <ok>”');
  // Each of three reports, when it happened and was received; when the first was received, and when the page was made.
  expect(text.match(/\d{4}, \d\d:\d\d:\d\d \(UTC−03:00\) \d\d?.\w+.\d{4}, \d\d:\d\d:\d\d UTC/g)).toHaveLength(
    8,
  );
  for (const part of ['evt-c-sent', 'evt-c-undelivered', 'evt-c-delivered', '30003', meaning, limit])
    expect(text).toContain(part);
  expect(await cutParts(page)).toEqual([]);
  expect(await page.locator('.button:visible').count()).toBe(0);
});

test('the proof of a viewer has a masked number, and says so', async () => {
  const { page } = await browser.open('/messages/msg-conflict/proof', { role: 'viewer' });
  await page.getByText('•••0143').waitFor();
  await page.getByText('Masked, because').waitFor();
  expect(await seen(page)).not.toContain('555');
});

test('a printed conversation has the whole history of opt-outs', async () => {
  const { page } = await browser.open('/conversations/m~msg-late');
  await page.locator('.opt-out details').waitFor();
  expect(await page.getByText('Asked by e-mail').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  await page.getByText('Asked by e-mail').waitFor();
});
