import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextDelay, parseRetryAfter, type RetryPolicy } from '../../../../functions/base/retry.ts';
import { assertProperty } from '../../../support/property.ts';

const policy: RetryPolicy = { attempts: 5, totalMs: 30_000, baseDelayMs: 250, maxDelayMs: 8_000 };
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('nextDelay', () => {
  it('draws from an interval that doubles with each attempt, up to the maximum pause', () => {
    const longest = (attempts: number) =>
      nextDelay(
        { attempts, remainingMs: 1e9, retryAfterMs: null },
        { ...policy, attempts: 99 },
        () => 0.9999,
      );
    expect([1, 2, 3, 4, 5, 6, 7].map(longest)).toEqual([249, 499, 999, 1999, 3999, 7999, 7999]);
  });

  it('is full jitter: from no pause at all to the whole interval', () => {
    const at = (random: number) =>
      nextDelay({ attempts: 3, remainingMs: 1e9, retryAfterMs: null }, policy, () => random);
    expect([at(0), at(0.5), at(0.9999)]).toEqual([0, 500, 999]);
  });

  it('waits at most until the deadline, and at least as long as the service asked for', () => {
    assertProperty(
      fc.property(
        fc.integer({ min: 1, max: policy.attempts - 1 }),
        fc.option(fc.integer({ min: 0, max: 60_000 })),
        fc.integer({ min: 0, max: 10_000 }),
        randoms,
        (attempts, retryAfterMs, spareMs, random) => {
          const asked = retryAfterMs ?? 0;
          const remainingMs = asked + spareMs;
          const delay = nextDelay({ attempts, remainingMs, retryAfterMs }, policy, () => random);
          fc.pre(delay !== undefined);
          expect(delay).toBeLessThan(remainingMs);
          expect(delay).toBeGreaterThanOrEqual(asked);
          expect(delay - asked).toBeLessThanOrEqual(policy.maxDelayMs);
        },
      ),
    );
  });

  it.each([
    ['a further attempt and enough time', { attempts: 4, remainingMs: 501, retryAfterMs: 500 }, 500],
    ['no further attempt', { attempts: 5, remainingMs: 501, retryAfterMs: 500 }, undefined],
    ['less time than the service asks for', { attempts: 4, remainingMs: 500, retryAfterMs: 500 }, undefined],
  ])('with %s waits or gives up', (_, progress, delay) => {
    expect(nextDelay(progress, policy, () => 0)).toBe(delay);
  });
});

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-01-15T12:00:00.000Z');

  it.each([
    [null, null],
    ['', null],
    ['120', 120_000],
    [' 0 ', 0],
    ['-1', null],
    ['1.5', null],
    ['soon', null],
    ['Thu, 15 Jan 2026 12:00:30 GMT', 30_000],
    ['Thu, 15 Jan 2026 11:00:00 GMT', 0],
    ['Thu, 99 Jan 2026 12:00:30 GMT', null],
    ['3601', 3_600_000],
    ['60000', 3_600_000],
    ['9'.repeat(400), 3_600_000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 3_600_000],
    ['2026-01-15T12:00:30Z', null],
  ])('reads %j as %j milliseconds', (header, ms) => {
    expect(parseRetryAfter(header, now)).toBe(ms);
  });

  it('reads every HTTP date as the moment it denotes, up to an hour ahead', () => {
    const times = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    assertProperty(
      fc.property(times, times, (one, other) => {
        const wait = Math.max(0, Math.floor(other.getTime() / 1000) * 1000 - one.getTime());
        expect(parseRetryAfter(other.toUTCString(), one.getTime())).toBe(Math.min(wait, 3_600_000));
      }),
    );
  });

  it('returns no negative number for any text, without an exception', () => {
    assertProperty(
      fc.property(fc.string(), (header) => {
        expect(parseRetryAfter(header, now) ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
