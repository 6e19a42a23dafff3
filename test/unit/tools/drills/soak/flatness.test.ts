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
});

it.each<[string, (at: number, index: number) => number]>([
  ['only grows at first', (at) => Math.min(at, 500)],
  ['stays', () => 80],
  ['swings', (_, index) => 80 + (index % 12)],
  ['is collected, and fills again', (at) => (at < 1000 ? 220 : Math.min(220, 110 + (at - 1000) / 5))],
  ['falls', (at) => 200 - at / 20],
])('flatness accepts a value that %s', (_, valueAt) => {
  expect(flatness(samplesOf(valueAt), seconds).verdict).toBe('flat');
});

it('flatness gives no verdict on a short run or without samples', () => {
  expect(flatness(samplesOf((at) => at).slice(0, 12), 60).verdict).toBe('too short to judge');
  expect(flatness([], seconds).verdict).toBe('too short to judge');
});

it.each<[string, (at: number, index: number) => number, number, boolean]>([
  ['swings', (_, index) => (index % 2) * 60, seconds, true],
  ['is full from the first minute', (at) => Math.min(at * 10, 600), seconds, true],
  ['grows a little every second', (at) => at * 0.5, seconds, false],
  ['grows in the first two minutes', (at) => at * 10, 120, false],
  ['grows in the first minute', (at) => at * 10, 60, true],
])('a backlog that %s is bounded, or not', (_, valueAt, duration, expected) => {
  const samples = samplesOf(valueAt).slice(0, duration / 5);
  expect(isBounded(samples, duration, 40)).toBe(expected);
  expect(isBounded([], duration, 40)).toBe(true);
});
