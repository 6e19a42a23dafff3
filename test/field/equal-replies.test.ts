import { describe, expect, it } from 'vitest';
import { fieldContract } from '../support/field-contract.ts';
import { useHistoryTables } from './support/received.ts';

/*
 * Fourteen of 47 services in github.com/nyaruka/courier give a reply neither an id nor a time. That gateway takes equal replies for copies
 * within four seconds.
 */

const { forget, storeRequests } = useHistoryTables();

const contract = fieldContract({
  webhook: { bodyFormat: 'form' },
  events: {
    kind: "'sms.reply'",
    id: { from: 'content' },
    status: { messageId: 'id', status: 'status', occurredAt: null },
    reply: { from: 'from', text: 'text', occurredAt: null },
  },
});

const phone = '+12025550143';
const said = (text: string, second: number) => ({ body: `from=%2B12025550143&text=${text}`, second });

describe.each([1, 10])('equal replies without an id and a time, %s in a batch', (batchSize) => {
  it('are replies of their own', async () => {
    const texts = ['Join', 'Yes', 'Yes', 'STOP', 'START', 'STOP', 'Yes'];
    const { replies, optOuts } = await storeRequests(
      contract,
      texts.map((text, index) => said(text, index * 5)),
      batchSize,
    );
    expect(replies.map(({ text }) => text)).toEqual(texts);
    expect(optOuts).toMatchObject([{ phone, state: 'out' }]);
  });

  it('are copies within four seconds, in any order', async () => {
    for (const seconds of [
      [3, 4.5],
      [4.5, 3],
      [7.9, 8.1, 11],
      [0, 4],
    ]) {
      await forget();
      const { replies } = await storeRequests(
        contract,
        seconds.map((second) => said('Yes', second)),
        batchSize,
      );
      expect(replies, `${seconds}`).toHaveLength(1);
    }
  });

  it('opt in again only if START is said after the last STOP', async () => {
    const { optOuts } = await storeRequests(
      contract,
      [said('START', 0), said('STOP', 10), said('START', 20)],
      batchSize,
    );
    expect(optOuts).toMatchObject([{ phone, state: 'in' }]);
  });

  it('do not opt in by a copy of an older START', async () => {
    const { optOuts } = await storeRequests(
      contract,
      [said('START', 3), said('STOP', 4), said('START', 5)],
      batchSize,
    );
    expect(optOuts).toMatchObject([{ phone, state: 'out' }]);
  });
});
