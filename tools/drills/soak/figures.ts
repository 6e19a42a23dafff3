import { percentile } from '../../support/statistics.ts';
import { type Flatness, flatness } from './flatness.ts';
import { isFunction } from './memory.ts';
import type { Observations } from './observe.ts';

/** How long something took, in milliseconds; NaN where it was never measured. */
export interface Durations {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export function durationsOf(milliseconds: readonly number[]): Durations {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const at = (percent: number) => percentile(sorted, percent);
  return { count: sorted.length, p50: at(50), p95: at(95), p99: at(99), max: at(100) };
}

/** The memory of the largest process of a kind at a tenth, half and the end of the time, in MB. */
export interface MemoryFigures extends Flatness {
  readonly kind: string;
  readonly isFunction: boolean;
  /** The sum over the kind's processes at the same times. */
  readonly sum: readonly number[];
  readonly largest: readonly number[];
}

/** @param seconds how long the run took */
export function memoryFigures({ memory }: Observations, seconds: number): MemoryFigures[] {
  return [...memory].map(([kind, samples]) => {
    const moments = [0.1, 0.5, 1].map((share) => samples.findLast((one) => one.seconds <= seconds * share));
    const largest = samples.map(({ seconds: at, max }) => ({ seconds: at, value: max }));
    return {
      kind,
      isFunction: isFunction(kind),
      sum: moments.map((one) => one?.sum ?? Number.NaN),
      largest: moments.map((one) => one?.max ?? Number.NaN),
      ...flatness(largest, seconds),
    };
  });
}
