import { DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { createHistoryItems } from '../../../../cli/stores/history-items.ts';
import type { Item } from '../../../../functions/history/item-keys.ts';
import { answering, anyAccount } from '../support/aws.ts';

type Calls = Readonly<Record<string, (input: Readonly<Record<string, unknown>>, call: number) => object>>;

/** The items of tables that answer calls like this. `calls` counts the calls of each operation. */
async function itemsOf(answers: Calls) {
  const calls = new Map<string, number>();
  const client = answering(new DynamoDBClient(anyAccount), (command, input) => {
    const call = (calls.get(command) ?? 0) + 1;
    calls.set(command, call);
    return answers[command]?.(input, call) ?? {};
  });
  return { items: await createHistoryItems(client, { history: 'history', quarantine: 'quarantine' }), calls };
}

describe('the items of a history', () => {
  it('are read from the quarantine a hundred at a time, and again if DynamoDB left keys unread', async () => {
    const keys = Array.from({ length: 150 }, (_, index) => ({ pk: '2026-01-15', sk: `entry-${index}` }));
    const { items, calls } = await itemsOf({
      BatchGetItemCommand({ RequestItems }, call) {
        const { Keys } = (RequestItems as { quarantine: { Keys: Item[] } }).quarantine;
        expect(Keys.length).toBeLessThanOrEqual(100);
        const unread = call === 1 ? 30 : 0;
        return {
          Responses: { quarantine: Keys.slice(unread) },
          UnprocessedKeys: unread === 0 ? {} : { quarantine: { Keys: Keys.slice(0, unread) } },
        };
      },
    });
    const found = await items.readQuarantine([...keys, ...keys]);
    expect(found.map(({ sk }) => sk?.S).sort()).toEqual(keys.map(({ sk }) => sk).sort());
    expect(calls.get('BatchGetItemCommand')).toBe(2);
  });

  it('are not written if they are too large, and any other error is thrown', async () => {
    const failing = (name: string) => () => {
      throw new DynamoDBServiceException({ name, $fault: 'client', $metadata: {} });
    };
    const write = { Item: { pk: { S: 'message#m' } } };
    const large = await itemsOf({ PutItemCommand: failing('ValidationException') });
    expect(await large.items.put('history', write)).toEqual({ kind: 'refused' });
    const throttled = await itemsOf({ PutItemCommand: failing('ThrottlingException') });
    await expect(throttled.items.put('history', write)).rejects.toThrow(DynamoDBServiceException);
  });
});
