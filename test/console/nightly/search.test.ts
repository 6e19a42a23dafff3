import { expect, test } from 'vitest';
import { settle } from '../support/accessibility.ts';
import { consoleInBrowser, type OpenOptions } from '../support/browser.ts';
import { problem } from '../support/console-server.ts';

const browser = consoleInBrowser();

/** Opens the overview. A page that is loading may take the focus from a field. */
async function openOverview(options?: OpenOptions) {
  const opened = await browser.open('/', options);
  await settle(opened.page);
  return opened;
}

test('a support question is answered in two interactions: a number typed, and Enter', async () => {
  const { page } = await openOverview();
  await page.getByRole('searchbox').waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('+1 202 555 0188');
  await page.getByText('Looks like a number').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Conversation' }).waitFor();
  const yesterday = page
    .getByRole('article', { name: 'Message to the number' })
    .filter({ hasText: 'msg-yesterday' });
  expect(await yesterday.textContent()).toContain('Delivered');
  expect(await page.getByText('Yes, got it. See you at 3 pm.').count()).toBe(1);
});

test('a number is in no address, and reaches the server in the body of a search only', async () => {
  const { page } = await openOverview();
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  await page.getByRole('searchbox').fill('12025550143');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Conversation' }).waitFor();
  addresses.push(page.url(), await page.title());
  // The port of the server may have such digits.
  const texts = addresses.map((address) => address.replace(/^\w+:\/\/[^/]+/, ''));
  expect(texts.filter((text) => /2025550143|555/.test(text))).toEqual([]);
  const [sent] = browser.server().requests.filter(({ url }) => url === '/v1/search');
  expect(sent).toMatchObject({ method: 'POST', body: '{"q":"12025550143"}' });
});

test.each([
  ['msg-late', '/messages/msg-late', 'Message'],
  ['msg/50%?', '/messages/msg%2F50%25%3F', 'Message'],
  ['spring-2026', '/sends/spring-2026', 'Send'],
])('the id %s opens its page', async (id, path, heading) => {
  const { page } = await openOverview();
  await page.getByRole('searchbox').fill(id);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: heading, exact: true, level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe(path);
  await page.getByRole('main').getByText(id, { exact: true }).first().waitFor();
});

test('several results are a list that the keyboard walks', async () => {
  const { page } = await openOverview();
  await page.getByRole('searchbox').fill('msg-f0001');
  await page.keyboard.press('Enter');
  await page.getByText('More than one was found').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/messages/msg-f0001');
});

test('results with the id of two sources say source, number, status and time', async () => {
  const { page } = await openOverview({
    prepare: async () => {
      const { fixtures } = browser.server();
      fixtures.sources = ['main', 'backup'];
      const late = fixtures.messages.find(({ messageId }) => messageId === 'msg-late');
      if (late === undefined) throw new Error('The fixtures have no such message.');
      const times = { phone: '+12025550199', status: 'undelivered', statusAt: '2026-01-15T12:00:00.000Z' };
      fixtures.messages.push({ ...late, ...times, source: 'backup' });
    },
  });
  await page.getByRole('searchbox').fill('msg-late');
  await page.keyboard.press('Enter');
  await page.getByText('More than one was found').waitFor();
  const [ofMain, ofBackup] = await page.locator('.search-result').allTextContents();
  expect(ofMain).toMatch(/^Messagemsg-latemain•••\d{4}/);
  expect(ofBackup).toMatch(/^Messagebackup\/msg-latebackup•••0199Undelivered15 Jan 2026, 09:00:00/);
  await page.locator('.search-result').nth(1).click();
  await page.waitForURL('**/messages/backup%2Fmsg-late');
});

test('a number that has opted out, and has neither messages nor replies, is shown as such', async () => {
  const { page } = await openOverview({ role: 'operator' });
  await page.getByRole('searchbox').fill('+1 202 555 0177');
  await page.keyboard.press('Enter');
  await page.getByText('No message and no reply of this number is stored').waitFor();
  expect(await page.locator('.search-result').textContent()).toBe('Number+1 202 555 0177Opted out');
});

test('a number about which nothing was received differs from a text that is no number', async () => {
  const { page } = await openOverview({ role: 'operator' });
  const box = page.getByRole('searchbox');
  for (const [text, answer] of [
    ['(202) 555-0109', 'No report about +12025550109 was ever received'],
    ['5550109', 'This is not a whole number, and no id.'],
  ] as const) {
    await box.fill(text);
    await page.keyboard.press('Enter');
    await page.getByText(answer).waitFor();
  }
});

test('a search without a result, and one that fails, say so', async () => {
  const { page } = await openOverview();
  await page.getByRole('searchbox').fill('nothing');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing was found').waitFor();
  browser.server().overrides.set('/v1/search', problem(503, 'unavailable', 'Busy.'));
  await page.keyboard.press('Enter');
  await page.getByText('The search did not work. The database does not answer in time.').waitFor();
  browser.server().isDown = true;
  await page.keyboard.press('Enter');
  await page.getByText('The search did not work. The server cannot be reached.').waitFor();
});

test('an id that nothing has leads to the lists that find it by its beginning', async () => {
  const { page } = await openOverview();
  await page.getByRole('searchbox').fill('msg-f000');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Failures whose id begins with “msg-f000”' }).click();
  await page.waitForURL('**id=msg-f000**');
  await page.getByRole('link', { name: 'msg-f0002' }).waitFor();
  const [asked] = browser.server().requests.filter(({ url }) => url.includes('idPrefix=msg-f000'));
  expect(asked?.url).toContain('state=failed');
  await page.getByLabel('Message id').fill('msg-f0003');
  await page.keyboard.press('Enter');
  await page.getByText('1 entry', { exact: true }).waitFor();
});

test('a number that nothing has leads to no list, because an address has no number', async () => {
  const { page } = await openOverview();
  await page.getByRole('searchbox').fill('5550109');
  await page.keyboard.press('Enter');
  await page.getByText('This is not a whole number, and no id.').waitFor();
  expect(await page.locator('.search-results a').count()).toBe(0);
});

test('the key / can be turned off, and Control with K remains', async () => {
  const { page } = await openOverview();
  await page.getByRole('button', { name: 'Display' }).click();
  await page.getByRole('checkbox', { name: 'The key / goes to the search' }).uncheck();
  await page.keyboard.press('Escape');
  const focused = () => page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.tagName');
  await expect.poll(focused).toBe('Display');
  await page.keyboard.press('/');
  expect(await focused()).toBe('Display');
  await page.keyboard.press('Control+k');
  await expect.poll(focused).toBe(await page.getByRole('searchbox').getAttribute('aria-label'));
});

test('a late answer to an older text opens nothing, and keeps the newer text', async () => {
  const { page } = await openOverview();
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/search', async (route) => {
    if (route.request().postData()?.includes('0188')) await held.promise;
    await route.continue();
  });
  const box = page.getByRole('searchbox');
  await box.fill('+1 202 555 0188');
  await page.keyboard.press('Enter');
  await page.getByText('Searching…').waitFor();
  await box.fill('msg-late');
  const answer = page.waitForResponse('**/v1/search');
  held.resolve();
  await (await answer).finished();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/messages/msg-late');
});

test('a number of any country is shown in groups', async () => {
  const { page } = await browser.open('/replies', {
    role: 'operator',
    prepare: async () => {
      for (const reply of browser.server().fixtures.replies) reply.from = '+442079460123';
    },
  });
  await page.getByRole('link', { name: '+44 20 7946 0123' }).first().waitFor();
});
