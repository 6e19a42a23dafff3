import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Throttles, TokenBucket } from '../../../../../local/services/api-gateway/throttles.ts';
import { assertProperty } from '../../../../support/property.ts';

const one = { ratePerSecond: 1, burst: 1 };

it('throttles accept every request until a stage sets limits', () => {
  const throttles = new Throttles();
  expect([throttles.admits('ANY /hook', 0), throttles.admits('ANY /hook', 0)]).toEqual([true, true]);
});

it('throttles have one bucket for each route, with the throttle of the route if it has one', () => {
  const throttles = new Throttles();
  throttles.replace({ everyRoute: one, routes: { 'ANY /v1/{proxy+}': { ratePerSecond: 1, burst: 2 } } });
  const admitted = (routeKey: string) => [1, 2, 3].map(() => throttles.admits(routeKey, 0));
  expect(admitted('ANY /hook')).toEqual([true, false, false]);
  expect(admitted('ANY /v1/{proxy+}')).toEqual([true, true, false]);
  expect(admitted('ANY /other')).toEqual([true, false, false]);
});

it('throttles begin with full buckets after a change', () => {
  const throttles = new Throttles();
  throttles.replace({ everyRoute: one, routes: {} });
  expect([throttles.admits('ANY /hook', 0), throttles.admits('ANY /hook', 0)]).toEqual([true, false]);
  throttles.replace({ everyRoute: one, routes: {} });
  expect(throttles.admits('ANY /hook', 0)).toBe(true);
});

const takes = (bucket: TokenBucket, now: number, times: number) =>
  Array.from({ length: times }, () => bucket.take(now)).filter(Boolean).length;

describe('a token bucket', () => {
  it('accepts a burst at once, then its rate, and never more than a burst', () => {
    const bucket = new TokenBucket({ ratePerSecond: 10, burst: 3 }, 1000);
    expect(takes(bucket, 1000, 5)).toBe(3);
    expect(takes(bucket, 1099, 1)).toBe(0);
    expect(takes(bucket, 1100, 2)).toBe(1);
    expect(takes(bucket, 60_000, 9)).toBe(3);
  });

  it('accepts no request with a limit of 0, which closes the webhook', () => {
    const bucket = new TokenBucket({ ratePerSecond: 0, burst: 0 }, 0);
    expect([bucket.take(0), bucket.take(1e9)]).toEqual([false, false]);
  });

  it('gains no tokens when the clock goes back', () => {
    const bucket = new TokenBucket({ ratePerSecond: 1, burst: 1 }, 10_000);
    expect([bucket.take(10_000), bucket.take(0), bucket.take(999), bucket.take(1000)]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('accepts at most burst plus rate at any times, and all requests below the rate', () => {
    const throttle = {
      ratePerSecond: fc.integer({ min: 1, max: 50 }),
      burst: fc.integer({ min: 1, max: 50 }),
    };
    const gaps = fc.array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 200 });
    assertProperty(
      fc.property(fc.record(throttle), gaps, ({ ratePerSecond, burst }, waits) => {
        const bucket = new TokenBucket({ ratePerSecond, burst }, 0);
        let now = 0;
        let admitted = 0;
        for (const wait of waits) {
          now += wait;
          const isAdmitted = bucket.take(now);
          if (isAdmitted) admitted += 1;
          expect(admitted).toBeLessThanOrEqual(burst + (now * ratePerSecond) / 1000 + 1e-6);
          if (wait * ratePerSecond > 1000) expect(isAdmitted).toBe(true);
        }
      }),
    );
  });
});
