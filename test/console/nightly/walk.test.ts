import { expect, test } from 'vitest';
import { consoleInBrowser } from '../support/browser.ts';
import { figuresOf, usualTraffic } from '../support/figures.ts';
import { Reader } from '../support/reader.ts';
import { walkIn } from '../support/walk.ts';

// What support does with the console, from its first page to the answer.

const browser = consoleInBrowser();
const dayMs = 86_400_000;

const walk = walkIn(browser);

walk('find out why a message failed', { atMost: 2 }, async (reader) => {
  await reader.search('+1 202 555 0143');
  const failed = reader.page
    .getByRole('article', { name: 'Message to the number' })
    .filter({ hasText: 'msg-f0000' });
  await failed.waitFor();
  expect(await failed.textContent()).toMatch(
    /^Undelivered\s*\d+ \w+ \d{4}, .+ UTC\s*The phone was not reachable\s*What to do: The phone may be off or without signal\. Send again later/,
  );
});

walk('find the worst send', { atMost: 2 }, async (reader) => {
  await reader.goTo('Sends');
  await reader.choose('Order', 'Worst first');
  const worst = reader.page.locator('[data-index="0"]').filter({ hasText: 'spring-2026' });
  await worst.waitFor();
  expect(await worst.locator('[data-alarming]').textContent()).toContain('7.2%');
});

walk('replay one entry of the quarantine', { atMost: 4, role: 'operator' }, async (reader) => {
  await reader.goTo('Quarantine');
  await reader.click(reader.page.getByRole('link', { name: 'A time cannot be read' }));
  await reader.press('Replay');
  await reader.click(reader.page.getByRole('alertdialog').getByRole('button', { name: 'Replay' }));
  await reader.page.getByText('The entry was handed to the pipeline again.').waitFor();
});

walk('replay all entries of a reason', { atMost: 4, role: 'operator' }, async (reader) => {
  const replayAll = 'Replay all of this reason';
  await reader.goTo('Quarantine');
  await reader.choose('Reason', 'missing-field');
  await reader.press(replayAll);
  await reader.click(reader.page.getByRole('alertdialog').getByRole('button', { name: replayAll }));
  await reader.page.getByText('12 entries were handed to the pipeline again.').waitFor();
  await reader.page.getByText('No entry matches the filters.').waitFor();
});

walk('find out whether a number is opted out', { atMost: 2 }, async (reader) => {
  await reader.search('12025550199');
  const state = reader.page.locator('.opt-out[data-state=out]');
  await state.waitFor();
  expect(await state.textContent()).toMatch(/^Opted out\s*since \d+ \w+ \d{4}, \d\d:\d\d:\d\d/);
});

walk('export the failures of a send', { atMost: 3 }, async (reader) => {
  await reader.search('spring-2026');
  const { name, lines } = await reader.download('Download failures as CSV');
  expect(name).toMatch(/^send-failures-spring-2026-/);
  const [head, ...rows] = lines.filter((line) => line !== '');
  expect(head).toBe(
    '\uFEFFmessage,status,number,reason,code,send,statusAt,firstSeenAt,price,currency,segments,network,carrier',
  );
  expect(rows).toHaveLength(261);
  expect(rows.every((row) => /,(failed|undelivered|rejected|expired),/.test(row))).toBe(true);
  expect(rows[1]).toMatch(/^msg-f0000,undelivered,•••0143,unreachable,30003,spring-2026,/);
});

walk('share what one sees', { atMost: 4 }, async (reader) => {
  await reader.goTo('Failures');
  await reader.choose('Status', 'rejected');
  await reader.press('Display');
  await reader.click(reader.page.getByRole('radio', { name: 'UTC' }));
  await reader.page.waitForURL('**/messages?state=failed&status=rejected&zone=utc');
  const { page: other } = await browser.open(reader.page.url(), {
    role: 'viewer',
    timezoneId: 'Europe/Berlin',
  });
  await other.getByText('52 entries').waitFor();
  expect(await other.getByLabel('Status').inputValue()).toBe('rejected');
  // Behind the open dialog the page is hidden from roles, and not from locators.
  const shownTime = /^\d+ \w+ \d{4}, \d\d:\d\d:\d\d/;
  const times = await Promise.all(
    [reader.page, other].map((page) => page.locator('[data-index="0"] time').textContent()),
  );
  const [own, others] = times.map((text) => shownTime.exec(text ?? '')?.[0]);
  expect(own).toBeDefined();
  expect(others).toBe(own);
});

walk('watch a send while it runs', { atMost: 2, hasClock: true }, async (reader) => {
  const { page } = reader;
  await reader.goTo('Sends');
  await reader.click(page.getByRole('link', { name: 'tonight' }));
  const tile = (name: string) => page.locator('.tile').filter({ hasText: name });
  await tile('Pending').getByText('311', { exact: true }).waitFor();
  Object.assign(browser.server().fixtures.sends[0] ?? {}, figuresOf(800, 0.1));
  await page.clock.fastForward(6000);
  await tile('Pending').getByText('0', { exact: true }).waitFor();
  await tile('Delivered').getByText('720', { exact: true }).waitFor();
  expect(await tile('Failed').textContent()).toMatch(/^80Failed10\.0% high$/);
});

walk('find out whether the pipeline is healthy', { atMost: 1 }, async (reader) => {
  const { page } = reader;
  await page.locator('.nav-mark[data-state=failed]').waitFor();
  await reader.goTo('Health');
  await page.getByText('1 check failed, 1 warning').waitFor();
  expect(await page.locator('.check').first().textContent()).toMatch(
    /^Dead letters\s*Failed\s*Some reports could not be stored and were set aside\./,
  );
});

test('find out what changed by country and by error, without an interaction, and open the messages with one', async () => {
  const { fixtures } = browser.server();
  const now = Date.now();
  fixtures.traffic = (start, interval) => ({
    ...usualTraffic(start, interval),
    failing: start > now - dayMs - 3_600_000 ? 0.08 : 0.01,
  });
  const { page } = await browser.open('/');
  const reader = new Reader(page);
  const row = (table: string, name: string) =>
    page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: name });
  const country = row('By country', 'Brazil');
  await country.getByText('Worse than before:').waitFor();
  expect(await country.textContent()).toMatch(/92\.0%\s*Worse than before:\s*9\d\.\d%$/);
  const reason = row('Failures by reason', 'The carrier rejected it');
  const [, messages = 0, before = 0] =
    /(\d+)2\d\.\d%\s*Worse than before:\s*(\d+)$/.exec((await reason.textContent()) ?? '')?.map(Number) ?? [];
  expect(messages).toBeGreaterThan(before * 4);
  await reader.click(country.getByRole('link'));
  await page.waitForURL('**/messages?state=failed&by=first&range=24h&country=BR');
  await page.locator('[data-index="0"]').getByText('•••0143').waitFor();
  expect(reader.interactions).toBe(1);
});

walk('export what one sees', { atMost: 3 }, async (reader) => {
  const { page } = reader;
  await reader.goTo('Failures');
  await reader.choose('Status', 'rejected');
  await page.getByText('52 entries').waitFor();
  const { lines } = await reader.download('Download CSV');
  const rows = lines.slice(1).filter((line) => line !== '');
  const shown = await page.locator('.list-body .cell-message').allTextContents();
  expect(rows.map((row) => row.split(',')[0])).toEqual(shown);
  expect(rows.every((row) => row.includes(',rejected,•••'))).toBe(true);
});

const oddId = 'a b%41%?c=d//e#f';

walk('open an id with odd characters', { atMost: 2 }, async (reader) => {
  const [message] = browser.server().fixtures.messages;
  Object.assign(message ?? {}, { messageId: oddId });
  await reader.search(oddId);
  const { page } = reader;
  const answer = page.getByText('The reports contradict each other');
  await answer.waitFor();
  // The address is one that a colleague can open.
  await page.reload();
  await answer.waitFor();
  await page.locator('h1 + .subject').getByText(oddId, { exact: true }).waitFor();
});

walk('go on after an outage of the server', { atMost: 1, hasClock: true }, async (reader) => {
  const { page } = reader;
  const server = browser.server();
  server.isDown = true;
  await reader.goTo('Sends');
  await page.getByText('The server cannot be reached.').waitFor();
  server.isDown = false;
  await page.clock.fastForward(61_000);
  await page.getByText('62 entries').waitFor();
  await page.locator('.updated').waitFor();
  expect(await page.getByText('The server cannot be reached.').count()).toBe(0);
});
