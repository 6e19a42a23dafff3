import { DeleteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { maskPhone } from '../../../contract/phone/mask.ts';

import { rankOf } from '../../../contract/schema/sms-event.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import {
  createHistoryLists,
  createHistoryReader,
} from '../../../functions/history/lists/history-list-store.ts';
import { createOptOutReader } from '../../../functions/history/lists/opt-out-read-store.ts';
import { messageOf, replyOf } from '../../../functions/history/message.ts';
import { createOptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import { createAnswerQuery } from '../../../functions/query/api/answer-query.ts';
import { type HistoryTables, startHistoryTables } from '../../../tools/support/history-tables.ts';
import { assertProperty } from '../../support/property.ts';
import { dependencies, queryEvent } from '../../unit/functions/query/api/fakes.ts';

let tables: HistoryTables;
beforeAll(async () => {
  tables = await startHistoryTables();
});
afterAll(() => tables.stop());

const at = (second: number) => `2026-01-15T12:00:0${second}.000Z`;
const settings = { retentionDays: 400, listShards: 1 };

/** Stores the same history for a number: two messages, a reply with the number in its text, and an opt-out. */
async function store(phone: string): Promise<void> {
  const { client, history } = tables;
  const { Items = [] } = await client.send(new ScanCommand({ TableName: history, ConsistentRead: true }));
  for (const { pk = { S: '' } } of Items)
    await client.send(new DeleteItemCommand({ TableName: history, Key: { pk } }));
  const writer = createHistoryWriter(client, history, settings);
  for (const [messageId, status, second] of [
    ['m-1', 'sent', 1],
    ['m-2', 'failed', 2],
    ['m-3', 'failed', 3],
  ] as const)
    await writer.storeMessage(
      messageOf(
        {
          kind: 'sms.status',
          messageId,
          eventId: `${messageId}-1`,
          phone,
          status,
          rank: rankOf(status),
          sendId: 's-1',
          occurredAt: at(second),
          errorText: `cannot reach ${phone}`,
        },
        at(second),
      ),
    );
  for (const [replyId, second] of [
    ['r-1', 4],
    ['r-2', 5],
  ] as const)
    await writer.storeReply(
      replyOf(
        {
          kind: 'sms.reply',
          replyId,
          eventId: `${replyId}-1`,
          from: phone,
          occurredAt: at(second),
          text: `STOP ${phone}`,
        },
        at(second),
      ),
    );
  await createOptOutRegister(client, history, settings).record({
    phone,
    state: 'out',
    at: at(5),
    by: 'person',
    replyId: 'r-2',
  });
}

const targets = [
  '/v1/messages/m-1',
  '/v1/messages?state=failed&limit=1&since=2026-01-15T00:00:00Z&until=2026-01-16T00:00:00Z',
  '/v1/messages?state=pending&limit=1',
  '/v1/conversations/m~m-1?limit=1',
  '/v1/conversations/r~r-1?limit=1&status=failed',
  '/v1/sends/s-1/messages?limit=1',
  '/v1/sends/s-1/messages.csv?limit=1',
  '/v1/replies?limit=1&since=2026-01-15T00:00:00Z&until=2026-01-16T00:00:00Z',
  '/v1/opt-outs?limit=1',
];

/** Returns everything that the function answers to a viewer, with headers. Pages are followed to their end. */
async function answersToViewer(): Promise<string[]> {
  const { client, history } = tables;
  const payload = { sub: 'user-1', groups: ['viewer'] };
  const answer = createAnswerQuery({
    ...dependencies().all,
    reader: createHistoryReader(client, history),
    lists: createHistoryLists(client, history, settings.listShards),
    optOuts: createOptOutReader(client, history),
  });
  const authorization = `Bearer e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`;
  const answers: string[] = [];
  for (const target of targets) {
    let cursor = '';
    do {
      const event = queryEvent(target + cursor, { headers: { authorization } }, { jwt: { claims: payload } });
      const { statusCode, headers, body = '' } = await answer(event);
      answers.push(JSON.stringify({ target, statusCode, headers, body }));
      const [, next] = /"next":"([^"]+)"/.exec(body) ?? [];
      cursor = next === undefined ? '' : `&cursor=${next}`;
    } while (cursor !== '');
  }
  return answers;
}

const lastDigits = '0143';
const phones = fc.integer({ min: 200, max: 999 }).map((area) => `+1${area}555${lastDigits}`);

it('a viewer gets the same answers for all numbers whose shown digits are the same', async () => {
  await assertProperty(
    fc.asyncProperty(phones, phones, async (one, other) => {
      expect(maskPhone(one)).toBe(maskPhone(other));
      await store(one);
      const answers = await answersToViewer();
      expect(answers.filter((text) => text.includes('"next\\":\\"')).length).toBeGreaterThan(4);
      await store(other);
      expect(await answersToViewer()).toEqual(answers);
    }),
    { numRuns: 3 },
  );
});
