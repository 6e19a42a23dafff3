import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../../../../functions/history/item-keys.ts';
import { readCounters } from '../../../../../functions/insights/counters/counter-item-store.ts';
import { nameOf } from '../../../../../functions/insights/counters/counter-items.ts';
import { type Step, scriptedAws } from '../../../../support/scripted-aws.ts';

const keys = Array.from({ length: 150 }, (_, index) => ({ pk: `send#${index}`, sk: 'all' }));

/** A table that has every counter. @param leave how many keys of a call stay unread @param call counted from 1 */
function table(leave: (call: number, asked: number) => number) {
  let calls = 0;
  const answer: Step = ({ RequestItems }) => {
    calls += 1;
    const { counters } = RequestItems as { counters: { Keys: Item[] } };
    const unread = leave(calls, counters.Keys.length);
    const UnprocessedKeys = unread === 0 ? {} : { counters: { Keys: counters.Keys.slice(0, unread) } };
    return { status: 200, body: { Responses: { counters: counters.Keys.slice(unread) }, UnprocessedKeys } };
  };
  const aws = scriptedAws(answer);
  const pauses: number[] = [];
  const read = () =>
    readCounters(new DynamoDBClient(aws.settings), 'counters', keys, true, async (ms) => pauses.push(ms));
  return { read, pauses, calls: () => calls };
}

describe('reading counters', () => {
  it('asks again for the keys that DynamoDB left unread, after growing pauses', async () => {
    const { read, pauses, calls } = table((call) => (call <= 2 ? 40 : 0));
    const items = await read();
    expect([...items.keys()].sort()).toEqual(keys.map(nameOf).sort());
    expect(pauses).toHaveLength(2);
    for (const [index, pause] of pauses.entries()) expect(pause).toBeLessThanOrEqual(25 * 2 ** (index + 1));
    expect(calls()).toBe(3);
  });

  it('fails as throttled if keys remain unread', async () => {
    const { read, calls } = table((_, asked) => asked);
    await expect(read()).rejects.toMatchObject({ name: 'ThrottlingException' });
    expect(calls()).toBe(6);
  });
});
