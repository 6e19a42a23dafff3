import { describe, expect, it } from 'vitest';
import { type BoundedRange, daysOf } from '../../../../functions/lists/time-range.ts';

const daysIn = (range: BoundedRange) => [...daysOf(range)];

describe('the days of a range', () => {
  it('are newest first, the outer ones cut to the range', () => {
    expect(daysIn({ since: '2026-02-27T18:00:00.000Z', until: '2026-03-01T06:00:00.000Z' })).toEqual([
      { date: '2026-03-01', from: '2026-03-01T00:00:00.000Z', to: '2026-03-01T05:59:59.999Z' },
      { date: '2026-02-28', from: '2026-02-28T00:00:00.000Z', to: '2026-02-28T23:59:59.999Z' },
      { date: '2026-02-27', from: '2026-02-27T18:00:00.000Z', to: '2026-02-27T23:59:59.999Z' },
    ]);
  });

  it('exclude the day that begins at the end of the range', () => {
    expect(daysIn({ since: '2026-03-01T00:00:00.000Z', until: '2026-03-02T00:00:00.000Z' })).toEqual([
      { date: '2026-03-01', from: '2026-03-01T00:00:00.000Z', to: '2026-03-01T23:59:59.999Z' },
    ]);
  });

  it('are one day if the range lies within it', () => {
    expect(daysIn({ since: '2026-03-01T10:00:00.000Z', until: '2026-03-01T10:00:00.001Z' })).toEqual([
      { date: '2026-03-01', from: '2026-03-01T10:00:00.000Z', to: '2026-03-01T10:00:00.000Z' },
    ]);
  });
});
