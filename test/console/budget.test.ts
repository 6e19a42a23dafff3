import { expect, test } from 'vitest';
import { consoleInBrowser } from './support/browser.ts';

const browser = consoleInBrowser();

/** What a first visit may load: 200 KB of compressed JavaScript. */
const maxBytes = 200_000;

test.each([
  '/',
  '/sends',
  '/sends/spring-2026',
  '/messages?state=failed',
  '/messages/msg-late',
  '/conversations/m~msg-late',
  '/quarantine',
  '/health',
])('a first visit of %s loads at most 200 KB of compressed JavaScript', async (path) => {
  const { page } = await browser.open(path);
  await page.locator('body:not(:has(.loading))').waitFor();
  await page.waitForLoadState('networkidle');
  const sizes = [...browser.server().scriptBytes.values()];
  const total = sizes.reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThanOrEqual(maxBytes);
});
