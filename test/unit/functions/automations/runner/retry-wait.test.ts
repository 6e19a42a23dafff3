import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryWait } from '../../../../../functions/automations/runner/work-messages.ts';
import { assertProperty } from '../../../../support/property.ts';

const delays = [5, 30, 120];

describe('the wait after a failed attempt', () => {
  it.each([
    [0, 5],
    [4.2, 1],
    [5, 30],
    [5.7, 30],
    [34.9, 1],
    [35, 120],
    [100, 55],
    [154.5, 1],
    [155, undefined],
    [1e9, undefined],
  ])('%d s after the first receive lasts until the next time of the schedule: %s s', (age, wait) => {
    expect(retryWait(delays, age, 3)).toBe(wait);
  });

  it.each([
    [1, 5],
    [2, 30],
    [3, undefined],
    [50, undefined],
  ])('beyond the schedule, after %i receives, is %s s', (receives, wait) => {
    expect(retryWait(delays, 155, receives)).toBe(wait);
  });

  it('gives one attempt at each time of the schedule, and none after it, however long each attempt takes', () => {
    const waits = fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 12 });
    assertProperty(
      fc.property(
        waits,
        fc.infiniteStream(fc.double({ min: 0, max: 60, noNaN: true })),
        (schedule, takes) => {
          const total = schedule.reduce((sum, seconds) => sum + seconds, 0);
          let age = 0;
          let tries = 0;
          for (;;) {
            tries++;
            age += takes.next().value;
            const wait = retryWait(schedule, age, Math.max(tries, 3));
            if (wait === undefined) break;
            age += wait;
          }
          expect(age).toBeGreaterThanOrEqual(total);
          expect(age).toBeLessThan(total + 62);
          expect(tries).toBeLessThanOrEqual(schedule.length + 1);
        },
      ),
    );
  });
});
