import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the processor time that a process has taken in all its threads, in milliseconds. Threads that ended are not in it. It is read from
 * /proc, in nanoseconds (`stat` beside it counts in hundredths of a second), so this works on Linux only.
 */
export function cpuMsOf(pid: number): number {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder)
    .map((thread) => schedNanoseconds(readFileSync(`${folder}/${thread}/schedstat`, 'utf8')))
    .reduce((sum, nanoseconds) => sum + nanoseconds / 1e6, 0);
}

/** The first number of a schedstat file: time on a processor, in nanoseconds (kernel documentation, "sched-stats"). */
function schedNanoseconds(text: string): number {
  const [first = ''] = text.split(' ');
  if (!/^\d+$/.test(first)) throw new Error('schedstat: expected nanoseconds');
  return Number(first);
}
