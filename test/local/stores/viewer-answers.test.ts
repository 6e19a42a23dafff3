import { DeleteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentId } from '../../../contract/events/body.ts';
import { maskPhone } from '../../../contract/phone/mask.ts';
import { rankOf } from '../../../contract/schema/sms-event.ts';
import { createHistoryWriter } from '../../../functions/history/history-write-store.ts';
import { encodeCursor } from '../../../functions/history/lists/cursor.ts';
import {
  createHistoryLists,
  createHistoryReader,
} from '../../../functions/history/lists/history-list-store.ts';
import { createOptOutReader } from '../../../functions/history/lists/opt-out-read-store.ts';
import { messageOf, replyOf } from '../../../functions/history/message.ts';
import { createOptOutRegister } from '../../../functions/history/opt-out/opt-out-store.ts';
import { createAnswerQuery } from '../../../functions/query/api/answer-query.ts';
import { createIdMaskReader } from '../../../functions/query/api/id-mask-key-store.ts';
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

/** Ids as some contracts make them: with the number, and as a hash of the content with the number. */
const idsOf = (phone: string) => ({
  message: `1000001/${phone.slice(1)}`,
  reply: contentId([phone, 'a reply']),
});

/** Stores the same history for a number: three messages, a reply with the number in its text, and an opt-out. */
async function store(phone: string): Promise<void> {
  const { client, history } = tables;
  const { Items = [] } = await client.send(new ScanCommand({ TableName: history, ConsistentRead: true }));
  for (const { pk = { S: '' } } of Items)
    await client.send(new DeleteItemCommand({ TableName: history, Key: { pk } }));
  const writer = createHistoryWriter(client, history, settings);
  for (const [messageId, status, second] of [
    [idsOf(phone).message, 'sent', 1],
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
    [idsOf(phone).reply, 4],
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

const day = 'since=2026-01-15T00:00:00Z&until=2026-01-16T00:00:00Z';

const targetsOf = (message: string, reply: string) => [
  `/v1/messages/${message}`,
  '/v1/messages?state=failed&limit=1&since=2026-01-15T00:00:00Z&until=2026-01-16T00:00:00Z',
  '/v1/messages?state=pending&limit=1',
  `/v1/conversations/m~${message}?limit=1`,
  `/v1/conversations/r~${reply}?limit=1&status=failed`,
  '/v1/sends/s-1/messages?limit=1',
  '/v1/sends/s-1/messages.csv?limit=1',
  '/v1/replies?limit=1&since=2026-01-15T00:00:00Z&until=2026-01-16T00:00:00Z',
  '/v1/opt-outs?limit=1',
  ...['text=stop', 'text=0143', 'text=555', 'channel=sms', 'source=main'].map(
    (filter) => `/v1/replies?limit=1&${filter}&${day}`,
  ),
  ...['reason=unknown', 'code=', 'code=0143', 'country=US', 'country=ZZ', 'status=failed'].map(
    (filter) => `/v1/messages?state=failed&limit=1&${filter}&${day}`,
  ),
  '/v1/sends/s-1/messages?limit=1&code=&reason=unknown',
  '/v1/sends/s-1/messages.csv?limit=1&code=',
  '/v1/messages?state=pending&country=US',
  ...['1000001/', '1000001/13', '1000001/15'].map(
    (prefix) => `/v1/messages?state=pending&idPrefix=${prefix}`,
  ),
  ...['A', 'a', 'x', '_'].map((first) => `/v1/replies?limit=1&idPrefix=${first}${first}&${day}`),
  '/v1/opt-outs?by=person',
];

/** Returns a function that asks as a viewer. */
function viewer() {
  const { client, history } = tables;
  const payload = { sub: 'user-1', groups: ['viewer'] };
  const answer = createAnswerQuery({
    ...dependencies().all,
    idMask: createIdMaskReader(client, history),
    reader: createHistoryReader(client, history),
    lists: createHistoryLists(client, history, settings.listShards),
    optOuts: createOptOutReader(client, history),
  });
  const authorization = `Bearer e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`;
  return async (target: string) => {
    const {
      statusCode,
      headers,
      body = '',
    } = await answer(queryEvent(target, { headers: { authorization } }, { jwt: { claims: payload } }));
    return { statusCode, headers, body };
  };
}

/** Returns the first masked id of a list. */
async function maskedIdIn(ask: ReturnType<typeof viewer>, target: string): Promise<string> {
  const { body } = await ask(target);
  const [id] = /masked-id\.[\w-]+/.exec(body) ?? [];
  if (id === undefined) throw new Error(`${target}: there is no masked id`);
  return id;
}

/** Returns everything that the function answers to a viewer, with headers. Pages are followed to their end. */
async function answersToViewer(): Promise<{ targets: readonly string[]; answers: readonly string[] }> {
  const ask = viewer();
  const targets = targetsOf(
    await maskedIdIn(ask, '/v1/messages?state=pending'),
    await maskedIdIn(ask, '/v1/replies?since=2026-01-15T00:00:00Z&until=2026-01-16T00:00:00Z'),
  );
  const answers: string[] = [];
  for (const target of targets) {
    let cursor = '';
    do {
      const { statusCode, headers, body } = await ask(target + cursor);
      answers.push(JSON.stringify({ statusCode, headers, body }));
      const [, next] = /"next":"([^"]+)"/.exec(body) ?? [];
      cursor = next === undefined ? '' : `&cursor=${next}`;
    } while (cursor !== '');
  }
  return { targets, answers };
}

/** Numbers the masked ids by their first occurrence. A tag of HTTP depends on them. */
function withoutMaskedIds(answers: readonly string[]): string {
  const seen = new Map<string, number>();
  return answers
    .join('\n')
    .replace(/masked-id\.[\w-]+/g, (id) => `id ${seen.get(id) ?? seen.set(id, seen.size).get(id)}`)
    .replace(/"etag":"[^,}]+"/g, '');
}

const lastDigits = '0143';
/** Of one country, because a filter by country shows that of each number. */
const phones = fc
  .constantFrom(202, 205, 212, 303, 312, 404, 415, 503, 617, 702, 801, 907)
  .map((area) => `+1${area}555${lastDigits}`);

it('a viewer gets the same answers for all numbers whose shown digits are the same', async () => {
  await assertProperty(
    fc.asyncProperty(phones, phones, async (one, other) => {
      expect(maskPhone(one)).toBe(maskPhone(other));
      await store(one);
      const { targets, answers } = await answersToViewer();
      expect(answers.filter((text) => text.includes('"next\\":\\"')).length).toBeGreaterThan(4);
      expect(answers.slice(0, 1).join()).toContain('"statusCode":200');
      await store(other);
      const ofOther = await answersToViewer();
      expect(withoutMaskedIds(ofOther.answers)).toBe(withoutMaskedIds(answers));
      // The key of masked ids is another one now, because the item with it was deleted.
      expect(ofOther.targets[0]).not.toBe(targets[0]);
    }),
    { numRuns: 3 },
  );
});

it('a viewer finds neither a number nor a hash of it in an id, and opens what has the masked id', async () => {
  const phone = '+12025550143';
  await store(phone);
  const { targets, answers } = await answersToViewer();
  const { message, reply } = idsOf(phone);
  for (const hidden of [phone.slice(1), reply, Buffer.from(message).toString('base64url').slice(4, -4)])
    expect(answers.join()).not.toContain(hidden);
  const ask = viewer();
  expect(await ask(targets[0] ?? '')).toMatchObject({ statusCode: 200 });
  expect(await ask(`${targets[0]}x`)).toMatchObject({ statusCode: 404 });
  await store(phone);
  expect(await ask(targets[0] ?? '')).toMatchObject({ statusCode: 200 });
  expect(await viewer()(targets[0] ?? '')).toMatchObject({ statusCode: 404 });
});

it('a viewer cannot make a position of a list, which would say whether an id is behind it', async () => {
  const phone = '+12025550143';
  await store(phone);
  const ask = viewer();
  const list = `/v1/replies?${day}`;
  const { body } = await ask(`${list}&limit=1`);
  expect(body).toContain('"next":"masked-id.');
  const answers = new Set<string>();
  for (const id of [...Array.from({ length: 20 }, (_, index) => `guess-${index}`), idsOf(phone).reply]) {
    const cursor = encodeCursor({ at: at(4), partition: 0, key: `reply#${id}` }, ['replies']);
    answers.add((await ask(`${list}&cursor=${cursor}`)).body);
  }
  expect([...answers]).toEqual([expect.stringContaining('this cursor was changed')]);
});

it('instances of the function that start together share one key', async () => {
  await store('+12025550143');
  const ids = await Promise.all(
    Array.from({ length: 8 }, () => maskedIdIn(viewer(), '/v1/messages?state=pending')),
  );
  expect(new Set(ids).size).toBe(1);
});
