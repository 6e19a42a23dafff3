import { expect, it } from 'vitest';
import { atSecond, fieldContract } from '../support/field-contract.ts';
import { useHistoryTables } from './support/received.ts';

/*
 * BulkSMS says that its time can be missing, 46elks sends one with one status only, and a picture has no words. Then the whole event was lost to the
 * quarantine.
 */

const { forget, storeRequests } = useHistoryTables();

const contract = fieldContract({
  webhook: { bodyFormat: 'json' },
  events: {
    kind: "status && 'sms.status' || 'sms.reply'",
    id: { from: 'body', path: "status && join(':', [id, status]) || id" },
    numbers: 'international',
    status: {
      messageId: 'id',
      recipient: 'to',
      status: 'status',
      occurredAt: 'at',
      errorCode: 'error',
      price: 'cost',
      currency: 'currency',
      final: 'last',
    },
    reply: { replyId: 'id', from: 'from', text: 'text', media: 'pictures', occurredAt: 'at' },
  },
  statuses: { created: 'queued', sent: 'sent', delivered: 'delivered' },
  errors: { '7': 'none' },
});

const json = (second: number, event: object) => ({ body: JSON.stringify(event), second });

it('a report and a STOP without a time are stored at their receipt, and say so', async () => {
  const { messages, optOuts, quarantined } = await storeRequests(contract, [
    json(1, { id: 'm-1', to: '12025550143', status: 'sent' }),
    json(2, { id: 'r-1', from: '12025550144', text: 'STOP', at: null }),
  ]);
  expect(messages).toMatchObject([{ status: 'sent', statusAt: atSecond(1) }]);
  expect(messages[0]?.['report#m-1:sent']).toMatchObject({ at: atSecond(1), timeIs: 'received' });
  expect(optOuts).toMatchObject([{ phone: '+12025550144', state: 'out', changedAt: atSecond(2) }]);
  expect(quarantined).toEqual([]);
});

it('a reply without words is stored with its pictures, and one without both with the event as received', async () => {
  const empty = { id: 'r-2', from: '12025550144', text: null };
  const { replies, quarantined } = await storeRequests(contract, [
    json(1, { id: 'r-1', from: '12025550143', pictures: ['https://example.com/1.jpg'], at: atSecond(0) }),
    json(2, { ...empty, at: atSecond(0) }),
  ]);
  expect(replies).toMatchObject([
    { text: '', media: ['https://example.com/1.jpg'] },
    { text: '', original: JSON.stringify({ ...empty, at: atSecond(0) }) },
  ]);
  expect(quarantined).toEqual([]);
});

it('a cost that cannot be read is kept on its report as received', async () => {
  const { messages } = await storeRequests(contract, [
    json(1, { id: 'm-1', status: 'sent', at: atSecond(0), cost: '0,0075', currency: 'EUR' }),
    json(2, { id: 'm-2', status: 'sent', at: atSecond(0), cost: '0.0075' }),
  ]);
  const reports = messages.map((message) => message[`report#${message.messageId}:sent`].unread);
  expect(reports).toEqual(expect.arrayContaining([{ price: '0,0075' }, { price: '0.0075' }]));
  expect(messages.filter((message) => 'price' in message)).toEqual([]);
});

it("a code that means no error is none, and the provider's last report ends a message", async () => {
  const { messages } = await storeRequests(contract, [
    json(1, { id: 'm-1', status: 'delivered', at: atSecond(0), error: '7' }),
    json(2, { id: 'm-2', status: 'sent', at: atSecond(0), error: '000', last: 'true' }),
  ]);
  const byId = Object.fromEntries(messages.map((message) => [message.messageId, message]));
  expect(byId['m-1']).not.toHaveProperty('errorCode');
  expect(byId['m-2']).toMatchObject({ status: 'unknown', word: 'sent', final: true });
  expect(byId['m-2']).not.toHaveProperty('errorCode');
});

it('parts of a message with ids of their own are in the message that the sender knows', async () => {
  const inParts = fieldContract({
    webhook: { bodyFormat: 'json' },
    events: {
      kind: "'sms.status'",
      id: { from: 'body', path: "join(':', [id, status])" },
      status: {
        messageId: 'id',
        status: 'status',
        occurredAt: null,
        parentMessageId: 'parent',
        segments: 'parts',
      },
      reply: { from: 'from', text: 'text', occurredAt: null },
    },
    statuses: { delivered: 'delivered', failed: 'failed' },
  });
  const part = (id: string, status: string) => ({ id, parent: 'p-1', parts: 2, status });
  for (const order of [
    ['p-1', 'p-2'],
    ['p-2', 'p-1'],
  ]) {
    await forget();
    const { messages } = await storeRequests(
      inParts,
      order.map((id, index) => json(index, part(id, id === 'p-2' ? 'failed' : 'delivered'))),
    );
    expect(messages).toMatchObject([
      {
        messageId: 'p-1',
        status: 'failed',
        final: true,
        'report#p-1:delivered': { partId: 'p-1' },
        'report#p-2:failed': { partId: 'p-2' },
      },
    ]);
  }
});
