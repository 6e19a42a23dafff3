import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type HistoryTables, startHistoryTables } from '../../tools/support/history-tables.ts';
import { receivingHalf } from '../promises/support/receiving-half.ts';
import { stored } from './support/preset.ts';

/* A reply that the phone sends as MMS has its words in message[].value, and no text (nyaruka/courier, infobip handler.go). */

let tables: HistoryTables;
beforeAll(async () => {
  tables = await startHistoryTables();
});
beforeEach(() => receivingHalf(tables).forget());
afterAll(() => tables.stop());

const mms = (...message: readonly object[]) =>
  JSON.stringify({
    results: [
      {
        messageId: 'mms-13',
        from: '12025550113',
        to: '12025550100',
        receivedAt: '2026-11-28T18:04:17.220+0000',
        message,
        price: { pricePerMessage: 0, currency: 'EUR' },
      },
    ],
    messageCount: 1,
    pendingMessageCount: 0,
  });
const smil = { contentType: 'application/smil', value: '<smil/>' };

it('STOP in an MMS opts the person out', async () => {
  const body = mms(smil, { contentType: 'text/plain', value: 'STOP' });
  const { registered, replies, quarantine } = await stored(tables, 'infobip', [body]);
  expect(quarantine).toEqual([]);
  expect(replies).toMatchObject([{ replyId: 'mms-13', text: 'STOP' }]);
  expect(registered('+12025550113')).toMatchObject({ state: 'out', by: 'person' });
});

it('a picture without words is a reply with an empty text', async () => {
  const body = mms(smil, { contentType: 'image/jpeg', url: 'https://example.com/1.jpg' });
  const { replies, quarantine } = await stored(tables, 'infobip', [body]);
  expect(quarantine).toEqual([]);
  expect(replies).toMatchObject([{ text: '', media: ['https://example.com/1.jpg'] }]);
});
