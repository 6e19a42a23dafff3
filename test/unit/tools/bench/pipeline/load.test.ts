import { describe, expect, it } from 'vitest';
import { rateOf } from '../../../../../tools/bench/pipeline/load.ts';

const samples = (...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([seconds, count]) => ({ seconds, count }));

describe('rateOf', () => {
  it('goes from the first that was seen to the last that came, without the waiting on either side', () => {
    expect(rateOf(samples([100, 0], [103, 0], [104, 50], [105, 300], [109, 1050], [200, 1050]))).toBe(200);
  });

  it('is not a number where nothing came, or all between two looks', () => {
    expect(rateOf([])).toBeNaN();
    expect(rateOf(samples([1, 0], [2, 0]))).toBeNaN();
    expect(rateOf(samples([1, 0], [2, 100], [3, 100]))).toBeNaN();
  });
});
