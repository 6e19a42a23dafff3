import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { consoleInBrowser } from './browser.ts';

/** All of WCAG 2.2 AA, and axe's best practices. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Returns what axe finds on a page. @param rules all of the tags without it */
async function violationsOf(page: Page, rules?: readonly string[]): Promise<unknown> {
  const runOnly = rules ? { type: 'rule', values: rules } : { type: 'tag', values: tags };
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  return page.evaluate(`axe
    .run(document, ${JSON.stringify({ runOnly, resultTypes: ['violations'] })})
    .then(({ violations }) =>
      violations.map(({ id, nodes }) => ({ id, where: nodes.slice(0, 3).map(({ html }) => html) })))`);
}

/**
 * Waits until the page shows its content in place of a placeholder. It is one condition: between the placeholder of the session and that
 * of a page there is a moment without either, and without a heading.
 */
export async function settle(page: Page): Promise<void> {
  await page
    .locator('body:not(:has(.loading, [data-loading])) :is(main.gate, main#content) h1')
    .first()
    .waitFor();
}

/** Fails for a violation in either theme. A theme changes colours only. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await violationsOf(page), name).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await violationsOf(page, ['color-contrast']), `${name} in the dark`).toEqual([]);
}

/** What the console may load: 230 KB of compressed JavaScript for all of its pages. */
const maxBytes = 230_000;

/** Fails if a page has a violation in either theme or on a phone, is wider than one, or loads too many scripts on a first visit. */
export async function expectPageForAll(
  browser: ReturnType<typeof consoleInBrowser>,
  name: string,
  path: string,
): Promise<void> {
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
}
