import { expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { consoleInBrowser } from '../support/browser.ts';
import { problem } from '../support/console-server.ts';
import { download } from '../support/download.ts';
import { usualTraffic } from '../support/figures.ts';

const browser = consoleInBrowser();
const dayMs = 86_400_000;

test('the overview has one number for each state, charts with a table, and where failures are', async () => {
  const { page } = await browser.open('/');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.locator('.tile').filter({ hasText: 'Delivered' }).getByText('98.8%').waitFor();
  expect(await page.locator('[data-alarming]').count()).toBe(0);
  for (const name of ['Messages', 'Delivery rate', 'Time to delivery'])
    await page.getByRole('img', { name: new RegExp(`^${name}\\. .*lowest .*highest `) }).waitFor();
  await page.getByText('Show as a table').focus();
  await page.keyboard.press('Enter');
  const table = page.getByRole('table', { name: 'Over time' });
  await table.getByRole('row').nth(24).waitFor();
  expect(await table.getByRole('row').count()).toBe(25);
  // An hour of the night has few messages, and no failure.
  expect(await table.getByRole('row').last().textContent()).toMatch(/(98\.\d|100)%4\.1 s38 s$/);
  await page.getByRole('rowheader', { name: 'United States' }).waitFor();
  await page.getByRole('link', { name: 'The carrier rejected it' }).click();
  await page.waitForURL('**/messages?state=failed&by=first&range=24h&reason=carrier_rejected');
  await page.getByText('52 entries').waitFor();
});

test.each(['/', '/sends/spring-2026'])(
  'beside each reason of %s a button shows what support can do, by keyboard too',
  async (path) => {
    const { page } = await browser.open(path);
    const button = page.getByRole('button', { name: 'What to do: The phone was not reachable' });
    await button.press('Enter');
    const step = page.getByRole('dialog');
    await step.getByText('The phone may be off or without signal.').waitFor();
    await expectAccessible(page, 'a next step');
    await page.keyboard.press('Escape');
    await step.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.evaluate('document.activeElement.ariaLabel'))
      .toBe('What to do: The phone was not reachable');
  },
);

test('the overview says what changed since last week, and follows new figures', async () => {
  const { fixtures, requests } = browser.server();
  const now = Date.now();
  fixtures.traffic = (start, interval) => {
    const usual = usualTraffic(start, interval);
    return start > now - 2 * dayMs ? { messages: usual.messages * 2, failing: 0.1 } : usual;
  };
  const { page } = await browser.open('/', { hasClock: true });
  const changes = page.locator('.changes li');
  await changes.first().waitFor();
  expect(await changes.allTextContents()).toEqual([
    expect.stringMatching(/^The delivery rate fell from 98\.\d% to 90\.0%\.$/),
    expect.stringMatching(/^2 times as many messages until the current hour: [\d,]+ after [\d,]+\.$/),
    expect.stringMatching(
      /^More messages fail with “The phone was not reachable”: \d\.\d% \([\d,]+\), after \d\.\d% \([\d,]+\) last week\.$/,
    ),
    expect.stringContaining('The carrier rejected it'),
    expect.stringContaining('The number is not valid'),
  ]);
  expect(await page.locator('.tile[data-alarming]').textContent()).toContain('high');
  const tile = page.locator('.tile').filter({ hasText: 'Messages' });
  const before = await tile.textContent();
  const asked = () => requests.filter(({ url }) => /insights.*country/.test(url)).map(({ status }) => status);
  await page.clock.fastForward(11_000);
  // A busy machine may need so long that the page asks by itself, too.
  await expect.poll(asked).toEqual(expect.arrayContaining([200, 304]));
  fixtures.traffic = () => ({ messages: 10, failing: 0 });
  await page.clock.fastForward(11_000);
  await expect.poll(() => tile.textContent()).not.toBe(before);
});

test('an incident of the current hour makes the rate fall in the card as in the tiles', async () => {
  const { fixtures } = browser.server();
  fixtures.traffic = (start) =>
    start > Date.now() - 3_600_000 ? { messages: 600, failing: 0.9 } : { messages: 60, failing: 0 };
  const { page } = await browser.open('/');
  await page.locator('.changes li').getByText('The delivery rate fell from 100% to ').waitFor();
  expect(await page.locator('.tile[data-alarming]').textContent()).toContain('high');
});

test('the range is in the address, and a time without messages says what to do', async () => {
  const { page } = await browser.open('/');
  await page.getByLabel('Time', { exact: true }).selectOption('30d');
  await page.waitForURL('**/?range=30d');
  await page.getByText('Days are in UTC.').waitFor();
  browser.server().fixtures.traffic = () => ({ messages: 0, failing: 0 });
  await page.reload();
  await page.getByText('No message had its first report in this time').waitFor();
});

test('an empty pipeline on this machine says that it is being filled, and how far', async () => {
  const { fixtures, overrides } = browser.server();
  const traffic = fixtures.traffic;
  fixtures.traffic = () => ({ messages: 0, failing: 0 });
  const session = { pipeline: 'local', sources: ['main'], role: 'operator', place: 'local', masked: false };
  const fillTo = (fill?: object) =>
    overrides.set('/session', { status: 200, body: { ...session, canReveal: false, canReplay: true, fill } });
  fillTo();
  const { page } = await browser.open('/', { hasClock: true });
  await page.getByText('npm start -- --sample').waitFor();
  fillTo({ sent: 1200, all: 4800 });
  await page.clock.fastForward(3000);
  await page.getByText('1,200 of 4,800 events were sent.').waitFor();
  expect(await page.getByRole('progressbar').getAttribute('value')).toBe('1200');
  fixtures.traffic = traffic;
  await page.clock.fastForward(11_000);
  await page.locator('.tile').first().waitFor();
});

test.each([
  [404, 'insights-off', 'Figures are switched off'],
  [403, 'not-permitted', 'Your role does not allow this'],
  [500, 'internal', 'This could not be loaded'],
])('an answer %i %s is explained', async (status, type, text) => {
  browser.server().overrides.set('/v1/insights', problem(status, type, 'A sentence.'));
  const { page } = await browser.open('/');
  await page.getByText(text).first().waitFor();
  expect(await page.getByRole('searchbox').count()).toBe(1);
});

test('providers are compared with the week before, and a mark says where the rate fell by more than chance', async () => {
  const { fixtures, requests } = browser.server();
  fixtures.sources = ['main', 'backup', 'idle'];
  const lastWeek = Date.now() - 7 * 86_400_000;
  fixtures.traffic = (start) => ({ messages: 1000, failing: start < lastWeek ? 0.01 : 0.04 });
  const { page } = await browser.open('/providers');
  const row = (name: string) =>
    page
      .getByRole('table', { name: 'Compared with the time before' })
      .getByRole('row')
      .filter({ hasText: name });
  await row('backup').getByText('Worse than before:').waitFor();
  expect(await row('backup').textContent()).toMatch(/^backup1,75\d1,75\d92\.\d%.*98\.\d%$/);
  expect(await row('idle').textContent()).toBe('idle00––');
  const spans = requests.flatMap(({ url }) =>
    url.includes('by=source&') || url.endsWith('by=source')
      ? [new URL(url, 'http://console').searchParams]
      : [],
  );
  const [asked] = spans;
  const days = (Date.parse(asked?.get('until') ?? '') - Date.parse(asked?.get('since') ?? '')) / 86_400_000;
  expect(days).toBe(7);
});

test('providers are side by side in a pipeline with several sources, and a reason opens its messages of one', async () => {
  const { fixtures, requests } = browser.server();
  const { page } = await browser.open('/');
  await page.getByRole('link', { name: 'Sends' }).waitFor();
  expect(await page.getByRole('link', { name: 'Providers' }).count()).toBe(0);
  fixtures.sources = ['main', 'backup', 'idle'];
  const [first, second] = fixtures.messages.filter(
    ({ messageId, events }) =>
      messageId.startsWith('msg-f') && events.some(({ errorReason }) => errorReason === 'unreachable'),
  );
  if (first === undefined || second === undefined) throw new Error('The fixtures have too few failures.');
  fixtures.messages = [{ ...first, source: 'backup' }, second];
  await page.reload();
  await page.getByRole('link', { name: 'Providers' }).click();
  const card = (name: string) =>
    page.locator('.card').filter({ has: page.getByRole('heading', { name, exact: true }) });
  await card('main').getByText('99.2%').waitFor();
  await card('backup').getByText('97.6%').waitFor();
  await card('backup').getByText('4.1 s, 38 s').waitFor();
  await card('idle').getByText('No message of this provider').waitFor();

  await page.getByRole('img', { name: /^Delivery rate\. main: .*lowest 99.* backup: .*lowest 97/ }).waitFor();
  const brazil = page
    .getByRole('table', { name: 'By country' })
    .getByRole('row')
    .filter({ hasText: 'Brazil' });
  expect(await brazil.textContent()).toMatch(/99\.2%38 s97\.6%38 s$/);
  await card('backup').getByRole('link', { name: 'The phone was not reachable' }).click();
  await page.waitForURL('**/messages?state=failed&by=first&range=7d&reason=unreachable&source=backup');
  await page.getByRole('link', { name: `backup/${first.messageId}` }).waitFor();
  await page.getByText('1 entry').waitFor();
  const { lines } = await download(page, 'Download CSV');
  expect([lines[0], lines[1]]).toEqual([
    expect.stringMatching(/^\W?message,.*,source$/),
    expect.stringMatching(/^backup\/msg-f\d+,.*,backup$/),
  ]);
  await page.getByLabel('Provider').selectOption('main');
  await page.getByRole('link', { name: second.messageId, exact: true }).waitFor();
  const asked = requests.filter(({ url }) => url.startsWith('/v1/messages?')).map(({ url }) => url);
  expect([asked[0], asked.at(-1)]).toEqual([
    expect.stringContaining('source=backup'),
    expect.stringContaining('source=main'),
  ]);
});

test('the figures of another range disappear until those of the chosen one are there', async () => {
  const { page } = await browser.open('/');
  const tile = page.locator('.tile').filter({ hasText: 'Delivered' });
  await tile.waitFor();
  const held = Promise.withResolvers<void>();
  await page.route('**/v1/insights?*interval=day*', async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByLabel('Time', { exact: true }).selectOption('7d');
  await tile.waitFor({ state: 'detached' });
  held.resolve();
  await tile.waitFor();
});

test('a number of the overview opens a list of the messages that it counts, and unknown ones have a list', async () => {
  const { fixtures } = browser.server();
  const named = (id: string) => {
    const found = fixtures.messages.find(({ messageId }) => messageId === id);
    if (found === undefined) throw new Error(`The fixtures have no message ${id}.`);
    return found;
  };
  const failed = named('msg-f0000');
  const [first, last] = failed.events;
  if (first === undefined || last === undefined) throw new Error('The message needs two reports.');
  const daysAgo = { ...first, occurredAt: new Date(Date.now() - 3 * dayMs).toISOString() };
  const failedLate = { ...failed, messageId: 'msg-late-failure', events: [daysAgo, last] };
  fixtures.messages = [failed, failedLate, named('msg-unknown')];
  // Two failed in the last day. One of them had its first report days ago.
  fixtures.traffic = (start) =>
    start > Date.now() - 3_600_000
      ? { messages: 4, failing: 1, pending: 3, unknown: 1 }
      : { messages: 0, failing: 0 };
  const { page } = await browser.open('/');
  const tile = (name: string) => page.locator('.tile').filter({ hasText: name });
  await tile('Failed').getByRole('link', { name: '1', exact: true }).click();
  await page.waitForURL('**/messages?state=failed&by=first&range=24h');
  await page.getByText('1 entry').waitFor();
  await page.getByText('as the overview counts them').waitFor();
  await page.getByLabel('By', { exact: true }).selectOption('Failure');
  await page.getByText('2 entries').waitFor();
  await page.goto('/');
  await tile('Pending').getByRole('link', { name: '2 waiting' }).waitFor();
  await tile('Pending').getByRole('link', { name: '1 unknown' }).click();
  await page.getByRole('heading', { name: 'Unknown', level: 1 }).waitFor();
  await page.getByRole('link', { name: 'msg-unknown' }).waitFor();
  await page.getByText('1 entry').waitFor();
});

test('reasons and countries are compared with the time before, and a country opens its failures', async () => {
  const { fixtures, requests } = browser.server();
  const now = Date.now();
  fixtures.traffic = (start) => ({ messages: 100, failing: start > now - dayMs ? 0.2 : 0 });
  const { page } = await browser.open('/');
  const row = (table: string, name: string) =>
    page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: name });
  await row('Failures by reason', 'The phone was not reachable').getByText('Worse than before:').waitFor();
  const us = row('By country', 'United States');
  expect(await us.textContent()).toMatch(/80\.\d%Worse than before:100%$/);
  await page.getByText('“Before” is the 24 hours before these.').waitFor();
  await page.getByRole('link', { name: 'Brazil: show its failures' }).click();
  await page.waitForURL('**/messages?state=failed&by=first&range=24h&country=BR');
  await page.getByText('+55 11 95555 0143').or(page.getByText('•••0143')).first().waitFor();
  expect(await page.getByLabel('Country').inputValue()).toBe('BR');
  expect(
    await page
      .locator('.list-body .row')
      .filter({ hasText: /0117|0199|0102|0165/ })
      .count(),
  ).toBe(0);
  const asked = requests.filter(({ url }) => url.startsWith('/v1/messages?'));
  expect(asked.every(({ url }) => url.includes('country=BR'))).toBe(true);
});
