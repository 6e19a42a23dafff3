import { expect, test } from 'vitest';
import { consoleInBrowser } from './support/browser.ts';

const browser = consoleInBrowser();

test('the code of a report leads to its page: text, meaning, days, a table of days, and its messages', async () => {
  const { page } = await browser.open('/messages/msg-f0000');
  await page.getByRole('link', { name: '30003' }).click();
  await page.waitForURL('**/codes/30003');
  await page.getByRole('heading', { name: 'Error code' }).waitFor();
  await page.getByText('Carrier code 30003').waitFor();
  const facts = page.locator('.facts');
  await facts.getByText('The phone was not reachable').waitFor();
  const [messages = '', first = '', last = ''] = await Promise.all(
    ['Messages', 'First day', 'Last day'].map((name) =>
      facts.locator(`dt:text-is("${name}") + dd`).textContent(),
    ),
  ).then((texts) => texts.map((text) => text ?? ''));
  expect(Number(messages.replaceAll(',', ''))).toBeGreaterThan(0);
  expect([first, last]).toEqual([expect.stringMatching(/ \d{4}$/), expect.stringMatching(/ \d{4}$/)]);
  await page.getByText('52 entries').waitFor();
  await page.getByRole('link', { name: 'Choose a country' }).click();
  await page.waitForURL('**/messages?*code=30003*');
  expect(await page.getByLabel('Code').inputValue()).toBe('30003');
});

test('a code that the contract does not know says so, with the line to add', async () => {
  const { fixtures } = browser.server();
  const [failure] = fixtures.messages.filter(({ messageId }) => messageId === 'msg-f0000');
  if (failure === undefined) throw new Error('The fixtures have no such failure.');
  const events = failure.events.map(({ errorReason: _, ...event }) => ({
    ...event,
    errorCode: '30099',
    errorText: 'Handset on the moon',
  }));
  fixtures.messages = [{ ...failure, messageId: 'msg-moon', events }];
  const { page } = await browser.open('/codes/30099');
  await page.getByText('The contract does not say what this code means').waitFor();
  await page.getByText('"errors": { "30099": "…" }').waitFor();
  await page.getByText('Handset on the moon').first().waitFor();
  await page.getByRole('link', { name: 'msg-moon' }).waitFor();
});

test('the title of the page of a code has the code', async () => {
  const { page } = await browser.open('/codes/30003');
  await page.getByRole('heading', { name: 'Error code' }).waitFor();
  expect(await page.title()).toBe('Error code 30003 · SMS console');
});
