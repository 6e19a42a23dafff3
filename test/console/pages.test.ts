import { expect, test } from 'vitest';
import type { Message } from '../../client/types.ts';
import { consoleInBrowser } from './support/browser.ts';
import { problem } from './support/console-server.ts';

const browser = consoleInBrowser();

test('a message shows every report, the one that decides, why, and that reports contradict each other', async () => {
  const { page } = await browser.open('/messages/msg-conflict');
  await page.getByText('The reports contradict each other').waitFor();
  const reports = page.locator('.timeline > li');
  expect(await reports.count()).toBe(3);
  const deciding = reports.filter({ hasText: 'Decides the status' });
  expect(await deciding.textContent()).toContain('“Delivered” is more final than “Undelivered”.');
  expect(await page.getByText('evt-c-undelivered').count()).toBe(1);
  expect(await page.getByText('The phone was not reachable').count()).toBe(1);
});

test('a message shows what it cost and how it was sent, only if a report has it', async () => {
  const { page } = await browser.open('/messages/msg-yesterday');
  const cost = page.getByRole('region', { name: 'Cost and route' });
  await cost.waitFor();
  expect(await cost.textContent()).toMatch(/Price\$0.0158Segments2Network \(MCC, MNC\)310410CarrierOne$/);
  const { page: other } = await browser.open('/messages/msg-conflict');
  await other.getByText('The reports contradict each other').waitFor();
  expect(await other.getByText('Cost and route').count()).toBe(0);
});

test('a picture has the reports of a message on a line of time, with the time of each since the first', async () => {
  const { page } = await browser.open('/messages/msg-late');
  const picture = page.getByRole('img', { name: 'Reports by the time since the first one' });
  expect(await picture.getAttribute('aria-label')).toMatch(/: Accepted, Delivered \+30 s, Sent \+1 min$/);
  expect(await picture.locator('circle').count()).toBe(3);
  const circles = await picture.locator('circle').all();
  const places = await Promise.all(circles.map(async (one) => Number(await one.getAttribute('cx'))));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test('a message says why a later report does not change its status', async () => {
  const { page } = await browser.open('/messages/msg-late');
  await page.getByText('A report that happened later does not change the status').waitFor();
  expect(await page.getByText('Word of the service').count()).toBe(1);
});

test('what support can do about a failure is beside its reason, for a message, a conversation and a list', async () => {
  const { page } = await browser.open('/messages/msg-f0001');
  const step = page.getByText('report the error code to the service');
  for (const path of [
    '/messages/msg-f0001',
    '/conversations/m~msg-f0001',
    '/messages?state=failed&reason=carrier_rejected',
    '/sends/spring-2026?state=failed&reason=carrier_rejected',
  ]) {
    await page.goto(path);
    await step.first().waitFor();
  }
  await page.goto('/messages/msg-late');
  await page.getByText('3 reports').waitFor();
  expect(await page.getByText('What to do').count()).toBe(0);
});

test('a code that the contract does not know is called that on each page, with the text of the service', async () => {
  const { fixtures } = browser.server();
  const events = (rest: Partial<Message['events'][number]>) => [
    {
      eventId: 'evt-x',
      status: 'failed',
      occurredAt: '2026-11-20T12:00:00.000Z',
      receivedAt: '2026-11-20T12:00:01.000Z',
      ...rest,
    },
  ];
  const [any] = fixtures.messages;
  if (any === undefined) throw new Error('The fixtures have no message.');
  const failed = (messageId: string, rest: Partial<Message['events'][number]>): Message => ({
    ...any,
    messageId,
    status: 'failed',
    statusAt: new Date(Date.now() - 3_600_000).toISOString(),
    conflict: false,
    events: events(rest),
  });
  fixtures.messages = [
    failed('msg-code', { errorCode: '30999', errorText: 'Queue overflow' }),
    failed('msg-text', { errorText: 'Handset off' }),
    failed('msg-nothing', {}),
  ];
  const { page } = await browser.open('/messages?state=failed');
  const known = 'The contract does not know the code 30999: “Queue overflow”';
  const reason = page.locator('.cell-reason', { hasText: known });
  await reason.waitFor();
  // Neither can turn the other.
  expect(await reason.locator('.foreign').allTextContents()).toEqual([
    'The contract does not know the code 30999',
    'Queue overflow',
  ]);
  await page.locator('.cell-reason', { hasText: 'The service says: “Handset off”' }).waitFor();
  await page.locator('.cell-reason', { hasText: 'The service gives no reason' }).waitFor();
  await page.goto('/messages/msg-code');
  await page.locator('dd', { hasText: 'The contract does not know the code 30999' }).waitFor();
  await page.locator('.next-step', { hasText: 'ask the service' }).waitFor();
  // Counts have one name for all of them.
  await page.goto('/sends/spring-2026');
  const row = page.locator('.reason-name', { hasText: 'The reason is not known' });
  await row.first().waitFor();
  expect(await page.locator('.reason-name', { hasText: 'gives no reason' }).count()).toBe(0);
});

test('a time is in the zone of the viewer, and in UTC when it has the focus', async () => {
  const { page } = await browser.open('/messages/msg-late');
  const time = page.locator('.timeline time').first();
  await time.focus();
  const at = new Date((await time.getAttribute('datetime')) ?? '');
  const hours = (zone: string) => at.toLocaleTimeString('en-GB', { timeZone: zone });
  expect(await time.textContent()).toContain(hours('America/Sao_Paulo'));
  const utc = time.locator('.utc');
  expect(await utc.isVisible()).toBe(true);
  expect(await utc.textContent()).toContain(`${hours('UTC')} UTC`);
});

test('a conversation has messages and replies, the state of opting out, and its history', async () => {
  const { page } = await browser.open('/conversations/r~rep-hostile');
  await page.getByText('Opted out', { exact: true }).first().waitFor();
  await page.getByText('Opt-out history').click();
  await page.locator('.statements li').last().waitFor();
  expect(await page.locator('.statements li').allInnerTexts()).toEqual([
    expect.stringContaining('Opted out, at the SMS service'),
    expect.stringContaining('Opted in, by an operator'),
    expect.stringContaining('Opted out, by reply'),
  ]);
  expect(await page.getByText('Asked by e-mail').count()).toBe(1);
  expect(await page.getByText('recorded by user/bo').count()).toBe(1);
  await page.getByRole('article', { name: 'Reply' }).nth(1).waitFor();
});

test('a conversation says that texts that were sent are not stored', async () => {
  const { page } = await browser.open('/conversations/r~rep-hostile');
  await page.getByText('Texts that were sent are not stored here').waitFor();
});

test('a reply and a report show what was not read exactly', async () => {
  const { fixtures } = browser.server();
  fixtures.replies = fixtures.replies.map((reply) =>
    reply.replyId === 'rep-hostile'
      ? {
          ...reply,
          channel: 'whatsapp',
          media: ['https://example.com/1.jpg'],
          timeIs: 'assumed',
          parts: { total: 3, received: 2, isWhole: false },
          unread: { occurredAt: '2026-01-15 07:00' },
        }
      : reply,
  );
  fixtures.messages = fixtures.messages.map((message) =>
    message.messageId === 'msg-late'
      ? {
          ...message,
          events: message.events.map((event, index) => ({
            ...event,
            partId: `part-${index}`,
            timeIs: 'received' as const,
            unread: { price: '0,0075' },
          })),
        }
      : message,
  );
  const { page } = await browser.open('/conversations/r~rep-hostile');
  for (const note of [
    'by whatsapp',
    '1 attachment',
    '2 of 3 parts, the others have not arrived',
    'The time zone of “2026-01-15 07:00” is not certain',
  ])
    await page.getByText(note, { exact: true }).waitFor();
  await page.goto('/messages/msg-late');
  await page
    .getByText('The service sent no time, or one in the future: this is when it arrived')
    .first()
    .waitFor();
  await page.getByText('price could not be read: “0,0075”').first().waitFor();
  await page.getByText('Part of the message').first().waitFor();
});

test('an entry of the quarantine shows why it is there, and what was received', async () => {
  const entry = browser.server().fixtures.quarantine[0];
  const { page } = await browser.open('/quarantine');
  await page.getByRole('link', { name: 'A time cannot be read' }).click();
  await page.getByText('data.occurred_at').waitFor();
  expect(await page.locator('.raw').textContent()).toBe(
    `${JSON.stringify(JSON.parse(entry?.raw ?? ''), undefined, 2)}\n`,
  );
  expect(await page.getByText('No headers were kept.').count()).toBe(1);
  await page.getByText('Compare what was received with the contract').waitFor();
  await page.getByText(`sms quarantine replay --id '${entry?.id}'`).waitFor();
});

test('health shows what needs attention first, and what to do', async () => {
  const { page } = await browser.open('/health');
  await page.getByText('1 check failed, 1 warning').waitFor();
  const checks = await page.locator('.check h2').allInnerTexts();
  expect(checks).toEqual([
    'Dead letters',
    'Signing secret',
    'Database',
    'Received reports',
    'Queues',
    'Alarms',
    'Access to the SMS service',
  ]);
  const failed = page.locator('.check').first();
  await failed.getByText('An operator can process them again.', { exact: false }).waitFor();
  await failed.getByText('Report it to the operator of this pipeline.').waitFor();
  // The command line is for those who open the details.
  expect(await page.getByText('sms dead-letter list').isVisible()).toBe(false);
  await failed.getByText('Details for the operator').click();
  await page.getByText('sms dead-letter list').waitFor();
  await failed.getByRole('link', { name: 'Dead letters' }).click();
  await page.waitForURL('**/health#dead-letters');
});

test('a database that does not answer is the failed check, and what needs it says so', async () => {
  const { fixtures } = browser.server();
  const checks = [
    { check: 'database', state: 'failed', found: 'it does not answer (TimeoutError)', hint: null } as const,
    { check: 'api-key', state: 'skipped', found: 'not read', hint: null } as const,
  ];
  fixtures.health = { ...fixtures.health, checks };
  const { page } = await browser.open('/health');
  await page.getByText('1 check failed').waitFor();
  const texts = await page.locator('.check').allInnerTexts();
  expect(texts[0]).toMatch(/^Database\s+Failed\s+The database does not answer\./);
  expect(texts[1]).toContain('Not checked, because the database does not answer.');
});

test('health is explained in Portuguese', async () => {
  const { page } = await browser.open('/health', { locale: 'pt-BR' });
  await page.getByText('O banco de dados responde.').waitFor();
  const shown = (await page.locator('.check h2, .check-text > p').allInnerTexts()).join();
  expect(shown).not.toMatch(/\b(the|of|is|sms [a-z-]+)\b/);
});

test('the navigation counts the quarantine and marks failed checks on every page, and rarely asks', async () => {
  const { fixtures, requests, overrides } = browser.server();
  fixtures.quarantine = fixtures.quarantine.slice(0, 2);
  const { page } = await browser.open('/replies', { hasClock: true });
  const link = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });
  const described = async (name: string) => {
    const id = await link(name).getAttribute('aria-describedby');
    return id === null ? null : page.locator(`[id="${id}"]`).textContent();
  };
  await expect.poll(() => described('Quarantine')).toBe('2 entries in the last 7 days');
  await expect.poll(() => described('Health')).toBe('A check failed');
  const asked = (path: string) => requests.filter(({ url }) => url.startsWith(path)).length;
  await page.clock.fastForward(30_000);
  await link('Opt-outs').click();
  await page.getByText('25 entries').waitFor();
  expect([asked('/v1/health'), asked('/v1/quarantine')]).toEqual([1, 1]);
  fixtures.health = { ...fixtures.health, checks: [] };
  await page.clock.fastForward(301_000);
  await expect.poll(() => described('Health')).toBe(null);
  overrides.set('/v1/health', problem(403, 'not-permitted', 'A sentence.'));
  await page.clock.fastForward(301_000);
  await expect.poll(() => asked('/v1/health')).toBe(3);
  await page.clock.fastForward(300_000);
  await expect.poll(() => asked('/v1/quarantine')).toBeGreaterThan(1);
  expect(asked('/v1/quarantine')).toBeLessThan(5);
  expect(asked('/v1/health')).toBe(3);
});

test('health has the webhook, its secret, queues, dead letters, alarms and drift', async () => {
  const { page } = await browser.open('/health');
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  await part('Webhook and secret').getByText('in progress since').waitFor();
  expect(await part('Webhook and secret').textContent()).toMatch(/Last verified request\S/);
  expect(await part('Queues').getByRole('row').nth(1).textContent()).toMatch(/EventsQueue1,2504012 s/);
  expect(await part('Dead letters').getByRole('row').nth(1).textContent()).toMatch(/DeadLetterQueue30/);
  expect(await part('Alarms').textContent()).toContain('SmsPipeline-WorkerDeadLetters');
  expect(await part('Contract drift').textContent()).toMatch(/Unknown status events\.status\.status/);
});

test.each([
  ['en-US', 'Provider backup', 'Failed', 'Reports of this provider may not arrive', 'Signing secret: main'],
  [
    'pt-BR',
    'Provedor backup',
    'Falha',
    'Os relatórios deste provedor podem não chegar',
    'Segredo de assinatura: main',
  ],
])(
  'health fails while the secret of the second source is wrong, and says it in the words of the reader: %s',
  async (locale, title, state, meaning, main) => {
    const { fixtures } = browser.server();
    fixtures.sources = ['main', 'backup'];
    const found = 'the secret is not the one of the SMS service';
    const hint = 'sms webhook store-secret --source backup';
    fixtures.health = {
      ...fixtures.health,
      checks: [
        { check: 'webhook-secret', state: 'ok', found: 'it is the one of the SMS service', hint: null },
        { check: 'source-backup', state: 'failed', found, hint },
      ],
    };
    const { page } = await browser.open('/health', { locale });
    const card = page.locator('.check', { has: page.getByRole('heading', { name: title }) });
    await card.waitFor();
    expect(await card.locator('.check-state').textContent()).toBe(state);
    const text = await card.locator('.check-text > p').first().textContent();
    expect(text).toContain(meaning);
    expect(text).not.toContain(found);
    expect(await card.locator('details').textContent()).toContain(hint);
    await page.locator('.verdict[data-state=failed]').waitFor();
    await page.getByRole('heading', { name: main }).waitFor();
    // The mark in the navigation.
    await page.locator('.nav-mark[data-state=failed]').waitFor();
  },
);

test('health shows an example of values that were kept as received, and the number of events', async () => {
  const { fixtures } = browser.server();
  const mismatch = {
    ...({ source: 'backup', kind: 'unread', field: 'events.reply.from', expected: 'phone number' } as const),
    found: 'ambiguous-number',
    example: '•••0119',
    events: 1312,
    foundAt: '2026-01-15T08:00:00.000Z',
  };
  fixtures.health = { ...fixtures.health, contractDrift: { day: '2026-01-15', mismatches: [mismatch] } };
  const { page } = await browser.open('/health');
  const drift = page.getByRole('region', { name: 'Contract drift' });
  await drift.getByText('Kept as received').waitFor();
  expect(await drift.textContent()).toMatch(
    /Kept as received events\.reply\.from \(backup\)expected: phone number, found: ambiguous-number: •••0119, 1,312 events, since/,
  );
});

test('health names the command that shows what it may not read', async () => {
  const { fixtures } = browser.server();
  const unread = { webhook: null, queues: null, deadLetters: null, alarms: null, contractDrift: null };
  fixtures.health = { ...fixtures.health, ...unread };
  const { page } = await browser.open('/health');
  const commands = page.locator('section .note code');
  await commands.last().waitFor();
  expect(await commands.allTextContents()).toEqual([
    'sms webhook status',
    'sms doctor',
    'sms dead-letter list',
    'sms doctor',
    'sms contract drift',
  ]);
});

test('a part of the health without anything in it says so', async () => {
  const { fixtures } = browser.server();
  const contractDrift = { day: '2026-01-15', mismatches: [] };
  fixtures.health = { ...fixtures.health, alarms: [], contractDrift };
  const { page } = await browser.open('/health');
  await page.getByRole('region', { name: 'Alarms' }).getByText('No alarm is on.').waitFor();
  await page.getByText('The events of today are as the contract says.').waitFor();
});

test.each([
  ['/messages/none', 'This message is not known'],
  ['/conversations/m~none', 'This conversation is not known'],
  ['/quarantine/none', 'This entry is not known'],
  ['/nowhere', 'There is no such page'],
])('%s explains what is missing', async (path, text) => {
  const { page } = await browser.open(path);
  await page.getByText(text).waitFor();
});
