import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, it } from 'vitest';
import { createOptOutReader } from '../../../../../functions/history/lists/opt-out-read-store.ts';
import { optOutKey } from '../../../../../functions/history/opt-out/opt-out.ts';
import { answers, scriptedAws } from '../../../../support/scripted-aws.ts';

const phone = '+12025550143';

function reading(item?: object) {
  const aws = scriptedAws(answers(item === undefined ? {} : { Item: marshall(item) }));
  return { ...aws, reader: createOptOutReader(new DynamoDBClient(aws.settings), 'history') };
}

it('the reader of opt-outs returns what a number said, newest first, strongly consistent', async () => {
  const statements = [
    { phone, state: 'in', at: '2026-01-15T12:00:00.000Z', by: 'person', replyId: 'reply-2' },
    { phone, state: 'out', at: '2026-01-14T12:00:00.000Z', by: 'person', replyId: 'reply-1' },
  ];
  const state = { state: 'in', by: 'person', replyId: 'reply-2' };
  const item = { pk: optOutKey(phone), phone, ...state, changedAt: '2026-01-15T12:00:00.000Z', statements };
  const { reader, inputs } = reading(item);
  expect(await reader.number(phone)).toEqual({ phone, ...state, at: item.changedAt, statements });
  expect(inputs()).toEqual([
    { TableName: 'history', Key: { pk: { S: 'optout#+12025550143' } }, ConsistentRead: true },
  ]);
});

it('the reader of opt-outs returns nothing for a number that is not in the register', async () => {
  expect(await reading().reader.number(phone)).toBeUndefined();
});
