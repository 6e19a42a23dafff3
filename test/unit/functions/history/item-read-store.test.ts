import {
  type BatchGetItemCommand,
  type BatchGetItemCommandOutput,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { readItems } from '../../../../functions/history/item-read-store.ts';

const Key = (pk: string) => ({ pk: { S: pk } });

/** A table of everything that is asked for; `leave` says how many keys of a call stay unread. */
function table(leave: (call: number, keys: number) => number) {
  const calls: string[][] = [];
  const pauses: number[] = [];
  const client = new DynamoDBClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  client.middlewareStack.add(
    () => async (args) => {
      const { RequestItems = {} } = args.input as BatchGetItemCommand['input'];
      const keys = (RequestItems.table?.Keys ?? []).map(({ pk }) => pk?.S ?? '');
      calls.push(keys);
      const unread = leave(calls.length, keys.length);
      const output: Partial<BatchGetItemCommandOutput> = {
        Responses: { table: keys.slice(unread).map(Key) },
        UnprocessedKeys: unread === 0 ? {} : { table: { Keys: keys.slice(0, unread).map(Key) } },
      };
      return { output: { $metadata: {}, ...output }, response: {} };
    },
    { step: 'initialize', priority: 'low' },
  );
  const read = (keys: readonly string[]) =>
    readItems(client, 'table', keys, async (milliseconds) => pauses.push(milliseconds));
  return { read, calls, pauses };
}

const keys = Array.from({ length: 250 }, (_, number) => `k${number}`);

describe('reading items', () => {
  it('asks for a hundred at a time, and for each item once', async () => {
    const { read, calls, pauses } = table(() => 0);
    expect([...(await read([...keys, ...keys])).keys()]).toEqual(keys);
    expect(calls.map((call) => call.length)).toEqual([100, 100, 50]);
    expect(pauses).toEqual([]);
  });

  it('asks again for unread items, after growing pauses', async () => {
    const { read, calls, pauses } = table((call) => (call <= 3 ? 10 : 0));
    expect((await read(keys)).size).toBe(250);
    expect(calls[1]?.slice(0, 10)).toEqual(keys.slice(0, 10));
    expect(pauses).toHaveLength(3);
    for (const [index, pause] of pauses.entries()) expect(pause).toBeLessThanOrEqual(25 * 2 ** (index + 1));
  });

  it('counts as throttled if items remain unread', async () => {
    const { read, calls } = table((_, length) => length);
    await expect(read(keys)).rejects.toMatchObject({ name: 'ThrottlingException' });
    expect(calls).toHaveLength(6);
  });
});
