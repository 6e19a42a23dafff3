import { expect, it } from 'vitest';
import { differenceOf } from '../../../../../tools/bench/cost/counters.ts';

const work = (of: number) => ({
  ...{ invocations: of, billedMs: 10 * of, cpuMs: 5 * of },
  ...{ logLines: of, logBytes: 300 * of },
});
const call = (caller: string, of: number) => ({
  ...{ caller, service: 'sqs', operation: 'SendMessage' },
  ...{ calls: of, failed: of, requestBytes: 100 * of, requestChunks: of },
});

it('the difference of two readings has the counts in between, and all counts of new callers and functions', () => {
  const before = { calls: [call('ingest', 3)], functions: { worker: work(3) }, published: 3 };
  const after = {
    calls: [call('setup', 2), call('ingest', 8)],
    functions: { worker: work(8), publisher: work(2) },
    published: 8,
  };
  expect(differenceOf(before, after)).toEqual({
    calls: [call('setup', 2), call('ingest', 5)],
    functions: { worker: work(5), publisher: work(2) },
    published: 5,
  });
});
