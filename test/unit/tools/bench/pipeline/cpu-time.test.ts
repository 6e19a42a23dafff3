import { describe, expect, it } from 'vitest';
import {
  type CpuTimes,
  cpuBetween,
  machineSeconds,
  processSeconds,
} from '../../../../../tools/bench/pipeline/cpu-time.ts';

describe('processSeconds', () => {
  it('adds user and system time, whatever the program is called', () => {
    const rest = 'S 1 1 1 0 -1 4194560 100 200 3 4 1234 66 7 8 20 0 11 0 5000 1000000 300';
    expect(processSeconds(`17 (node) ${rest}`)).toBe(13);
    expect(processSeconds(`17 (a (b) c) ${rest}`)).toBe(13);
  });
});

describe('machineSeconds', () => {
  it('adds what all cores have worked, not what they have waited', () => {
    const stat = 'cpu  100 20 30 99999 5000 4 5 6 70 80\ncpu0 50 10 15 49999 2500 2 2 3 35 40\n';
    expect(machineSeconds(stat)).toBeCloseTo(1.65);
  });
});

describe('cpuBetween', () => {
  const times = (machine: number, entries: readonly (readonly [number, string, number])[]): CpuTimes => ({
    machine,
    processes: new Map(entries.map(([pid, part, seconds]) => [pid, { part, seconds }])),
  });

  it('adds up the processes of a part, those too that have started meanwhile, and puts the greatest first', () => {
    const before = times(100, [
      [1, 'gateway', 5],
      [2, 'worker', 10],
    ]);
    const after = times(120, [
      [1, 'gateway', 7],
      [2, 'worker', 13],
      [3, 'worker', 4],
    ]);
    expect(cpuBetween(before, after)).toEqual({
      parts: [
        ['worker', 7],
        ['gateway', 2],
      ],
      others: 11,
    });
  });

  it('counts a process that has ended to everything else', () => {
    const before = times(100, [[1, 'worker', 5]]);
    expect(cpuBetween(before, times(103, []))).toEqual({ parts: [], others: 3 });
  });
});
