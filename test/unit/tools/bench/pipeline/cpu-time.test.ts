import { expect, it } from 'vitest';
import {
  type CpuTimes,
  cpuBetween,
  machineSeconds,
  processSeconds,
  schedNanoseconds,
} from '../../../../../tools/bench/pipeline/cpu-time.ts';

it.each(['node', 'a (b) c'])('a process %s has used its user and system time', (name) => {
  const rest = 'S 1 1 1 0 -1 4194560 100 200 3 4 1234 66 7 8 20 0 11 0 5000 1000000 300';
  expect(processSeconds(`17 (${name}) ${rest}`)).toBe(13);
});

it('a machine has used what all cores have worked, not what they have waited', () => {
  const stat = 'cpu  100 20 30 99999 5000 4 5 6 70 80\ncpu0 50 10 15 49999 2500 2 2 3 35 40\n';
  expect(machineSeconds(stat)).toBeCloseTo(1.65);
});

it('a schedstat file begins with the time on a processor', () => {
  expect(schedNanoseconds('1172497 3779651 3\n')).toBe(1172497);
  expect(() => schedNanoseconds('')).toThrow('schedstat');
});

it('the use between two readings is that of each part, the greatest first; what has ended counts to everything else', () => {
  const times = (machine: number, entries: readonly (readonly [number, string, number])[]): CpuTimes => ({
    machine,
    processes: new Map(entries.map(([pid, part, seconds]) => [pid, { part, seconds }])),
  });
  const before = times(100, [
    [1, 'gateway', 5],
    [2, 'worker', 10],
    [4, 'ingest', 3],
  ]);
  const after = times(120, [
    [1, 'gateway', 7],
    [2, 'worker', 13],
    [3, 'worker', 4],
  ]);
  const parts = [
    ['worker', 7],
    ['gateway', 2],
  ];
  expect(cpuBetween(before, after)).toEqual({ parts, others: 11 });
});
