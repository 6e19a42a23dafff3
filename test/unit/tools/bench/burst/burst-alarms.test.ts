import { expect, it } from 'vitest';
import { timesOn } from '../../../../../tools/bench/burst/burst-alarms.ts';

const rule = { threshold: 300, periodSeconds: 60, periods: 3 };
const minutes = (...values: number[]) => values.flatMap((value) => [value, ...Array<number>(59).fill(0)]);

it('an alarm goes off when the threshold was reached in enough periods after each other', () => {
  expect(timesOn(minutes(300, 300, 300), rule)).toEqual([{ from: 180, to: undefined }]);
  expect(timesOn(minutes(0, 900, 900, 0, 900, 900, 299), rule)).toEqual([]);
});

it('is over with the first period below, and can go off again', () => {
  expect(timesOn(minutes(300, 300, 300, 300, 299, 300, 300, 300), rule)).toEqual([
    { from: 180, to: 300 },
    { from: 480, to: undefined },
  ]);
});

it('looks at the largest value of a period, and also at one that is not over', () => {
  const single = { threshold: 5, periodSeconds: 300, periods: 1 };
  expect(timesOn([...Array<number>(310).fill(0), 5], single)).toEqual([{ from: 600, to: undefined }]);
});
