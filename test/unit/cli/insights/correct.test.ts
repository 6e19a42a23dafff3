import { describe, expect, it } from 'vitest';
import { correct } from '../../../../cli/insights/correct.ts';
import { timeName } from '../../../../functions/insights/counters/count-names.ts';
import type { CohortDelta } from '../../../../functions/insights/counters/deltas.ts';
import { fakeRecount } from '../support/recount.ts';

const differences = Array.from(
  { length: 90 },
  (_, index): CohortDelta => ({
    cohort: { kind: 'send', sendId: `send-${index}` },
    tally: { sent: 1 },
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

  it('divides a difference of more counts than one commit may add', async () => {
    const tally = (from: number, counts: number) =>
      Object.fromEntries(
        Array.from({ length: counts }, (_, index) => [timeName(100 + from + index), index + 1]),
      );
    const [first, second, third] = differences;
    const wide = {
      cohort: { kind: 'day', start: 0, country: 'US', source: 'main' },
      tally: tally(0, 600),
      first: undefined,
    } as const;
    if (first === undefined || second === undefined || third === undefined) throw new Error('too few');
    const { sources, added } = fakeRecount();
    await correct(sources.writer(), undefined, [first, wide, second, third]);
    expect(added.map(({ cohorts }) => cohorts.map(({ tally }) => Object.keys(tally).length))).toEqual([
      [1, 250],
      [250],
      [100, 1, 1],
    ]);
    const ofWide = added.flatMap(({ cohorts }) => cohorts.filter(({ cohort }) => cohort === wide.cohort));
    expect(Object.assign({}, ...ofWide.map(({ tally }) => tally))).toEqual(wide.tally);
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
