import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../../../../local/function-hosts/protocol.ts';
import { Backoff } from '../../../../../../local/services/lambda/event-sources/failures.ts';
import type { ReadRecord } from '../../../../../../local/services/lambda/event-sources/stream-batch.ts';
import { TumblingWindow } from '../../../../../../local/services/lambda/event-sources/tumbling-window.ts';
import { until } from '../../../../../../tools/support/until.ts';
import { readRecord } from './records.ts';

interface WindowEvent {
  readonly Records: readonly unknown[];
  readonly state: object;
  readonly isFinalInvokeForWindow: boolean;
}

class Unhurried extends Backoff {
  override async pause(): Promise<void> {}
}

/** Windows of so many seconds, at a time in milliseconds. `answer` gives what the function answers to its nth event. */
function startWindows(seconds: number, answer: (nth: number) => Outcome, now = 0) {
  const events: WindowEvent[] = [];
  const { signal } = new AbortController();
  const window = new TumblingWindow(
    {
      seconds,
      shardId: 'shard-1',
      streamArn: 'arn:stream',
      now: () => now,
      async invoke(event) {
        events.push(event as WindowEvent);
        return answer(events.length);
      },
      trouble: new Unhurried(() => {}, signal),
    },
    signal,
  );
  const outcomes: Outcome[] = [];
  const process = (batch: readonly ReadRecord[]) =>
    window.process(batch, async (part) => {
      outcomes.push(await window.invoke({ Records: part.map(({ record }) => record) }));
    });
  return { window, events, outcomes, process };
}

const counting = (nth: number): Outcome => ({ kind: 'ok', value: { state: { nth } } });

describe('a tumbling window', () => {
  it('names its shard and its time, and carries the state of the invocation before', async () => {
    const { events, process } = startWindows(900, counting);
    await process([readRecord('1', 1000)]);
    await process([readRecord('2', 2000)]);
    expect(events[1]).toEqual({
      Records: [readRecord('2').record],
      window: { start: '1970-01-01T00:00:00Z', end: '1970-01-01T00:15:00Z' },
      state: { nth: 1 },
      shardId: 'shard-1',
      eventSourceARN: 'arn:stream',
      isFinalInvokeForWindow: false,
      isWindowTerminatedEarly: false,
    });
  });

  it('ends with an invocation without records before a later one begins, which has no state', async () => {
    const { events, process } = startWindows(900, counting);
    await process([readRecord('1', 1000), readRecord('2', 901_000)]);
    const shapes = events.map(({ Records, state, isFinalInvokeForWindow }) => [
      Records.length,
      state,
      isFinalInvokeForWindow,
    ]);
    expect(shapes).toEqual([
      [1, {}, false],
      [0, { nth: 1 }, true],
      [1, {}, false],
    ]);
  });

  it('ends by itself when its time is over', async () => {
    const { events, process } = startWindows(900, counting, 899_999);
    await process([readRecord('1', 1000)]);
    await until('the window ends', () => events.length === 2);
    expect(events[1]?.isFinalInvokeForWindow).toBe(true);
  });

  it('ends with its shard, and repeats the final invocation until it succeeds', async () => {
    const broken: Outcome = { kind: 'error', error: { errorType: 'Error', errorMessage: 'no' } };
    const { window, events, process } = startWindows(900, (nth) => (nth === 2 ? broken : counting(nth)));
    await window.finish();
    expect(events).toEqual([]);
    await process([readRecord('1', 1000)]);
    await window.finish();
    expect(events.map(({ isFinalInvokeForWindow }) => isFinalInvokeForWindow)).toEqual([false, true, true]);
  });

  it('takes a response without a state as a failure', async () => {
    const { outcomes, process } = startWindows(900, () => ({ kind: 'ok', value: { batchItemFailures: [] } }));
    await process([readRecord('1', 1000)]);
    expect(outcomes[0]).toMatchObject({
      kind: 'error',
      error: { errorMessage: 'the response has no state' },
    });
  });

  it('of no seconds passes batches on as they are', async () => {
    const { events, process } = startWindows(0, () => ({ kind: 'ok', value: null }));
    await process([readRecord('1', 1000)]);
    expect(events).toEqual([{ Records: [readRecord('1').record] }]);
  });
});
