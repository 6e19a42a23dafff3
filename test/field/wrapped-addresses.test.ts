import { describe, expect, it } from 'vitest';
import { createPersonalDataSources, personalRecords } from '../../cli/personal-data/sources.ts';
import { loadImportMapping } from '../../contract/document/import-mapping-file-store.ts';
import { createRowReader } from '../../contract/imports/row-reader.ts';
import { fieldContract } from '../support/field-contract.ts';
import { useHistoryTables } from './support/received.ts';

/*
 * Twilio writes addresses of other channels as whatsapp:+12025550157 or rcs:+12025550157, in its webhooks and in the log that it exports. A public
 * script for this log removes the prefix, because the rows would not be found by their number.
 */

const { storeRequests, tables } = useHistoryTables();

const contract = fieldContract({
  webhook: { bodyFormat: 'form' },
  events: {
    kind: "MessageStatus && 'sms.status' || 'sms.reply'",
    id: { from: 'body', path: "MessageStatus && join(':', [MessageSid, MessageStatus]) || MessageSid" },
    status: { messageId: 'MessageSid', recipient: 'To', status: 'MessageStatus', occurredAt: null },
    reply: { replyId: 'MessageSid', from: 'From', to: 'To', text: 'Body', occurredAt: null },
  },
  statuses: { delivered: 'delivered' },
});

const phone = '+12025550157';
const form = (fields: Record<string, string>, second: number) => ({
  body: String(new URLSearchParams(fields)),
  second,
});
const requests = [
  form({ MessageSid: 'SM1', MessageStatus: 'delivered', To: phone }, 1),
  form({ MessageSid: 'SM2', MessageStatus: 'delivered', To: `whatsapp:${phone}` }, 2),
  form({ MessageSid: 'SM3', MessageStatus: 'delivered', To: `rcs:${phone}` }, 3),
  form({ MessageSid: 'SM4', From: `whatsapp:${phone}`, To: 'whatsapp:+12025550100', Body: 'STOP' }, 4),
  form({ MessageSid: 'SM5', From: 'messenger:1234567890123456', To: 'messenger:1', Body: 'Hi' }, 5),
];

async function recordsAbout(text: string) {
  const sources = createPersonalDataSources(tables().client, {
    history: tables().history,
    quarantine: tables().quarantine,
  });
  const kinds: string[] = [];
  for await (const { kind } of personalRecords(sources, text)) kinds.push(kind);
  return kinds.sort();
}

describe('addresses that wrap a number', () => {
  it('are of the conversation with the number, each with its channel, and a STOP by any of them counts', async () => {
    const { messages, replies, optOuts } = await storeRequests(contract, requests);
    const addressed = messages.map(({ messageId, phone, channel }) => [messageId, phone, channel]);
    expect(addressed.sort()).toEqual([
      ['SM1', phone, undefined],
      ['SM2', phone, 'whatsapp'],
      ['SM3', phone, 'rcs'],
    ]);
    expect(replies).toMatchObject([
      { replyId: 'SM4', phone, from: phone, channel: 'whatsapp', text: 'STOP' },
      { replyId: 'SM5', phone: 'messenger:1234567890123456', channel: 'messenger' },
    ]);
    expect(optOuts).toMatchObject([{ phone, state: 'out' }]);
  });

  it('are found by export and erasure, whatever is around the number', async () => {
    await storeRequests(contract, requests);
    expect(await recordsAbout(phone)).toEqual(['message', 'message', 'message', 'opt-out', 'reply']);
    // An address without a number is found as a text.
    expect(await recordsAbout('messenger:1234567890123456')).toEqual(['reply']);
  });
});

it('rows of the log that Twilio exports have the number and the channel', () => {
  const read = createRowReader(loadImportMapping('twilio-log', undefined));
  const row = (to: string, sid: string, more: object = {}) => ({
    From: '+12025550100',
    To: to,
    Body: 'Hello',
    Status: 'delivered',
    SentDate: '2026-01-14T09:00:00Z',
    NumSegments: '1',
    ErrorCode: '',
    Sid: sid,
    Direction: 'outbound-api',
    Price: '-0.0079',
    PriceUnit: 'USD',
    ...more,
  });
  const rows = [
    row(phone, 'SM1'),
    row(`whatsapp:${phone}`, 'SM2', { ErrorCode: '0', Status: 'read' }),
    row(`rcs:${phone}`, 'SM3', { ErrorCode: '21610', Status: 'undelivered' }),
    row('12025550158', 'SM4', { SentDate: '2026-01-14 09:04:00 UTC', ErrorCode: '30006', Status: 'failed' }),
  ];
  const reports = read(rows).map((one) => (one.kind === 'report' ? one.report : one));
  expect(reports).toMatchObject([
    { phone, status: 'delivered' },
    { phone, channel: 'whatsapp', status: 'read' },
    { phone, channel: 'rcs', errorReason: 'opted_out' },
    { phone: '+12025550158', occurredAt: '2026-01-14T09:04:00.000Z', errorReason: 'landline' },
  ]);
  expect(reports[1]).not.toHaveProperty('errorCode');
  expect(reports.filter((one) => 'timeIs' in one)).toEqual([]);
});
