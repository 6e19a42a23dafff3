import { describe, expect, it } from 'vitest';
import { deadlineAt } from '../../../../../functions/base/basics.ts';
import type {
  CommitOutcome,
  CounterWriter,
} from '../../../../../functions/insights/counters/counter-write-store.ts';
import { paddedSequence } from '../../../../../functions/insights/counters/shard-state.ts';
import { countBatch } from '../../../../../functions/insights/counting/count-batch.ts';
import { keywordOf } from '../../../../../tools/support/keywords.ts';
import { recorder } from '../../../../support/recorder.ts';
import {
  messageImage,
  messageRecord,
  reportEntry,
  streamRecord,
} from '../../publish/publisher/stream-records.ts';

const records = [1, 2, 3, 4].map((number) => messageRecord(number, `m${number}`, 1));

/** Counters in memory that take at most `capacity` cohorts, and whose commits end as `outcomes` say. */
function countersInMemory({
  capacity = 100,
  outcomes = [],
}: {
  capacity?: number;
  outcomes?: (CommitOutcome | Error | 'lost answer')[];
} = {}) {
  const commits: number[] = [];
  let counted: string | undefined;
  const writer: CounterWriter = {
    open: async (shardId) => ({ shardId, counted }),
    async commit(state, position, deltas) {
      expect(state.counted).toBe(counted);
      const outcome = outcomes.shift() ?? { kind: 'counted' };
      const messages = deltas.cohorts
        .filter(({ cohort }) => cohort.kind === 'day')
        .reduce((sum, { tally }) => sum + (tally.accepted ?? 0), 0);
      if (outcome instanceof Error) throw outcome;
      if (outcome !== 'lost answer' && outcome.kind !== 'counted') return outcome;
      if (messages > capacity) return { kind: 'too-large' };
      commits.push(messages);
      counted = position;
      if (outcome === 'lost answer') throw new Error('the connection broke');
      return outcome;
    },
  };
  return { writer, commits, position: () => counted };
}

async function count(counters: CounterWriter, batch = records, remainingMs = 10_000) {
  const { log, lines } = recorder();
  const slept: number[] = [];
  const sleep = async (ms: number) => {
    slept.push(ms);
  };
  const dependencies = { counters, keywordOf, sleep, random: () => 0.5, log };
  const failed = await countBatch(
    'shard',
    batch,
    dependencies,
    deadlineAt(remainingMs, () => 0),
  );
  return { failed, slept, lines };
}

describe('a change that cannot be counted', () => {
  /** An item that can be read, and with whose time no figure can be computed. */
  const spoilt = messageImage('spoilt', 0, { ...reportEntry('e0', 'accepted'), occurredAt: '15.01.2026' });
  const good = messageImage('spoilt', 1);
  const left = (after: typeof good, before?: typeof good) => streamRecord(2, 'message#spoilt', after, before);

  it('is set aside with its id, and all others are counted', async () => {
    const { writer, commits, position } = countersInMemory();
    const batch = [...records.slice(0, 1), left(spoilt), ...records.slice(2)];
    const { failed, lines } = await count(writer, batch);
    expect(failed).toBeUndefined();
    expect(commits).toEqual([3]);
    expect(position()).toBe(paddedSequence('4'));
    expect(lines).toEqual([{ name: 'CHANGE_NOT_COUNTED', fields: { id: 'record-2', error: 'RangeError' } }]);
  });

  it('because of its state before is counted as a new one', async () => {
    const { writer, commits } = countersInMemory();
    const { failed, lines } = await count(writer, [left(good, spoilt)]);
    expect(failed).toBeUndefined();
    expect(commits).toEqual([1]);
    expect(lines).toEqual([]);
  });
});

describe('a batch of changes', () => {
  it('is counted in one transaction with its position', async () => {
    const { writer, commits, position } = countersInMemory();
    expect((await count(writer)).failed).toBeUndefined();
    expect(commits).toEqual([4]);
    expect(position()).toBe(paddedSequence('4'));
  });

  it('counts nothing twice when it is repeated, or overlaps with another one', async () => {
    const { writer, commits } = countersInMemory();
    await count(writer, records.slice(0, 2));
    await count(writer, records.slice(0, 2));
    await count(writer, records);
    expect(commits).toEqual([2, 2]);
  });

  it('is split where one transaction cannot hold it', async () => {
    const { writer, commits } = countersInMemory({ capacity: 1 });
    expect((await count(writer)).failed).toBeUndefined();
    expect(commits).toEqual([1, 1, 1, 1]);
  });

  it('is retried after a conflict, and counts once where the answer of a transaction is lost', async () => {
    const conflict: CommitOutcome = { kind: 'retry', cause: 'TransactionConflict' };
    const { writer, commits } = countersInMemory({ outcomes: [conflict, conflict, 'lost answer'] });
    const { failed, slept } = await count(writer);
    expect(failed).toBeUndefined();
    expect(commits).toEqual([4]);
    expect(slept).toEqual([50, 100, 200]);
  });

  it('reports the first record that is not counted where transactions keep failing', async () => {
    const busy: CommitOutcome = { kind: 'retry', cause: 'ThrottlingError' };
    const { writer } = countersInMemory({ outcomes: Array(8).fill(busy) });
    const { failed, lines } = await count(writer);
    expect(failed).toBe('1');
    expect(lines).toEqual([{ name: 'COUNT_FAILED', fields: { error: 'ThrottlingError', recordsAgain: 4 } }]);
  });

  it('ends before its deadline', async () => {
    const { writer } = countersInMemory({ outcomes: [new Error('no')] });
    const { failed, slept } = await count(writer, records, 10);
    expect(failed).toBe('1');
    expect(slept).toEqual([]);
  });

  it('without records is nothing to do', async () => {
    const { writer, commits } = countersInMemory();
    expect((await count(writer, [])).failed).toBeUndefined();
    expect(commits).toEqual([]);
  });
});
