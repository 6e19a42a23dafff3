import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { omitUndefined } from '../../../../../functions/base/basics.ts';
import { createHistoryLists } from '../../../../../functions/history/lists/history-list-store.ts';
import { replyItem } from '../../../../../functions/history/reply-item.ts';
import { selectMessages } from '../../../../../functions/query/api/selections.ts';
import { answers, scriptedAws } from '../../../../support/scripted-aws.ts';
import { at, replied } from '../../../../support/suites/reports.ts';

it('a list of one source reads no items of the others, whose ids are in the keys of the index', async () => {
  const entryOf = (id: string) => ({
    pk: { S: `message#${id}` },
    listName: { S: 'pending' },
    listedAt: { S: '2026-01-15T12:00:00.000Z' },
  });
  const Items = ['m1', 'backup/m1', 'main/backup/m1', 'm2'].map(entryOf);
  const { settings, calls } = scriptedAws(answers({ Items }), answers({ Responses: { table: [] } }));
  const { pending } = createHistoryLists(new DynamoDBClient(settings), 'table', 1);
  await pending({ source: 'backup' }, { limit: 10 });
  expect(calls.map(({ call }) => call.split('.')[1])).toEqual(['Query', 'BatchGetItem']);
  expect(calls[1]?.input).toMatchObject({
    RequestItems: { table: { Keys: [{ pk: { S: 'message#backup/m1' } }] } },
  });
});

it('a list of ids with a beginning reads no items of others, except those whose id is hashed', async () => {
  const entryOf = (id: string) => ({
    pk: { S: `message#${id}` },
    listName: { S: 'pending' },
    listedAt: { S: '2026-01-15T12:00:00.000Z' },
  });
  const Items = ['m1', 'backup/m1', 'n1', 'sha256:abc', 'm2'].map(entryOf);
  const { settings, calls } = scriptedAws(answers({ Items }), answers({ Responses: { table: [] } }));
  const { pending } = createHistoryLists(new DynamoDBClient(settings), 'table', 1);
  const where = selectMessages({ idPrefix: 'm' });
  await pending(omitUndefined({ where }), { limit: 10 });
  expect(calls[1]?.input).toMatchObject({
    RequestItems: {
      table: {
        Keys: ['m1', 'backup/m1', 'sha256:abc', 'm2'].map((id) => ({ pk: { S: `message#${id}` } })),
      },
    },
  });
});

it('a page of replies of quotes fits an answer of Lambda, which quotes each of them twice', async () => {
  const Items = Array.from({ length: 100 }, (_, index) => {
    const reply = replied(`r${index}`, `e${index}`, index, { text: '"'.repeat(65_536) });
    return replyItem(reply, 'generation', 0, { listShards: 1 });
  });
  const { settings } = scriptedAws(answers({ Items }), answers({ Responses: { table: Items } }));
  const { replies } = createHistoryLists(new DynamoDBClient(settings), 'table', 1);
  const { entries, next } = await replies({ since: at(0), until: at(3600) }, { limit: 100 });
  const answer = JSON.stringify({ body: JSON.stringify(entries) });
  expect(answer.length).toBeGreaterThan(2_000_000);
  expect(answer.length).toBeLessThan(6_000_000);
  expect(next).toBeDefined();
});
