import fc from 'fast-check';
import { expect, it } from 'vitest';
import { flatness, isBounded, type Sample } from '../../../../../tools/drills/soak/flatness.ts';
import { assertProperty } from '../../../../support/property.ts';

/** Half an hour, a sample every five seconds. */
const seconds = 1800;
const samplesOf = (valueAt: (seconds: number, index: number) => number): Sample[] =>
  Array.from({ length: seconds / 5 }, (_, index) => ({
    seconds: index * 5,
    value: valueAt(index * 5, index),
  }));

it('flatness fails for a leak of 10 % per half hour, at any size and with a sawtooth of 2 %', () => {
  assertProperty(
    fc.property(
      fc.integer({ min: 20, max: 2000 }),
      fc.double({ min: 0.1, max: 3, noNaN: true }),
      (mb, leak) => {
        const samples = samplesOf((at, index) => mb * (1 + (leak * at) / seconds + (index % 10) * 0.002));
        expect(flatness(samples, seconds).verdict).toBe('grows');
      },
    ),
  );
  const leaking = samplesOf((at) => 80 * (1 + (0.1 * at) / seconds));
  expect(flatness(leaking, seconds).verdict).toBe('grows');
  expect(flatness(leaking, seconds).growth).toBeCloseTo(0.1 / (1 + 0.1 * (2 / 3)), 2);
});

it('flatness accepts a value that only grows at first, stays, swings or falls', () => {
  const rows = [
    samplesOf((at) => Math.min(at, 500)),
    samplesOf(() => 80),
    samplesOf((_, index) => 80 + (index % 12)),
    // Collected in the middle, and filled again.
    samplesOf((at) => (at < 1000 ? 220 : Math.min(220, 110 + (at - 1000) / 5))),
    samplesOf((at) => 200 - at / 20),
  ];
  expect(rows.map((samples) => flatness(samples, seconds).verdict)).toEqual(rows.map(() => 'flat'));
});

it('flatness gives no verdict on a short run or without samples', () => {
  expect(flatness(samplesOf((at) => at).slice(0, 12), 60).verdict).toBe('too short to judge');
  expect(flatness([], seconds).verdict).toBe('too short to judge');
});

it('a backlog that swings is bounded, one that grows a little every second is not', () => {
  expect(
    isBounded(
      samplesOf((_, index) => (index % 2) * 60),
      seconds,
      40,
    ),
  ).toBe(true);
  expect(
    isBounded(
      samplesOf((at) => at * 0.5),
      seconds,
      40,
    ),
  ).toBe(false);
  // Full from the first minute, and worked off no further.
  expect(
    isBounded(
      samplesOf((at) => Math.min(at * 10, 600)),
      seconds,
      40,
    ),
  ).toBe(true);
  expect(isBounded([], seconds, 40)).toBe(true);
  const starting = samplesOf((at) => at * 10).slice(0, 12);
  expect(isBounded(starting, 60, 40)).toBe(true);
  expect(isBounded(samplesOf((at) => at * 10).slice(0, 24), 120, 40)).toBe(false);
});
