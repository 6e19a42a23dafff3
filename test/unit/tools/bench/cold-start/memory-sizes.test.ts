import { describe, expect, it } from 'vitest';
import type { ProcessFigures } from '../../../../../tools/bench/cold-start/cold-start-figures.ts';
import { estimateAt } from '../../../../../tools/bench/cold-start/memory-sizes.ts';

const price = {
  amount: 0.00001,
  per: 1,
  unit: 'GB-second',
  url: 'https://prices.example',
  date: '2026-01-15',
};

const figures: ProcessFigures = {
  initMs: 100,
  initCpuMs: 130,
  firstResponseMs: 50,
  firstCpuMs: 40,
  warmMs: 2.5,
  warmCpuMs: 2,
};

describe('the estimated duration of a function with its memory', () => {
  it('is its processor time at the share of a vCPU, its start at a whole one', () => {
    expect(estimateAt(1769 / 2, figures, price).coldAnswerMs).toBeCloseTo(130 + 80);
  });

  it('is never less than the measured time, with any memory', () => {
    for (const memoryMb of [1500, 1769, 3538])
      expect(estimateAt(memoryMb, figures, price).coldAnswerMs).toBe(180);
    // Several threads at once still have one vCPU.
    expect(estimateAt(1769, { ...figures, firstCpuMs: 60 }, price).coldAnswerMs).toBe(190);
  });

  it('costs a million times the whole milliseconds begun, by the GB of 1,024 MB', () => {
    // 3 ms in 2 GB: 6,000 GB-seconds.
    expect(estimateAt(2048, figures, price).dollars).toBeCloseTo(0.06);
    // 2 ms at 128/1769 of a vCPU are 27.6 ms: 28 ms in 1/8 GB, 3,500 GB-seconds.
    expect(estimateAt(128, figures, price).dollars).toBeCloseTo(0.035);
  });
});
