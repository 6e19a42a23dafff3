import { expect, it } from 'vitest';
import { fieldContract } from '../support/field-contract.ts';
import { useHistoryTables } from './support/received.ts';

/*
 * A provider sends JSON whose text is percent-encoded once more, in the charset that another field names (tests of the handler for Clickatell in
 * github.com/nyaruka/courier).
 */

const { storeRequests } = useHistoryTables();

const contract = fieldContract({
  webhook: { bodyFormat: 'json' },
  events: {
    kind: "fromNumber && 'sms.reply' || 'sms.status'",
    id: { from: 'body', path: 'messageId' },
    timeFormat: 'unix-milliseconds',
    numbers: 'international',
    status: { messageId: 'messageId', status: 'statusCode', occurredAt: null },
    reply: {
      replyId: 'messageId',
      from: 'fromNumber',
      to: 'toNumber',
      text: 'percent_decode(text, charset)',
      occurredAt: 'timestamp',
    },
  },
});

const reply = (id: string, from: string, text: string, charset: string) => ({
  body: JSON.stringify({
    messageId: id,
    fromNumber: from,
    toNumber: '36115',
    timestamp: Date.UTC(2026, 0, 15, 12),
    text,
    charset,
  }),
  second: Number(id),
});

it('a text that is percent-encoded in another charset is read exactly, and a STOP in it counts', async () => {
  const { replies, optOuts } = await storeRequests(contract, [
    reply('1', '33639980210', 'Stop%21', 'ISO-8859-1'),
    reply('2', '33639980211', '%00S%00T%00O%00P', 'UTF-16BE'),
    reply('3', '33639980212', 'arr%EAt', 'ISO-8859-1'),
    reply('4', '33639980213', 'STOP', 'UTF-8'),
  ]);
  expect(replies.map(({ text }) => text)).toEqual(['Stop!', 'STOP', 'arrêt', 'STOP']);
  expect(optOuts.map(({ phone, state }) => [phone, state]).sort()).toEqual(
    ['+33639980210', '+33639980211', '+33639980212', '+33639980213'].map((phone) => [phone, 'out']),
  );
});

it('a text that is not so encoded is kept in quarantine as received', async () => {
  const { replies, quarantined } = await storeRequests(contract, [
    reply('1', '33639980210', '%00S%00', 'UTF-16BE'),
    reply('2', '33639980211', 'arr%EAt', 'UTF-8'),
    reply('3', '33639980212', 'STOP', 'klingon'),
  ]);
  expect(replies).toEqual([]);
  expect(quarantined.map(({ reason, field }) => [reason, field])).toEqual(
    Array.from({ length: 3 }, () => ['bad-encoding', 'text']),
  );
});
