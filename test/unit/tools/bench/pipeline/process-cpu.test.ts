import { expect, it } from 'vitest';
import { schedNanoseconds } from '../../../../../tools/bench/pipeline/cpu-time.ts';

it('a schedstat file begins with the time on a processor', () => {
  expect(schedNanoseconds('1172497 3779651 3\n')).toBe(1172497);
  expect(() => schedNanoseconds('')).toThrow('schedstat');
});
