import { describe, expect, it } from 'vitest';
import { boundedRange, EmptyRangeError, requireRange } from '../../../../functions/lists/time-range.ts';

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
