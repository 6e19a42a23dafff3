import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Message, Reply } from '../../../client/types.ts';
import { consoleInBrowser } from '../support/browser.ts';
import { download } from '../support/download.ts';

const browser = consoleInBrowser();

const phone = '+12025550150';

/** Sent and first reported on 26 November 2025, delivered on the 28th. */
const delivered: Message = {
  messageId: 'msg-slow',
  phone,
  sendId: null,
  status: 'delivered',
  final: true,
  statusAt: '2025-11-28T15:00:00.000Z',
  firstSeenAt: '2025-11-26T15:00:01.000Z',
  conflict: false,
  events: [
    {
      eventId: 'evt-1',
      status: 'sent',
      occurredAt: '2025-11-26T15:00:00.000Z',
      receivedAt: '2025-11-26T15:00:01.000Z',
    },
    {
      eventId: 'evt-2',
      status: 'delivered',
      occurredAt: '2025-11-28T15:00:00.000Z',
      receivedAt: '2025-11-28T12:00:00.000Z',
    },
  ],
};

/** Sent on 26 November 2025, received two days later. */
const lateReply: Reply = {
  replyId: 'rep-late',
  from: phone,
  text: 'On my way',
  occurredAt: '2025-11-26T20:00:00.000Z',
  receivedAt: '2025-11-28T16:00:00.000Z',
};

function withLateEntries() {
  const { fixtures } = browser.server();
  fixtures.messages = [delivered, ...fixtures.messages];
  fixtures.conversation = () => ({
    number: phone,
    optOut: null,
    statements: [],
    entries: [
      { kind: 'reply', ...lateReply },
      { kind: 'message', ...delivered },
    ],
    next: null,
  });
}

/** The text that a reader sees: a time has that of another zone, which is hidden. */
const seen = async (locator: Locator) => {
  await locator.waitFor();
  return (await locator.allInnerTexts()).join(' ').replace(/\s+/g, ' ');
};

test('a conversation dates a status by the status, names the time of the first report, and shows when a late reply was received', async () => {
  withLateEntries();
  const { page } = await browser.open('/conversations/m~msg-slow', { role: 'operator' });
  const message = page.getByRole('article', { name: 'Message to the number' });
  expect(await seen(message.locator('.bubble-status'))).toMatch(/Delivered\s*28 Nov 2025, 12:00:00/);
  expect(await seen(message.locator('.bubble-meta'))).toContain('First seen 26 Nov 2025, 12:00:01');
  const reply = page.getByRole('article', { name: 'Reply' });
  const text = await seen(reply.locator('.bubble-meta'));
  expect(text).toContain('Sent 26 Nov 2025, 17:00:00 received here 28 Nov 2025, 13:00:00');
  expect(await page.getByRole('heading', { name: '28 Nov 2025' }).count()).toBe(1);
  const { lines } = await download(page, 'Download CSV');
  const [head = '', replyRow = '', messageRow = ''] = lines;
  const cell = (row: string, name: string) =>
    row.split(',')[head.replace('\uFEFF', '').split(',').indexOf(name)];
  expect(['statusAt', 'firstSeenAt'].map((name) => cell(messageRow, name))).toEqual([
    '2025-11-28T12:00:00.000-03:00',
    '2025-11-26T12:00:01.000-03:00',
  ]);
  expect(['sentAt', 'receivedAt'].map((name) => cell(replyRow, name))).toEqual([
    '2025-11-26T17:00:00.000-03:00',
    '2025-11-28T13:00:00.000-03:00',
  ]);
});

test('a report that was received before its own time says that a clock or a zone may be wrong', async () => {
  withLateEntries();
  const { page } = await browser.open('/messages/msg-slow');
  await page.getByText('3 h before the time of the event: the clock or the time zone').waitFor();
});

test('each page names the zone of its times, and so does a shared address', async () => {
  const { page } = await browser.open('/messages?state=failed');
  await page.getByText('Times: America/Sao_Paulo').waitFor();
  const { page: shared } = await browser.open('/messages?state=failed&zone=utc');
  await shared.getByText('Times: UTC').waitFor();
});

test('an address with a wrong part does not say that the console tries again', async () => {
  const { page } = await browser.open('/messages?state=failed', {
    prepare: (context) =>
      context.route('**/v1/messages?**', (route) =>
        route.fulfill({
          status: 400,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            type: 'urn:sms:bad-request',
            title: 'Bad',
            status: 400,
            detail: 'country: found ZZZ',
          }),
        }),
      ),
  });
  const notice = page.getByRole('alert');
  await notice.waitFor();
  expect(await seen(notice)).toContain('The server answered 400: country: found ZZZ');
  expect(await seen(notice)).not.toContain('by itself');
});

test('an empty pipeline says what to do when no longer time can be chosen', async () => {
  browser.server().fixtures.traffic = () => ({ messages: 0, failing: 0 });
  const { page } = await browser.open('/?range=30d');
  await page.getByText('sms webhook test').waitFor();
  expect(await page.getByText('Choose a longer time').count()).toBe(0);
});
