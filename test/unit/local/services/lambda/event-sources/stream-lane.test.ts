import { describe, expect, it } from 'vitest';
import type { ReadRecord } from '../../../../../../local/services/lambda/event-sources/stream-batch.ts';
import { Lane } from '../../../../../../local/services/lambda/event-sources/stream-lane.ts';
import { until } from '../../../../../../tools/support/until.ts';
import { readRecord } from './records.ts';

function startLane(batchSize: number, windowSeconds = 0, process = async () => {}) {
  const batches: string[][] = [];
  const aborter = new AbortController();
  const lane = new Lane(
    {
      batchSize,
      windowSeconds,
      async process(batch: readonly ReadRecord[]) {
        batches.push(batch.map(({ sequenceNumber }) => sequenceNumber));
        await process();
      },
    },
    aborter.signal,
  );
  return { lane, batches, aborter };
}

describe('a lane', () => {
  it('processes the collected records after the window', async () => {
    const { lane, batches } = startLane(100, 0.01);
    lane.add(readRecord('1'));
    lane.add(readRecord('2'));
    await until('the batch is handed on', () => batches.length === 1);
    expect(batches).toEqual([['1', '2']]);
    await lane.finish();
  });

  it('makes no event larger than 6 MB', async () => {
    const { lane, batches } = startLane(100, 300);
    const text = 'é'.repeat(500_000);
    for (const number of ['1', '2', '3', '4', '5', '6', '7']) {
      const { record, ...read } = readRecord(number);
      const dynamodb = { ...record.dynamodb, NewImage: { text: { S: text } } };
      lane.add({ ...read, record: { ...record, dynamodb } });
    }
    await lane.finish();
    expect(batches).toEqual([['1', '2', '3', '4', '5', '6'], ['7']]);
  });

  it('has no room while more than a batch waits', async () => {
    const gate = Promise.withResolvers<void>();
    const { lane, batches } = startLane(1, 0, () => gate.promise);
    for (const number of ['1', '2', '3']) lane.add(readRecord(number));
    await until('the first is being processed', () => batches.length === 1);
    let hasRoom = false;
    const room = lane.room().then(() => {
      hasRoom = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasRoom).toBe(false);
    gate.resolve();
    await room;
    await lane.finish();
    expect(batches).toEqual([['1'], ['2'], ['3']]);
  });

  it('ends at once when it is aborted', async () => {
    const { lane, batches, aborter } = startLane(100, 300);
    lane.add(readRecord('1'));
    aborter.abort();
    await lane.finish();
    expect(batches).toEqual([]);
  });
});
