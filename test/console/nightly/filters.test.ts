import { expect, test } from 'vitest';
import { consoleInBrowser } from '../support/browser.ts';
import { download } from '../support/download.ts';

const browser = consoleInBrowser();

test('a reason that only old failures have is found, however many other failures are newer', async () => {
  const { fixtures, requests } = browser.server();
  const [failure] = fixtures.messages.filter(({ messageId }) => messageId === 'msg-f0002');
  if (failure === undefined) throw new Error('The fixtures have no such failure.');
  const others = Array.from({ length: 2000 }, (_, index) => ({ ...failure, messageId: `msg-n${index}` }));
  const old = {
    ...failure,
    messageId: 'msg-old',
    events: failure.events.map((event) => ({ ...event, errorReason: 'spam', errorCode: '30099' })),
  };
  fixtures.messages = [...others, old];
  const { page } = await browser.open('/messages?state=failed&reason=spam');
  await page.getByText('1 entry', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'msg-old' }).waitFor();
  await page.getByLabel('Code').fill('30099');
  await page.keyboard.press('Enter');
  await page.waitForURL('**code=30099**');
  await page.getByRole('link', { name: 'msg-old' }).waitFor();
  await page.getByLabel('Code').fill('30098');
  await page.keyboard.press('Enter');
  await page.getByText('No entry matches the filters.').waitFor();
  const lists = requests.filter(({ url }) => url.startsWith('/v1/messages?'));
  expect(lists.every(({ url }) => url.includes('reason=spam'))).toBe(true);
});

test('a list that was not searched to its end says how far it was, and goes on at a press', async () => {
  const { page } = await browser.open('/replies?words=order', {
    prepare: (context) =>
      context.route('**/v1/replies?**', async (route) => {
        if (route.request().url().includes('cursor=')) return route.continue();
        await route.fulfill({
          json: { entries: [], next: '0', searchedTo: '2026-01-15T12:00:00.000Z' },
        });
      }),
  });
  await page.getByText('The list was looked at as far as 15 Jan 2026, 09:00:00').waitFor();
  await page.getByRole('button', { name: 'Search further' }).click();
  await page.getByText('My order number is 5512').first().waitFor();
});

test('replies are found by a word', async () => {
  const { page } = await browser.open('/replies');
  await page.getByText('Who is this?').first().waitFor();
  await page.getByLabel('Words').fill('ORDER');
  await page.keyboard.press('Enter');
  await page.waitForURL('**words=ORDER**');
  await page.getByText('Who is this?').first().waitFor({ state: 'detached' });
  await expect.poll(() => page.locator('.list-body .row').count()).toBe(6);
});

test('opt-outs are found by who said them', async () => {
  const { page } = await browser.open('/opt-outs', { role: 'operator' });
  await page.getByText('25 entries').waitFor();
  await page.getByLabel('Origin').selectOption('operator');
  await page.getByText('1 entry', { exact: true }).waitFor();
  await page.getByText('Operator: Asked on the phone').waitFor();
  await page.getByText('recorded by assumed-role/Support/ann').waitFor();
  const { lines } = await download(page, 'Download CSV');
  expect(lines[0]).toMatch(/number,by,reason,recordedBy,time$/);
  expect(lines[1]).toContain(',operator,Asked on the phone,assumed-role/Support/ann,');
});

test('messages that have waited for more than a day are found, and the page says what to do', async () => {
  const { fixtures, requests } = browser.server();
  for (const message of fixtures.messages.filter(({ messageId }) => /^msg-p[1-3]$/.test(messageId)))
    message.firstSeenAt = new Date(Date.parse(message.firstSeenAt) - 2 * 86_400_000).toISOString();
  const { page } = await browser.open('/messages?state=pending');
  await page.getByText('14 entries').waitFor();
  await page.getByText('An operator can ask it with `sms lookup`').waitFor();
  await page.getByLabel('Waiting for').selectOption('24h');
  await page.waitForURL('**wait=24h**');
  const untilOf = (url: string) => new URL(url, 'http://console').searchParams.get('until');
  await expect
    .poll(() => requests.map(({ url }) => untilOf(url)).find((until) => until !== null))
    .toMatch(/:00:00\.000Z$/);
  const until = requests.map(({ url }) => untilOf(url)).find((one) => one !== null) ?? '';
  const hours = (Date.now() - Date.parse(until)) / 3_600_000;
  expect(Math.floor(hours)).toBe(24);
  await page.getByText('The message that waits longest is first.').waitFor();
  await page.getByRole('columnheader', { name: 'Waiting for' }).waitFor();
  const times = () =>
    page
      .locator('.list-body time')
      .evaluateAll((all) => all.map((time) => time.getAttribute('datetime') ?? ''));
  await expect
    .poll(async () => JSON.stringify((await times()).toSorted()))
    .toBe(JSON.stringify(await times()));
  expect(await page.locator('.list-body .cell-age').first().textContent()).toMatch(/^\d+ (min|h|d)/);
  expect(requests.some(({ url }) => url.includes('order=oldest'))).toBe(true);
});

test('days are chosen in the zone of the viewer, are in the address, and have their own span', async () => {
  const { requests } = browser.server();
  const { page } = await browser.open('/replies');
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Days…' });
  await page.getByLabel('From', { exact: true }).fill('2026-01-10');
  expect(await page.evaluate('document.activeElement.type')).toBe('date');
  await page.waitForURL('**from=2026-01-10**');
  await page.getByLabel('To', { exact: true }).fill('2026-01-12');
  await page.waitForURL('**to=2026-01-12**');
  await page.getByText('from 10 Jan 2026, 00:00:00 until before 13 Jan 2026, 00:00:00').waitFor();
  const asked = (parts: readonly string[]) =>
    requests.some(({ url }) => parts.every((part) => decodeURIComponent(url).includes(part)));
  // The browser of the tests is in São Paulo.
  await expect
    .poll(() => asked(['/v1/replies', 'since=2026-01-10T03:00:00.000Z', 'until=2026-01-13T03:00:00.000Z']))
    .toBe(true);
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Last 7 days' });
  await page.waitForURL((url) => !url.search.includes('from='));
});

test('the days of figures are in UTC, and lead to the messages of the same days', async () => {
  const { requests } = browser.server();
  const { page } = await browser.open('/?from=2026-01-10&to=2026-01-12');
  await page.getByLabel('From (UTC)').waitFor();
  await page.getByText('“Before” is as many days before these. Days are in UTC.').waitFor();
  const spans = () =>
    requests
      .map(({ url }) => new URL(url, 'http://console').searchParams)
      .map((one) => [one.get('since'), one.get('until')]);
  await expect.poll(spans).toContainEqual(['2026-01-10T00:00:00.000Z', '2026-01-13T00:00:00.000Z']);
  expect(spans()).toContainEqual(['2026-01-07T00:00:00.000Z', '2026-01-10T00:00:00.000Z']);
});

test('an address with days that do not exist shows the usual time', async () => {
  const { page } = await browser.open('/replies?from=2026-02-30&to=never');
  await page.getByText('Who is this?').first().waitFor();
  expect(await page.getByLabel('From', { exact: true }).count()).toBe(0);
});
