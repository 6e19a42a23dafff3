import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { consoleInBrowser } from '../support/browser.ts';
import { problem } from '../support/console-server.ts';
import { download } from '../support/download.ts';

const browser = consoleInBrowser();

/** The window has about 20 rows. */
const maxRowsInDocument = 80;

test('a list of 100,000 rows keeps few rows in the document, and the keyboard reaches its end', async () => {
  const { fixtures } = browser.server();
  const [reply] = fixtures.replies;
  if (reply === undefined) throw new Error('The fixtures have no reply.');
  fixtures.replies = Array.from({ length: 100_000 }, (_, index) => ({
    ...reply,
    replyId: `r${index}`,
    text: `${index}`,
  }));
  fixtures.pageSize = 20_000;
  const { page } = await browser.open('/replies');
  const rows = page.locator('.list-body [role=row]');
  await rows.first().getByRole('link').focus();
  for (const count of [40_000, 60_000, 80_000, 100_000]) {
    await page.keyboard.press('End');
    await page.locator(`[data-index="${count - 20_001}"] a:focus`).waitFor();
    expect(await rows.count()).toBeLessThan(maxRowsInDocument);
    await page.getByText(new RegExp(`^${count.toLocaleString('en')}\\+? entries`)).waitFor();
  }
  await page.keyboard.press('End');
  await page.locator('[data-index="99999"] a:focus').waitFor();
  expect(await page.locator('[data-index="99999"]').textContent()).toContain('99999');
  expect(await rows.count()).toBeLessThan(maxRowsInDocument);
  expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('100001');
});

test('scrolling loads the next page by its cursor, once', async () => {
  const { page } = await browser.open('/messages?state=failed');
  await page.getByText('100+ entries').waitFor();
  await page.mouse.move(640, 500);
  await page.mouse.wheel(0, 100_000);
  await page.getByText('200+ entries').waitFor();
  const cursors = browser
    .server()
    .requests.map(({ url }) => new URL(url, 'http://localhost').searchParams.get('cursor'));
  expect(cursors.filter((cursor) => cursor === '100')).toEqual(['100']);
});

test('arrows move between rows, and Enter opens one', async () => {
  const { page } = await browser.open('/messages?state=failed');
  await page.locator('[data-index="0"] a').first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.locator('[data-index="2"] a:focus').waitFor();
  await page.keyboard.press('ArrowUp');
  await page.locator('[data-index="1"] a:focus').waitFor();
  // A cell cuts what is outside of it, also the mark of the focus.
  expect(await page.evaluate('getComputedStyle(document.activeElement).outlineOffset')).toBe('-2px');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/messages/msg-f0000');
});

test('filters are in the address, which shows the same list to another viewer', async () => {
  const { page } = await browser.open('/messages?state=failed');
  await page.getByLabel('Status').selectOption('rejected');
  await page.getByLabel('Time').selectOption('7d');
  await page.waitForURL('**/messages?state=failed&status=rejected&range=7d');
  await page.getByText('52 entries').waitFor();
  const { page: other } = await browser.open(page.url(), { role: 'viewer' });
  await other.getByText('52 entries').waitFor();
  expect(await other.getByLabel('Status').inputValue()).toBe('rejected');
  const asked = browser.server().requests.findLast(({ url }) => url.startsWith('/v1/messages'));
  expect(asked?.url).toMatch(/^\/v1\/messages\?limit=100&since=[^&]+&state=failed&status=rejected$/);
});

test('a list looks for news often, and rarely for the countries to choose from', async () => {
  const { requests } = browser.server();
  const { page } = await browser.open('/messages?state=failed', { hasClock: true });
  const asked = (path: string) => requests.filter(({ url }) => url.startsWith(path)).length;
  await page.getByLabel('Country').waitFor();
  for (const count of [3, 4]) {
    await page.clock.fastForward(11_000);
    await expect.poll(() => asked('/v1/messages')).toBeGreaterThanOrEqual(count);
  }
  expect(asked('/v1/insights')).toBe(1);
});

test('a wrong filter of an address is ignored', async () => {
  const { page } = await browser.open('/messages?state=odd&status=nonsense&range=1y');
  await page.getByRole('heading', { name: 'Failures' }).waitFor();
  await page.getByText('100+ entries').waitFor();
});

test('a downloaded list has all pages, and no text that a spreadsheet takes for a formula', async () => {
  const { page } = await browser.open('/messages?state=failed', { role: 'operator' });
  const { name, lines } = await download(page, 'Download CSV');
  expect(name).toBe(`failures-24h-${new Date().toISOString().slice(0, 10)}.csv`);
  expect(lines[0]).toBe(
    '\uFEFFmessage,status,number,reason,code,send,statusAt,firstSeenAt,price,currency,segments,network,carrier',
  );
  expect(lines).toHaveLength(263);
  expect(lines[1]).toMatch(/^msg\/50%\?,failed,,,'=1\+1,spring-2026,/);
  expect(lines[2]).toMatch(/^msg-f0000,undelivered,\+12025550143,unreachable,30003,/);
});

test('a CSV has numbers as the page has, and an id that a replay takes', async () => {
  const { page } = await browser.open('/messages?state=failed', { role: 'support' });
  await page.getByText('•••0143').first().waitFor();
  const masked = await download(page, 'Download CSV');
  expect(masked.lines[2]).toMatch(/^msg-f0000,undelivered,•••0143,unreachable,30003,/);
  await page.getByRole('button', { name: 'Show numbers' }).click();
  await page.getByText('+1 202 555 0143').first().waitFor();
  const whole = await download(page, 'Download CSV');
  expect(whole.lines[2]).toMatch(/^msg-f0000,undelivered,\+12025550143,/);
  await page.goto('/quarantine');
  const quarantined = await download(page, 'Download CSV');
  expect(quarantined.lines[0]).toBe('\uFEFFid,reason,field,position,time');
  expect(quarantined.lines[1]?.split(',').slice(0, 2)).toEqual([
    browser.server().fixtures.quarantine[0]?.id,
    'bad-time',
  ]);
});

test('a CSV of more than 10,000 rows names the command that writes all', async () => {
  const { fixtures } = browser.server();
  const [reply] = fixtures.replies;
  if (reply === undefined) throw new Error('The fixtures have no reply.');
  fixtures.replies = Array.from({ length: 10_001 }, (_, index) => ({ ...reply, replyId: `r${index}` }));
  fixtures.pageSize = 5000;
  const { page } = await browser.open('/replies', { role: 'operator' });
  const { lines } = await download(page, 'Download CSV');
  expect(lines).toHaveLength(10_002);
  await page.getByText('The file has the first 10,000 entries.').waitFor();
  expect(await page.locator('.download').textContent()).toContain('sms message export');
});

test('a list is downloaded as a workbook, whose cells are texts', async () => {
  const { page } = await browser.open('/messages?state=failed', { role: 'operator' });
  await page.getByRole('link', { name: 'msg-f0000' }).waitFor();
  const { name, content } = await download(page, 'Spreadsheet (.xlsx)');
  expect(name).toMatch(/^failures-24h-\d{4}-\d\d-\d\d\.xlsx$/);
  const sheet = strFromU8(unzipSync(content)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  expect(sheet).toContain('<c t="inlineStr"><is><t xml:space="preserve">+12025550143</t></is></c>');
  expect(sheet).toContain('<c t="inlineStr"><is><t xml:space="preserve">30003</t></is></c>');
});

test('a conversation and the overview can be downloaded', async () => {
  const { page } = await browser.open('/conversations/r~rep-hostile', { role: 'operator' });
  const conversation = await download(page, 'Download CSV');
  expect(conversation.lines[0]).toBe(
    '\uFEFFkind,id,receivedAt,sentAt,status,number,reason,code,send,statusAt,firstSeenAt,price,currency,segments,network,carrier,text',
  );
  expect(conversation.lines.some((line) => line.startsWith('reply,rep-hostile,'))).toBe(true);
  await page.goto('/');
  const overview = await download(page, 'Download CSV');
  expect(overview.name).toMatch(/^overview-24h-/);
  expect(overview.lines[0]).toMatch(/^\uFEFFkind,name,messages,delivered,failed,pending,/);
  for (const row of [/^total,/, /^hour,/, /^country,US,/, /^reason,unreachable,,,\d+,/])
    expect(overview.lines.some((line) => row.test(line))).toBe(true);
});

test('at 1024 pixels the reason of every message can be read whole, and the id of each is a tooltip', async () => {
  const { page } = await browser.open('/messages?state=failed', { viewport: { width: 1024, height: 800 } });
  await page.getByText('100+ entries').waitFor();
  const cut = `[...document.querySelectorAll('.list-body .cell-reason')]
    .filter((cell) => cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight).length`;
  expect(await page.locator('.list-body .cell-reason').count()).toBeGreaterThan(10);
  expect(await page.evaluate(cut)).toBe(0);
  expect(await page.locator('[data-index="1"] a').first().getAttribute('title')).toBe('msg-f0000');
});

test.each(['/messages?state=failed', '/sends', '/quarantine'])(
  'at 1024 pixels in Portuguese no cell of %s touches the next, and the last stays within the list',
  async (path) => {
    const { page } = await browser.open(path, { viewport: { width: 1024, height: 800 }, locale: 'pt-BR' });
    await page.locator('[data-index="2"]').waitFor();
    const touching = `[...document.querySelectorAll('.list-body .row')].filter((row) => {
      const boxes = [...row.children].map((cell) => cell.getBoundingClientRect());
      const edges = [...boxes.map(({ left }) => left), row.getBoundingClientRect().right];
      return boxes.some(({ right }, index) => right + 6 > edges[index + 1]);
    }).length`;
    expect(await page.evaluate(touching)).toBe(0);
  },
);

test('an empty list says what was looked for', async () => {
  browser.server().fixtures.optOuts = [];
  const { page } = await browser.open('/opt-outs');
  await page.getByText('No number opted out in this time.').waitFor();
});

test.each([
  '/messages?state=failed&source=backup&country=BR',
  '/messages?state=pending&wait=30d',
  '/replies?words=zebra',
  '/opt-outs?by=provider&from=2020-01-01&to=2020-01-02',
])('an empty list with filters does not say that there was nothing: %s', async (path) => {
  browser.server().fixtures.sources = ['main', 'backup'];
  const { page } = await browser.open(path);
  await page.getByText('No entry matches the filters.').waitFor();
  await page.getByText('Choose a longer time, or remove a filter.').waitFor();
});

test('who recorded an opt-out is in one line', async () => {
  const { page } = await browser.open('/opt-outs');
  const recorded = page.getByText('(recorded by assumed-role/Support/ann)');
  expect((await recorded.boundingBox())?.height).toBeLessThan(30);
});

test("an operator's opt-out leads to the conversation of its number", async () => {
  const { page } = await browser.open('/opt-outs', { role: 'operator' });
  await page.getByRole('button', { name: '+1 202 555 0165' }).click();
  await page.getByRole('heading', { name: 'Conversation' }).waitFor();
});

test('an opt-out at the provider leads to the conversation of its message', async () => {
  const { page } = await browser.open('/opt-outs', { role: 'operator' });
  const row = page.getByRole('row').filter({ hasText: 'SMS service: a message failed' });
  await row.getByRole('link').click();
  await page.waitForURL('**/conversations/m~msg-2');
});

test('opt-outs are of any time at first, which can be chosen again', async () => {
  const { page } = await browser.open('/opt-outs');
  await page.getByText('25 entries').waitFor();
  const time = page.getByLabel('Time', { exact: true });
  expect(await time.inputValue()).toBe('all');
  await time.selectOption('24h');
  await page.waitForURL('**/opt-outs?range=24h');
  await time.selectOption('Any time');
  await page.waitForURL('**/opt-outs?range=all');
});

test('a number without messages and replies, and a search that fails, are explained beside it', async () => {
  const { fixtures, overrides } = browser.server();
  fixtures.search = () => [];
  const { page } = await browser.open('/opt-outs', { role: 'operator' });
  const number = page.getByRole('button', { name: '+1 202 555 0165' });
  await number.click();
  await page.getByText('There is no message to this number and no reply from it.').waitFor();
  overrides.set('/v1/search', problem(503, 'unavailable', 'Busy.'));
  await number.click();
  await page.getByText('The search did not work.').waitFor();
});

test('a list by first report keeps its time, and the list by its own time keeps that', async () => {
  const { page } = await browser.open('/messages?state=unknown');
  await page.getByLabel('By', { exact: true }).selectOption('first');
  await page.waitForURL('**/messages?state=unknown&by=first&range=7d');
  await page.getByLabel('By', { exact: true }).selectOption('');
  await page.waitForURL('**/messages?state=unknown&range=7d');
});

test('every list has a column for the provider in a pipeline with several, and so has its CSV', async () => {
  const { page } = await browser.open('/messages?state=failed', {
    role: 'operator',
    prepare: async () => {
      browser.server().fixtures.sources = ['main', 'backup'];
    },
  });
  for (const name of ['Failures', 'Pending', 'Replies', 'Opt-outs', 'Sends', 'Quarantine']) {
    await page.getByRole('navigation').getByRole('link', { name }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByRole('columnheader', { name: 'Provider' }).waitFor();
    await page.locator('.list-body .cell-source').getByText('main').first().waitFor();
    await page.getByLabel('Provider', { exact: true }).waitFor();
    const { lines } = await download(page, 'Download CSV');
    expect([name, lines[0]?.split(',').at(-1), lines[2]?.split(',').at(-1)]).toEqual([
      name,
      'source',
      'main',
    ]);
  }
});
