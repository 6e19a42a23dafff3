import { describe, expect, it } from 'vitest';
import {
  type BoundedRange,
  boundedRange,
  daysOf,
  EmptyRangeError,
  requireRange,
} from '../../../../../functions/history/lists/time-range.ts';

const now = Date.parse('2026-01-15T12:00:00.000Z');

describe('the range of a list', () => {
  it('is by default the last day, and one day ahead for fast clocks', () => {
    expect(boundedRange({}, now)).toEqual({
      since: '2026-01-14T12:00:00.000Z',
      until: '2026-01-16T12:00:00.000Z',
    });
  });

  it('begins a day before its end if only the end is set', () => {
    expect(boundedRange({ until: '2026-01-10T00:00:00.000Z' }, now)).toEqual({
      since: '2026-01-09T00:00:00.000Z',
      until: '2026-01-10T00:00:00.000Z',
    });
  });

  it('is the one that the caller sets', () => {
    const range = { since: '2026-01-01T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' };
    expect(boundedRange(range, now)).toEqual(range);
    expect(requireRange({ since: range.since })).toEqual({ since: range.since });
  });

  it('that is empty is rejected, naming both ends', () => {
    const empty = { since: '2026-01-02T00:00:00.000Z', until: '2026-01-02T00:00:00.000Z' };
    expect(() => requireRange(empty)).toThrow(EmptyRangeError);
    expect(() => boundedRange(empty, now)).toThrow(
      'since (2026-01-02T00:00:00.000Z) has to be before until (2026-01-02T00:00:00.000Z)',
    );
    expect(() => boundedRange({ since: '2027-01-01T00:00:00.000Z' }, now)).toThrow(EmptyRangeError);
  });
});

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
