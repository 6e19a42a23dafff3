import { describe, expect, it } from 'vitest';
import { correct } from '../../../../cli/insights/correct.ts';
import type { CohortDelta } from '../../../../functions/counters/deltas.ts';
import { fakeRecount } from '../support/recount.ts';

const differences = Array.from(
  { length: 90 },
  (_, index): CohortDelta => ({
    cohort: { kind: 'send', sendId: `send-${index}` },
    tally: { ss: 1 },
    first: 0,
  }),
);

async function corrected(...outcomes: Parameters<typeof fakeRecount>[0] & object) {
  const { sources, added } = fakeRecount(outcomes);
  await correct(sources.writer(), undefined, differences);
  return added.map(({ cohorts }) => cohorts);
}

describe('a correction', () => {
  it('adds each difference once, in parts', async () => {
    expect((await corrected()).map(({ length }) => length)).toEqual([40, 40, 10]);
  });

  it('halves parts that are too large, and repeats those that conflict', async () => {
    const parts = await corrected({ kind: 'too-large' }, { kind: 'retry', cause: 'TransactionConflict' });
    expect(parts.map(({ length }) => length)).toEqual([20, 20, 20, 20, 10]);
    expect(parts.flat()).toEqual(differences);
  });

  it('does not add again what was written though the answer said otherwise', async () => {
    expect((await corrected('lost', 'lost')).flat()).toEqual(differences);
  });

  it('ends where another one has begun', async () => {
    const { sources, added } = fakeRecount();
    const counters = sources.writer();
    await correct(counters, undefined, differences.slice(0, 1));
    await expect(correct(counters, undefined, differences)).rejects.toThrow('Another rebuild');
    expect(added).toHaveLength(1);
  });
});
