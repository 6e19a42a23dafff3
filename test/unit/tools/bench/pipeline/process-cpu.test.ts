import { expect, it } from 'vitest';
import { schedNanoseconds } from '../../../../../tools/bench/pipeline/cpu-time.ts';

it('a schedstat file tells the time on a processor first', () => {
  expect(schedNanoseconds('1172497 3779651 3\n')).toBe(1172497);
  expect(() => schedNanoseconds('')).toThrow('schedstat');
});
