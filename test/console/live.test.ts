import { expect, test } from 'vitest';
import { consoleInBrowser } from './support/browser.ts';
import { problem } from './support/console-server.ts';

const browser = consoleInBrowser();

const requestsOf = (path: string) => browser.server().requests.filter(({ url }) => url.startsWith(path));

test('an open message follows its reports, and an unchanged answer is a 304', async () => {
  const { page } = await browser.open('/messages/msg-p1', { hasClock: true });
  await page.getByText('Not final').waitFor();
  await page.clock.fastForward(6000);
  // A busy machine may need so long that the page asks by itself, too.
  const statuses = () => requestsOf('/v1/messages/msg-p1').map(({ status }) => status);
  await expect.poll(statuses).toContain(304);
  expect(statuses()[0]).toBe(200);
  const message = browser.server().fixtures.messages.find(({ messageId }) => messageId === 'msg-p1');
  if (message === undefined) throw new Error('The fixtures have no such message.');
  const occurredAt = new Date().toISOString();
  message.events.push({ eventId: 'evt-new', status: 'delivered', occurredAt, receivedAt: occurredAt });
  Object.assign(message, { status: 'delivered', statusAt: occurredAt, final: true });
  await page.clock.fastForward(6000);
  await page.getByText('Final: no further report is expected.').waitFor();
  expect(await page.getByText('evt-new').count()).toBe(1);
});

test('a list shows new entries by itself while the viewer looks at its top', async () => {
  const { page } = await browser.open('/replies', { hasClock: true });
  await page.getByText('42 entries').waitFor();
  addReply('Are you open today?');
  await page.clock.fastForward(11_000);
  await page.getByText('Are you open today?').waitFor();
  await page.getByText('43 entries').waitFor();
});

test('a list that is scrolled keeps its place, and offers the new entries', async () => {
  const { page } = await browser.open('/replies', { hasClock: true });
  await page.getByText('42 entries').waitFor();
  await page.mouse.move(640, 500);
  await page.mouse.wheel(0, 600);
  await page.waitForFunction('window.scrollY > 300');
  addReply('Are you open today?');
  await page.clock.fastForward(11_000);
  const button = page.getByRole('button', { name: 'There are new entries' });
  await button.waitFor();
  expect(await page.getByText('Are you open today?').count()).toBe(0);
  await button.press('Enter');
  await page.getByText('Are you open today?').waitFor();
  await button.waitFor({ state: 'detached' });
  // The next stop of the tab key is beside it, not the beginning of the page.
  expect(await page.evaluate('document.activeElement.className')).toBe('refresh-state');
});

test('a known row follows its status while new rows wait', async () => {
  const { page } = await browser.open('/sends/spring-2026', { hasClock: true });
  await page.getByText('100+ entries').waitFor();
  const { fixtures } = browser.server();
  const known = fixtures.messages.filter(({ sendId }) => sendId === 'spring-2026')[4];
  if (known === undefined) throw new Error('the send has messages');
  const row = page.getByRole('row').filter({ hasText: known.messageId });
  await row.scrollIntoViewIfNeeded();
  await page.waitForFunction('window.scrollY > 200');
  const index = fixtures.messages.indexOf(known);
  fixtures.messages[index] = { ...known, status: 'read', final: true };
  fixtures.messages.unshift({ ...known, messageId: 'msg-new-of-send' });
  await page.clock.fastForward(11_000);
  const button = page.getByRole('button', { name: 'There are new entries' });
  await button.waitFor();
  const { y = -1 } = (await button.boundingBox()) ?? {};
  expect(y).toBeGreaterThan(0);
  expect(y).toBeLessThan(page.viewportSize()?.height ?? 0);
  await row.getByText('Read').waitFor();
  expect(await page.getByText('msg-new-of-send').count()).toBe(0);
  await button.press('Enter');
  await page.getByText('msg-new-of-send').waitFor();
});

test('a refresh that fails keeps the entries and says so', async () => {
  const { page } = await browser.open('/replies', { hasClock: true });
  await page.getByText('42 entries').waitFor();
  browser.server().overrides.set('/v1/replies', problem(500, 'internal', 'The query failed.'));
  await page.clock.fastForward(11_000);
  await page.getByText(/You see the state of .*\. The server answered 500: The query failed\./).waitFor();
  await page.getByText('42 entries').waitFor();
});

test.each([
  [500, 'The query failed.'],
  [403, 'Your role does not allow this'],
  [401, 'Your session has ended'],
])('a list that is answered with %i explains it', async (status, text) => {
  browser.server().overrides.set('/v1/opt-outs', problem(status, 'problem', 'The query failed.'));
  const { page } = await browser.open('/opt-outs');
  await page.getByText(text).waitFor();
});

test('a list that failed is read again on request', async () => {
  browser.server().overrides.set('/v1/opt-outs', problem(500, 'problem', 'The query failed.'));
  const { page } = await browser.open('/opt-outs');
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  browser.server().overrides.clear();
  await again.click();
  await page.getByText('25 entries').waitFor();
});

test('what a refresh finds is announced', async () => {
  const { page } = await browser.open('/replies', { hasClock: true });
  await page.getByText('42 entries').waitFor();
  const announced = page.locator('.refresh-state[role=status]');
  await page.mouse.move(640, 500);
  await page.mouse.wheel(0, 600);
  await page.waitForFunction('window.scrollY > 300');
  addReply('Are you open today?');
  await page.clock.fastForward(11_000);
  await announced.getByText('There are new entries').waitFor();
  browser.server().overrides.set('/v1/replies', problem(500, 'internal', 'The query failed.'));
  await page.clock.fastForward(11_000);
  await page.locator('.freshness[role=status]').getByText('You see the state of').waitFor();
});

test('a row keeps the focus when new entries move it, and the viewer scrolls away', async () => {
  const { page } = await browser.open('/replies', { hasClock: true });
  await page.locator('[data-index="0"] a').first().focus();
  addReply('Are you open today?');
  await page.clock.fastForward(11_000);
  const focused = page.locator('[data-index="1"] a:focus');
  await focused.waitFor();
  await page.mouse.move(640, 500);
  await page.mouse.wheel(0, 100_000);
  await page.locator('[data-index="42"]').waitFor();
  expect(await focused.count()).toBe(1);
  await page.keyboard.press('ArrowDown');
  await page.locator('[data-index="2"] a:focus').waitFor();
});

test('an entry of a conversation keeps the focus when the viewer scrolls away', async () => {
  const { page } = await browser.open('/conversations/m~msg-conflict');
  const link = page.locator('[data-index="0"] a').first();
  await link.focus();
  await page.mouse.move(640, 500);
  await page.mouse.wheel(0, 100_000);
  await page.locator('[data-index="1"]').waitFor({ state: 'detached' });
  expect(await page.locator('[data-index="0"] a:focus').count()).toBe(1);
});

function addReply(text: string): void {
  const { fixtures } = browser.server();
  const at = new Date().toISOString();
  fixtures.replies.unshift({
    replyId: 'rep-new',
    from: '+12025550143',
    text,
    occurredAt: at,
    receivedAt: at,
  });
}
