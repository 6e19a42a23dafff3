import { expect, test } from 'vitest';
import { consoleInBrowser } from './support/browser.ts';
import { hostileText } from './support/fixtures.ts';

const browser = consoleInBrowser();

test.each([
  ['a list of replies', '/replies'],
  ['a conversation', '/conversations/r~rep-hostile'],
  ['an error text', '/messages/msg%2F50%25%3F'],
])('a hostile text in %s is shown as text', async (_, path) => {
  const { page } = await browser.open(path);
  const text = page.locator('.foreign', { hasText: 'onerror' });
  await text.waitFor();
  expect(await text.textContent()).toBe(hostileText);
  expect(await text.locator('*').count()).toBe(0);
  expect(await page.evaluate("getComputedStyle(document.querySelector('.foreign')).unicodeBidi")).toBe(
    'isolate',
  );
  expect(await page.title()).not.toContain('hacked');
});

test('of a text without an end the beginning is shown, and how long it is', async () => {
  const [reply] = browser.server().fixtures.replies;
  if (reply === undefined) throw new Error('The fixtures have no reply.');
  Object.assign(reply, { text: `Yes${'\u0316'.repeat(65_536)}` });
  const { page } = await browser.open('/replies');
  await page.getByText('Not all of the 65,539 characters are shown').first().waitFor();
  expect(await page.locator('.foreign', { hasText: 'Yes\u0316' }).first().textContent()).toBe(
    `Yes${'\u0316'.repeat(10)}`,
  );
});

test('of a body with lines without an end the beginning of each is shown, and its other lines whole', async () => {
  const [entry] = browser.server().fixtures.quarantine;
  if (entry === undefined) throw new Error('The fixtures have no entry.');
  // Neighbours of two directions keep a browser busy for a time that grows with the square of a line.
  const texts = ['\u05D0a'.repeat(40_000), '\u0628\u0301'.repeat(40_000), 'short'];
  Object.assign(entry, { raw: JSON.stringify(texts), encoding: 'utf8' });
  const { page } = await browser.open(`/quarantine/${encodeURIComponent(entry.id)}`);
  await page.getByText('Not all of the 160,015 characters are shown').waitFor();
  const lines = ((await page.locator('.raw').textContent()) ?? '').split('\n');
  expect(lines.map((line) => line.length)).toEqual([1, 5000, 5000, 9, 1, 0]);
});

test.each([
  ['of a body of line breaks the beginning', 'utf8', '\n'.repeat(262_144), 2000],
  ['of a body in Base64 the beginning', 'base64', 'A'.repeat(349_528), 5001],
] as const)('%s is shown, and how long it is', async (_, encoding, raw, shown) => {
  const [entry] = browser.server().fixtures.quarantine;
  if (entry === undefined) throw new Error('The fixtures have no entry.');
  Object.assign(entry, { raw, encoding });
  const { page } = await browser.open(`/quarantine/${encodeURIComponent(entry.id)}`);
  await page.getByText(`Not all of the ${raw.length.toLocaleString('en')} characters are shown`).waitFor();
  expect(await page.locator('.raw').textContent()).toHaveLength(shown);
});

test.each([
  ['a text', { errorText: hostileText }, `The service says: “${hostileText}”`],
  ['a code', { errorCode: '\u202E12' }, 'The contract does not know the code \u202E12'],
])('a failure of which the service gives only %s cannot turn what is around it', async (_, error, reason) => {
  const message = browser.server().fixtures.messages.find(({ messageId }) => messageId === 'msg/50%?');
  const [report] = message?.events ?? [];
  if (report === undefined) throw new Error('The fixtures have no such message.');
  Object.assign(report, { errorText: undefined, errorCode: undefined, ...error });
  for (const path of ['/messages?state=failed', '/messages/msg%2F50%25%3F']) {
    const { page } = await browser.open(path);
    const text = page.locator('.foreign', { hasText: reason }).first();
    await text.waitFor();
    expect(await text.textContent()).toBe(reason);
  }
});

test('a hostile body in the quarantine is shown as text', async () => {
  const entry = browser.server().fixtures.quarantine[1];
  const { page } = await browser.open(`/quarantine/${encodeURIComponent(entry?.id ?? '')}`);
  const raw = page.locator('.raw');
  await raw.waitFor();
  expect(await raw.locator('*:not(div)').count()).toBe(0);
  expect(await page.title()).not.toContain('hacked');
});

test('a policy without inline code and styles breaks nothing, from the first page to dialogs', async () => {
  const { page } = await browser.open('/', { role: 'operator' });
  await page.evaluate(
    "window.breaches = []; document.addEventListener('securitypolicyviolation', (event) => window.breaches.push(event.violatedDirective))",
  );
  for (const name of ['Failures', 'Pending', 'Replies', 'Opt-outs', 'Health', 'Quarantine'])
    await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('link', { name: 'A time cannot be read' }).click();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('alertdialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Display' }).click();
  await page.getByRole('dialog').waitFor();
  expect(await page.evaluate('window.breaches')).toEqual([]);
});

test('the browser keeps theme, language and time zone only, and for the tab where pages were scrolled to', async () => {
  const { page, context } = await browser.open('/');
  await page.getByRole('button', { name: 'Display' }).click();
  await page.getByRole('radio', { name: 'Dark' }).check();
  // The words arrive after the press.
  await page.getByRole('radio', { name: 'Português' }).click();
  await page.getByRole('radio', { name: 'Português', checked: true }).waitFor();
  await page.getByRole('radio', { name: 'UTC' }).check();
  await page.getByRole('checkbox').uncheck();
  await page.goto('/conversations/m~msg-yesterday');
  await page.getByRole('heading', { name: 'Conversa' }).waitFor();
  expect(await page.evaluate('({ ...localStorage })')).toEqual({
    theme: 'dark',
    language: 'pt-BR',
    zone: 'utc',
  });
  expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([expect.stringContaining('scroll')]);
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['role']);
});
