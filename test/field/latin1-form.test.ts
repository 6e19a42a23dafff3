import { describe, expect, it } from 'vitest';
import { createMapper } from '../../contract/events/mapping.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { bodyOfEvent } from '../../functions/receive/quarantine/body-of-event.ts';
import { atSecond, fieldContract } from '../support/field-contract.ts';
import { useHistoryTables } from './support/received.ts';

/*
 * A French provider percent-encodes the texts of its forms in ISO-8859-1, and says so in a header that nothing signs
 * (github.com/nyaruka/courier/pull/310).
 */

const { storeRequests } = useHistoryTables();

const contract = (charset?: Contract['webhook']['charset']) =>
  fieldContract({
    webhook: { bodyFormat: 'form', ...(charset !== undefined && { charset }) },
    events: {
      kind: "FROM && 'sms.reply' || 'sms.status'",
      id: { from: 'body', path: 'ID' },
      defaultCountry: 'FR',
      status: { messageId: 'ret_id', status: 'status', occurredAt: null },
      reply: { replyId: 'ID', from: 'FROM', to: 'TO', text: 'MESSAGE', occurredAt: null },
    },
  });

const form = (id: string, from: string, text: string) => `ID=${id}&TO=36115&FROM=%2B${from}&MESSAGE=${text}`;

describe('a form in ISO-8859-1', () => {
  const requests = [
    { body: form('1501', '33639980115', 'Arr%EAt'), second: 1 },
    { body: form('1502', '33639980116', 'je+suis+tr%E8s+satisfait+%E0+No%EBl'), second: 2 },
  ];

  it('is read exactly if the contract names the charset', async () => {
    const { replies, optOuts, quarantined } = await storeRequests(contract('ISO-8859-1'), requests);
    expect(replies.map(({ text }) => text)).toEqual(['Arrêt', 'je suis très satisfait à Noël']);
    expect(optOuts).toMatchObject([{ phone: '+33639980115', state: 'out' }]);
    expect(quarantined).toEqual([]);
  });

  it('is kept byte for byte in quarantine if the contract does not', async () => {
    const { replies, quarantined } = await storeRequests(contract(), requests);
    expect(replies).toEqual([]);
    expect(quarantined.map(({ reason, raw }) => [reason, Buffer.from(raw).toString()])).toEqual(
      expect.arrayContaining(requests.map(({ body }) => ['not-utf8', body])),
    );
  });

  it('in UTF-8 is read as UTF-8', async () => {
    const { replies, optOuts } = await storeRequests(contract(), [
      { body: form('1504', '33639980118', 'Arr%C3%AAt'), second: 1 },
    ]);
    expect(replies).toMatchObject([{ text: 'Arrêt' }]);
    expect(optOuts).toMatchObject([{ phone: '+33639980118', state: 'out' }]);
  });

  it('whose words can be read is a STOP although another field cannot', async () => {
    const { replies, optOuts, quarantined } = await storeRequests(contract(), [
      { body: `${form('1505', '33639980119', 'STOP')}&CITY=Nev%E8rs`, second: 1 },
    ]);
    expect(replies).toEqual([]);
    expect(quarantined).toMatchObject([{ reason: 'not-utf8' }]);
    expect(optOuts).toMatchObject([{ phone: '+33639980119', state: 'out' }]);
  });
});

it('a field that names the charset of others', async () => {
  const named = contract({ field: 'charset', of: ['MESSAGE'], otherwise: 'utf-8' });
  const { replies } = await storeRequests(named, [
    { body: `${form('1', '33639980115', '%00S%00T%00O%00P')}&charset=UTF-16BE`, second: 1 },
    { body: `${form('2', '33639980116', 'No%EBl')}&charset=windows-1252`, second: 2 },
    { body: form('3', '33639980117', 'No%C3%ABl'), second: 3 },
  ]);
  expect(replies.map(({ text }) => text)).toEqual(['STOP', 'Noël', 'Noël']);
});

it('an event of such a form that was kept in quarantine is replayed exactly', () => {
  for (const named of [
    contract('windows-1252'),
    contract({ field: 'charset', of: ['MESSAGE'], otherwise: 'utf-8' }),
  ]) {
    const map = createMapper(named);
    const content = { ID: '1', FROM: '+33639980115', MESSAGE: 'Arrêt € Noël', charset: 'UTF-16BE' };
    const body = bodyOfEvent(Buffer.from(JSON.stringify(content)), named, map);
    expect(map(body ?? Buffer.of(), undefined, atSecond(0))).toMatchObject([{ content }]);
  }
});
