import { expect, it } from 'vitest';
import { fieldContract } from '../support/field-contract.ts';
import { useHistoryTables } from './support/received.ts';

/*
 * A provider writes North American numbers with ten digits, and the contract does not say so. Then 6465550119 may be a number of New York or of
 * New Zealand.
 */

const { storeRequests } = useHistoryTables();

const contract = fieldContract({
  webhook: { bodyFormat: 'form' },
  events: {
    kind: "'sms.reply'",
    id: { from: 'body', path: 'id' },
    status: { messageId: 'id', status: 'status', occurredAt: null },
    reply: { replyId: 'id', from: 'from', text: 'text', occurredAt: null },
  },
});

const said = (id: string, text: string, second: number) => ({
  body: `id=${id}&from=6465550119&text=${text}`,
  second,
});

it('a STOP of digits that may be two numbers counts for both, and a START for neither', async () => {
  const { optOuts, replies } = await storeRequests(contract, [
    said('r-1', 'STOP', 1),
    said('r-2', 'START', 2),
  ]);
  expect(replies.map(({ from, phone }) => [from, phone])).toEqual([
    ['6465550119', '6465550119'],
    ['6465550119', '6465550119'],
  ]);
  expect(Object.fromEntries(optOuts.map(({ phone, state }) => [phone, state]))).toEqual({
    '+16465550119': 'out',
    '+6465550119': 'out',
    '6465550119': 'in',
  });
});
