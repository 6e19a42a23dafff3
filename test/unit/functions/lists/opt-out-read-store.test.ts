import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import { createOptOutReader } from '../../../../functions/lists/opt-out-read-store.ts';
import { registerKeysOf } from '../../../../functions/opt-out/opt-out-store.ts';
import { answers, scriptedAws } from '../../../support/scripted-aws.ts';

const phone = '+12025550143';
const [current = '', , former = ''] = registerKeysOf(phone);

function reading(...items: readonly object[]) {
  const aws = scriptedAws(answers({ Responses: { history: items.map((item) => marshall(item)) } }));
  return { ...aws, reader: createOptOutReader(new DynamoDBClient(aws.settings), 'history') };
}

const change = (pk: string, state: 'out' | 'in', changedAt: string, replyId: string) => ({
  ...{ pk, number: phone, state, changedAt, replyId },
});

describe('the reader of opt-outs', () => {
  it('joins what a number said under all its keys, newest first', async () => {
    const { reader } = reading(
      change(former, 'out', '2026-01-14T12:00:00.000Z', 'reply-1'),
      change(current, 'in', '2026-01-15T12:00:00.000Z', 'reply-2'),
    );
    expect(await reader.statements(phone)).toEqual([
      { phone, state: 'in', at: '2026-01-15T12:00:00.000Z', replyId: 'reply-2' },
      { phone, state: 'out', at: '2026-01-14T12:00:00.000Z', replyId: 'reply-1' },
    ]);
  });

  it('reads every key of the number, strongly consistent', async () => {
    const { reader, inputs } = reading();
    expect(await reader.statements(phone)).toEqual([]);
    const keys = registerKeysOf(phone).map((pk) => ({ pk: { S: pk } }));
    expect(inputs()).toEqual([{ RequestItems: { history: { Keys: keys, ConsistentRead: true } } }]);
  });
});
