import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { consoleInBrowser } from './support/browser.ts';
import { problem } from './support/console-server.ts';

const browser = consoleInBrowser();

const pages = {
  start: '/',
  failures: '/messages?state=failed',
  pending: '/messages?state=pending',
  message: '/messages/msg-conflict',
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

/** @param rules all of WCAG 2.2 AA and axe's best practices without it */
async function violationsOf(page: Page, rules?: string[]): Promise<unknown[]> {
  const axe = new AxeBuilder({ page });
  if (rules) axe.withRules(rules);
  else axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html).slice(0, 3) }));
}

/** Waits until the page shows its content in place of a placeholder. */
async function settle(page: Page): Promise<void> {
  await page
    .getByRole('heading', { level: 1 })
    .or(page.getByRole('heading', { level: 2 }))
    .first()
    .waitFor();
  await page.locator('.loading').waitFor({ state: 'detached' });
}

/** A theme changes colours only. */
async function expectAccessible(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await violationsOf(page), name).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violationsOf(page, ['color-contrast']), `${name} in the dark`).toEqual([]);
}

test.each(Object.entries(pages))('axe finds no violation in either theme: %s', async (name, path) => {
  const { page } = await browser.open(path, { role: 'operator' });
  await settle(page);
  await expectAccessible(page, name);
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

test('no page is wider than a phone, and what a finger touches is large enough there', async () => {
  const { page } = await browser.open('/', { viewport: { width: 390, height: 844 } });
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(path);
    await settle(page);
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(390);
    expect(await violationsOf(page, ['target-size']), name).toEqual([]);
  }
});

test('every page has one heading of the first level, and the keyboard reaches the content first by a skip link', async () => {
  const { page } = await browser.open('/replies');
  await page.getByRole('row').nth(1).waitFor();
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('content');
});
