import type { Route } from 'playwright-core';
import { expect, test } from 'vitest';
import { consoleInBrowser } from './support/browser.ts';
import { problem } from './support/console-server.ts';

const browser = consoleInBrowser();
const entryPath = () =>
  `/quarantine/${encodeURIComponent(browser.server().fixtures.quarantine[0]?.id ?? '')}`;
const replays = () => browser.server().requests.filter(({ url }) => url.endsWith('/replay'));

test('a viewer sees masked numbers, and can neither download nor replay', async () => {
  const { page } = await browser.open('/replies', { role: 'viewer' });
  await page.getByText('•••0143').first().waitFor();
  expect(await page.getByText('555').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Download CSV' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Show numbers' }).count()).toBe(0);
  await page.goto(entryPath());
  await page.getByText('Only an operator may replay.').waitFor();
  expect(await page.getByRole('button', { name: 'Replay' }).count()).toBe(0);
});

test('support sees numbers on request, may download, and cannot replay', async () => {
  const { page } = await browser.open('/replies', { role: 'support' });
  await page.getByText('•••0143').first().waitFor();
  await page.getByRole('button', { name: 'Show numbers' }).click();
  await page.getByText('+1 202 555 0143').first().waitFor();
  expect(await page.getByRole('button', { name: 'Download CSV' }).count()).toBe(1);
  await page.goto(entryPath());
  await page.getByText('Only an operator may replay.').waitFor();
  await page.getByText('numbers in it are not masked').waitFor();
});

test('an operator replays an entry after a question', async () => {
  const { page } = await browser.open(entryPath(), { role: 'operator' });
  await page.getByRole('button', { name: 'Replay' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(replays()).toEqual([]);
  const button = page.getByRole('button', { name: 'Replay' });
  const place = await button.boundingBox();
  const inNavigation = page.getByRole('navigation').locator('.nav-count');
  expect(await inNavigation.textContent()).toBe('15');
  const { fixtures } = browser.server();
  fixtures.quarantine = fixtures.quarantine.slice(1);
  await button.click();
  await dialog.getByRole('button', { name: 'Replay' }).click();
  await page.getByText('The entry was handed to the pipeline again.').waitFor();
  // Whether it was read is not known yet.
  expect(await page.locator('[data-good]').count()).toBe(0);
  expect(replays()).toHaveLength(1);
  await dialog.waitFor({ state: 'detached' });
  expect(await button.boundingBox()).toEqual(place);
  await inNavigation.getByText('14', { exact: true }).waitFor();
});

test('an entry that returns to the quarantine after its replay is shown as such, and one that does not as read', async () => {
  const { fixtures } = browser.server();
  const [first, second] = fixtures.quarantine;
  if (first === undefined || second === undefined) throw new Error('The fixtures have no quarantine.');
  const { page } = await browser.open(entryPath(), { role: 'operator', hasClock: true });
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replay' }).click();
  await page.getByText('whether it returns').waitFor();
  // As the worker names what it keeps of a replayed request.
  const requestId = `${first.requestId}~${first.index}`;
  fixtures.quarantine = [
    { ...first, id: `${first.receivedAt}#${requestId}#0`, requestId, index: 0, reason: 'bad-field' },
    ...fixtures.quarantine,
  ];
  await page.clock.fastForward(5000);
  await page.locator('[data-bad]', { hasText: 'The entry returned to the quarantine' }).waitFor();
  await page.getByRole('link', { name: 'A field has a wrong value' }).click();
  await page.getByRole('button', { name: 'Replay' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replay' }).click();
  await page.getByText('whether it returns').waitFor();
  await page.clock.fastForward(61_000);
  await page.locator('[data-good]', { hasText: 'It did not return within a minute.' }).waitFor();
});

test('the navigation counts the entries that the list has', async () => {
  const { fixtures } = browser.server();
  const [newest, ...others] = fixtures.quarantine;
  if (newest === undefined) throw new Error('The fixtures have no quarantine.');
  fixtures.quarantine = others;
  const { page } = await browser.open('/quarantine', { role: 'operator', hasClock: true });
  const inNavigation = page.getByRole('navigation').locator('.nav-count');
  await page.getByText('14 entries', { exact: true }).waitFor();
  await inNavigation.getByText('14', { exact: true }).waitFor();
  fixtures.quarantine = [newest, ...others];
  await page.clock.fastForward(11_000);
  await page.getByText('15 entries', { exact: true }).waitFor();
  await inNavigation.getByText('15', { exact: true }).waitFor();
});

test('a browser without a session is shown how to get one', async () => {
  const { page } = await browser.open('/replies', { role: null });
  await page.getByText('Your session has ended').waitFor();
  expect(browser.server().requests.map(({ url }) => url)).toEqual(['/session']);
});

test('a replay that changes nothing says why', async () => {
  const why = 'The contract still cannot read its time.';
  const { page } = await browser.open(entryPath(), { role: 'operator' });
  await page.getByRole('button', { name: 'Replay' }).click();
  browser.server().overrides.set('/v1/quarantine', { status: 200, body: { outcome: 'unreadable', why } });
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replay' }).click();
  await page.getByText(`The entry stays in the quarantine: ${why}`).waitFor();
});

test('an entry that may be stored already is replayed once the operator accepts a duplicate', async () => {
  const { overrides } = browser.server();
  const { page } = await browser.open(entryPath(), { role: 'operator' });
  await page.getByRole('button', { name: 'Replay' }).click();
  const body = { outcome: 'unidentifiable', why: 'the rules for ids have changed since' };
  overrides.set('/v1/quarantine', { status: 200, body });
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replay' }).click();
  const accept = page.getByRole('button', { name: 'Accept a possible duplicate' });
  await accept.waitFor();
  overrides.clear();
  await accept.click();
  await page.getByText('The entry was handed to the pipeline again.').waitFor();
  expect(await accept.count()).toBe(0);
  expect(replays().map(({ body }) => body)).toEqual(['{}', '{"acceptDuplicates":true}']);
});

test('a masked number of an opt-out by an operator leads nowhere, and the whole one to its conversation', async () => {
  const { page } = await browser.open('/opt-outs', { role: 'support' });
  await page.getByText('•••0165').waitFor();
  expect(await page.getByRole('button', { name: '•••0165' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Show numbers' }).click();
  await page.getByRole('button', { name: '+1 202 555 0165' }).click();
  await page.getByRole('heading', { name: 'Conversation' }).waitFor();
});

test('an operator replays all entries of a reason, and sees how many were sent and why others stay', async () => {
  const { fixtures, overrides } = browser.server();
  const second = fixtures.quarantine.filter(({ reason }) => reason === 'missing-field')[1];
  const why = 'the contract still cannot read it';
  overrides.set(`/v1/quarantine/${encodeURIComponent(second?.id ?? '')}/replay`, {
    status: 200,
    body: { outcome: 'unreadable', why },
  });
  const { page } = await browser.open('/quarantine', { role: 'operator' });
  await page.getByText('15 entries', { exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Replay all of this reason' }).count()).toBe(0);
  await page.getByLabel('Reason').selectOption('missing-field');
  await page.getByText('12 entries', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Replay all of this reason' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replay all of this reason' }).click();
  await page.getByText('11 entries were handed to the pipeline again.').waitFor();
  await page.getByText(`1 entry stays in the quarantine: ${why}`).waitFor();
  expect(new Set(replays().map(({ url }) => url)).size).toBe(12);
});

test('a replay of all entries ends with its page', async () => {
  const held: Route[] = [];
  let isHeld = true;
  const { page } = await browser.open('/quarantine?reason=missing-field', {
    role: 'operator',
    prepare: (context) =>
      context.route('**/replay', (route) => (isHeld ? void held.push(route) : route.continue())),
  });
  await page.getByRole('button', { name: 'Replay all of this reason' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replay all of this reason' }).click();
  await expect.poll(() => held.length).toBe(4);
  await page.getByRole('link', { name: 'Opt-outs' }).click();
  await page.getByText('25 entries').waitFor();
  isHeld = false;
  await Promise.all(held.map((route) => route.continue()));
  await expect.poll(() => replays().length).toBeGreaterThanOrEqual(4);
  await page.getByRole('link', { name: 'Replies' }).click();
  await page.getByText('42 entries').waitFor();
  expect(replays()).toHaveLength(4);
});

test.each([
  ['without a connection', 'The replay did not work.', (route: Route) => route.abort()],
  [
    'without a session',
    'A sentence.',
    (route: Route) => route.fulfill({ status: 401, json: problem(401, 'unauthorized', 'A sentence.').body }),
  ],
])('a replay of all entries stops %s, and says what is left', async (_, why, fail) => {
  let tried = 0;
  const { page } = await browser.open('/quarantine?reason=missing-field', {
    role: 'operator',
    prepare: (context) =>
      context.route('**/replay', (route) => {
        tried += 1;
        return fail(route);
      }),
  });
  await page.getByRole('button', { name: 'Replay all of this reason' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replay all of this reason' }).click();
  await page.getByText(`in the quarantine: ${why}`).waitFor();
  await page.getByText('Not all entries were tried.').waitFor();
  expect(tried).toBeLessThanOrEqual(4);
});
