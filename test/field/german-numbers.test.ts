import { expect, it } from 'vitest';
import { fieldContract } from '../support/field-contract.ts';
import { useHistoryTables } from './support/received.ts';

/*
 * A provider writes "+" in its forms without encoding it, so that it arrives as a blank (tests of the handler for Mtarget in
 * github.com/nyaruka/courier), and short codes must stay short codes (github.com/AccelerateNetworks/NumberSearch/issues/326).
 */

const { storeRequests } = useHistoryTables();

const contract = fieldContract({
  webhook: { bodyFormat: 'form' },
  events: {
    kind: "'sms.reply'",
    id: { from: 'body', path: 'ID' },
    defaultCountry: 'DE',
    status: { messageId: 'ret_id', status: 'status', occurredAt: null },
    reply: { replyId: 'ID', from: 'FROM', to: 'TO', text: 'MESSAGE', occurredAt: null },
  },
});

it('numbers of a German form are read as they are meant, and their STOP is recorded for them', async () => {
  const from = ['015155550100', '+4915155550101', '32665', '33639980118', '%2B4915155550102'];
  const { replies, optOuts } = await storeRequests(
    contract,
    from.map((number, index) => ({
      body: `ID=26${index}&TO=80888&FROM=${number}&MESSAGE=Stop`,
      second: index,
    })),
  );
  const numbers = ['+4915155550100', '+4915155550101', '32665', '+33639980118', '+4915155550102'];
  expect(replies.map((reply) => [reply.from, reply.to])).toEqual(numbers.map((number) => [number, '80888']));
  expect(optOuts.map(({ phone }) => phone).sort()).toEqual([...numbers].sort());
});
