import { describe, expect, it } from 'vitest';
import { estimateAt } from '../../../../../tools/bench/cold-start/memory-sizes.ts';

const starts = { initMs: 100, initCpuMs: 130, firstResponseMs: 50, firstCpuMs: 40 };
const figures = { ...starts, coldMs: 150, coldCpuMs: 170, warmMs: 2.5, warmCpuMs: 2 };

describe('the estimated duration of a function with its memory', () => {
  it.each([
    ['processor time at the share of a vCPU, the start at a whole one', 1769 / 2, {}, 130 + 80],
    ['never less than the measured time', 3538, {}, 180],
    ['that of one vCPU, also with several threads', 1769, { firstCpuMs: 60 }, 190],
  ])('is %s', (_, memoryMb, changes, milliseconds) => {
    expect(estimateAt(memoryMb, { ...figures, ...changes }).coldAnswerMs).toBeCloseTo(milliseconds);
  });

  it('costs a million times the whole milliseconds begun, by the GB of 1,024 MB', () => {
    const price = 0.0000133334;
    // 3 ms in 2 GB: 6,000 GB-seconds.
    expect(estimateAt(2048, figures).dollars).toBeCloseTo(6000 * price);
    // 2 ms at 128/1769 of a vCPU are 27.6 ms: 28 ms in 1/8 GB, 3,500 GB-seconds.
    expect(estimateAt(128, figures).dollars).toBeCloseTo(3500 * price);
  });
});
