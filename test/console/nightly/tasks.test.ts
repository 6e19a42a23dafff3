import { expect } from 'vitest';
import { consoleInBrowser } from '../support/browser.ts';
import { usualTraffic } from '../support/figures.ts';
import { walkIn } from '../support/walk.ts';

// What support and an analyst ask of the console.

const browser = consoleInBrowser();
const walk = walkIn(browser);
const dayMs = 86_400_000;

const fixtures = () => browser.server().fixtures;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** A message of the fixtures with other properties, which is added to them. */
function addMessage(like: string, changes: Record<string, unknown>): void {
  const found = fixtures().messages.find(({ messageId }) => messageId === like);
  if (found === undefined) throw new Error(`The fixtures have no message ${like}.`);
  fixtures().messages.push({ ...found, ...changes });
}

const newest = (reader: { page: import('playwright-core').Page }) =>
  reader.page
    .getByRole('article', { name: 'Message to the number' })
    .filter({ hasText: 'Delivered' })
    .first();

walk('find out which of two numbers was reached last', { atMost: 4 }, async (reader) => {
  await reader.search('+1 202 555 0117');
  const first = await newest(reader).textContent();
  await reader.search('+1 202 555 0188');
  await reader.page.getByText('msg-yesterday').first().waitFor();
  const second = await newest(reader).textContent();
  const times = [first, second].map(
    (text) => /Delivered\s*(\d+ \w+ \d{4}, \d\d:\d\d:\d\d)/.exec(text ?? '')?.[1],
  );
  const [a = 0, b = 0] = times.map((time) => Date.parse(`${time} UTC`));
  expect(a - b).toBeGreaterThan(dayMs / 2);
});

walk(
  'find the only message that is older than 90 days',
  {
    atMost: 4,
    prepare: async () => {
      const old = new Date(Date.now() - 120 * dayMs).toISOString();
      addMessage('msg-f0000', { messageId: 'msg-old', statusAt: old, firstSeenAt: old });
    },
  },
  async (reader) => {
    await reader.goTo('Failures');
    await reader.choose('Time', 'days');
    await reader.pickDay('From', dayOf(Date.now() - 365 * dayMs));
    await reader.pickDay('To', dayOf(Date.now() - 91 * dayMs));
    await reader.page.getByText('1 entry', { exact: true }).waitFor();
    await reader.page.getByRole('link', { name: 'msg-old' }).waitFor();
  },
);

walk(
  'find who opted out in a month by hand, and who recorded it',
  {
    atMost: 5,
    role: 'operator',
    prepare: async () => {
      const { optOuts } = fixtures();
      const since = new Date(Date.now() - 40 * dayMs).toISOString();
      optOuts.push({
        phone: '+12025550104',
        since,
        by: 'operator',
        entryId: '8e1f',
        reason: 'By mail',
        recordedBy: 'user/eve',
      });
    },
  },
  async (reader) => {
    await reader.goTo('Opt-outs');
    await reader.choose('Origin', 'operator');
    await reader.choose('Time', 'days');
    await reader.pickDay('From', dayOf(Date.now() - 60 * dayMs));
    await reader.pickDay('To', dayOf(Date.now() - 30 * dayMs));
    await reader.page.getByText('1 entry', { exact: true }).waitFor();
    await reader.page.getByText('Operator: By mail').waitFor();
    await reader.page.getByText('recorded by user/eve').waitFor();
  },
);

walk(
  'find out what an unknown code is, how often it occurs and since when',
  {
    atMost: 3,
    prepare: async (context) => {
      await context.route('**/v1/insights**', async (route) => {
        const figures = await (await route.fetch()).text();
        const unknown = figures.replaceAll(
          /\{"reason":"unreachable","code":"30003"/g,
          '{"reason":"unknown","code":"30099"',
        );
        await route.fulfill({ body: unknown, contentType: 'application/json' });
      });
      const failure = fixtures().messages.find(({ messageId }) => messageId === 'msg-f0000');
      const events = failure?.events.map(({ errorReason: _, ...event }) => ({
        ...event,
        errorCode: '30099',
        errorText: 'Handset on the moon',
      }));
      addMessage('msg-f0000', { messageId: 'msg-moon', events });
    },
  },
  async (reader) => {
    const { page } = reader;
    await reader.search('msg-moon');
    await reader.click(page.getByRole('link', { name: '30099' }).first());
    await page.getByText('Handset on the moon').first().waitFor();
    await page.getByText('"errors": { "30099": "…" }').waitFor();
    for (const fact of ['Messages', 'First day', 'Last day'])
      await page.locator(`.facts dt:text-is("${fact}") + dd`).waitFor();
  },
);

walk('prove on paper what happened to a message', { atMost: 3 }, async (reader) => {
  const { page } = reader;
  await reader.search('msg-late');
  await reader.click(page.getByRole('link', { name: 'Print a proof' }));
  await page.getByText('c0ffee12beef').first().waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  expect(await page.getByRole('main').textContent()).toMatch(/\d{4}.*UTC/s);
});

walk(
  'find the worst country, send and provider, against the week before',
  {
    atMost: 6,
    prepare: async () => {
      fixtures().sources = ['main', 'backup'];
      const begin = Date.now() - 8 * dayMs;
      fixtures().traffic = (start, interval) => ({
        ...usualTraffic(start, interval),
        failing: start > begin ? 0.08 : 0.01,
      });
    },
  },
  async (reader) => {
    const { page } = reader;
    await reader.choose('Time', '7d');
    const worse = page.getByRole('table', { name: 'By country' }).getByText('Worse than before:').first();
    await worse.waitFor();
    await reader.goTo('Sends');
    await reader.choose('Order', 'Worst first');
    await page.locator('[data-index="0"]').filter({ hasText: 'spring-2026' }).waitFor();
    await reader.goTo('Providers');
    await reader.choose('Time', '7d');
    await page.getByRole('table', { name: 'Compared with the time before' }).getByText('backup').waitFor();
  },
);

walk('find the replies with a word', { atMost: 3 }, async (reader) => {
  const { page } = reader;
  await reader.goTo('Replies');
  await reader.type('Words', 'order');
  await page.waitForURL('**words=order**');
  await expect.poll(() => page.locator('.list-body .row').count()).toBe(6);
});

walk('find a message by the beginning of its id', { atMost: 3 }, async (reader) => {
  const { page } = reader;
  await reader.search('msg-f00');
  await reader.click(page.getByRole('link', { name: 'Failures whose id begins with “msg-f00”' }));
  await page.getByRole('link', { name: 'msg-f0000' }).waitFor();
});

walk(
  'find a message that has been pending for two days, and what to do',
  {
    atMost: 2,
    prepare: async () => {
      const firstSeenAt = new Date(Date.now() - 2 * dayMs - 3_600_000).toISOString();
      addMessage('msg-p1', { messageId: 'msg-waiting', firstSeenAt });
    },
  },
  async (reader) => {
    const { page } = reader;
    await reader.goTo('Pending');
    await reader.choose('Waiting for', '24h');
    await page.getByText('1 entry', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'msg-waiting' }).waitFor();
    await page.getByText('An operator can ask it with `sms lookup`').waitFor();
    await page.locator('.row').filter({ hasText: 'msg-waiting' }).getByText(/2 d/).waitFor();
  },
);

walk(
  'find out what is in quarantine, why, and what to do',
  { atMost: 2, role: 'operator' },
  async (reader) => {
    const { page } = reader;
    await reader.goTo('Quarantine');
    await reader.click(page.getByRole('link', { name: 'A time cannot be read' }));
    await page.getByText('What to do').first().waitFor();
    await page.getByText('sms quarantine replay').first().waitFor();
  },
);

walk(
  'know what to do with a pipeline that has received nothing',
  {
    atMost: 1,
    prepare: async () => {
      Object.assign(fixtures(), {
        messages: [],
        replies: [],
        sends: [],
        optOuts: [],
        quarantine: [],
        traffic: () => ({ messages: 0, failing: 0 }),
      });
    },
  },
  async (reader) => {
    const { page } = reader;
    await reader.choose('Time', '30d');
    await page.getByText('An operator sends a test report with').waitFor();
  },
);

walk(
  'distinguish two messages of two providers with one id',
  {
    atMost: 2,
    prepare: async () => {
      fixtures().sources = ['main', 'backup'];
      addMessage('msg-late', { source: 'backup', phone: '+12025550199', status: 'undelivered' });
    },
  },
  async (reader) => {
    const { page } = reader;
    await reader.search('msg-late');
    await page.getByText('More than one was found').waitFor();
    const [ofMain = '', ofBackup = ''] = await page.locator('.search-result').allTextContents();
    expect(ofMain).toContain('Delivered');
    expect(ofBackup).toMatch(/backup.*•••0199.*Undelivered/);
  },
);
