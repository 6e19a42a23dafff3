import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '../../../local/processes/run-record.ts';

/**
 * The processor time that a process has taken in all its threads, in milliseconds; those that ended are not in it
 * (Node.js reads its root certificates in one that ends). From /proc, to the nanosecond: `stat` beside it counts in hundredths of a second. Linux only, as the runtime.
 */
export function cpuMsOf(pid: number): number {
  const folder = `/proc/${pid}/task`;
  return readdirSync(folder)
    .map((thread) => schedNanoseconds(readFileSync(`${folder}/${thread}/schedstat`, 'utf8')))
    .reduce((sum, nanoseconds) => sum + nanoseconds / 1e6, 0);
}

/** The first number of a schedstat file: time on a processor, in nanoseconds (kernel documentation, "sched-stats"). */
export function schedNanoseconds(text: string): number {
  const [first = ''] = text.split(' ');
  if (!/^\d+$/.test(first)) throw new Error('schedstat: expected nanoseconds');
  return Number(first);
}

/** The ticks a second of times in /proc, always 100 for programs (proc_pid_stat(5), "USER_HZ"). */
const ticksPerSecond = 100;

/** The parts in the main process of a local run. */
const runPart = 'HTTP API, pollers, EventBridge, sandbox';
const benchPart = 'sender and bench';

/** CPU times so far, in seconds. */
export interface CpuTimes {
  /** The times of a pipeline's processes and of this one, by process id. */
  readonly processes: ReadonlyMap<number, { readonly part: string; readonly seconds: number }>;
  readonly machine: number;
}

/**
 * @param directory of the pipeline
 * @throws Error on systems without /proc
 */
export function readCpuTimes(directory: string): CpuTimes {
  const record: RunRecord = JSON.parse(readFileSync(join(directory, 'processes.json'), 'utf8'));
  const parts = [
    { name: benchPart, pid: process.pid },
    { name: runPart, pid: record.pid },
    ...record.processes,
  ];
  const processes = new Map(
    parts.flatMap(({ name: part, pid }) => {
      const seconds = secondsOf(pid);
      return seconds === undefined ? [] : [[pid, { part, seconds }] as const];
    }),
  );
  return { processes, machine: machineSeconds(readFileSync('/proc/stat', 'utf8')) };
}

/** Undefined where the process has just ended. */
function secondsOf(pid: number): number | undefined {
  try {
    return processSeconds(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * User and system time of a process, in seconds.
 *
 * @param stat the text of /proc/<pid>/stat; the name in it, in parentheses, may hold spaces and parentheses
 */
export function processSeconds(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // Fields 14 and 15 of the line, the third of which comes first here.
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/**
 * Returns the busy time of all cores together, in seconds.
 *
 * @param stat the text of /proc/stat
 */
export function machineSeconds(stat: string): number {
  const [, text = ''] = /^cpu +(.+)$/m.exec(stat) ?? [];
  const [user = 0, nice = 0, system = 0, _idle, _ioWait, irq = 0, softIrq = 0, steal = 0] = text
    .split(' ')
    .map(Number);
  return (user + nice + system + irq + softIrq + steal) / ticksPerSecond;
}

/** CPU seconds. */
export interface CpuUse {
  /** Most first. */
  readonly parts: readonly (readonly [name: string, seconds: number])[];
  /** The time of everything else on the machine. */
  readonly others: number;
}

/**
 * Returns the use between two readings. A process that has started meanwhile counts from its beginning, one that has ended counts
 * to everything else.
 */
export function cpuBetween(before: CpuTimes, after: CpuTimes): CpuUse {
  const used = [...after.processes].map(([pid, { part, seconds }]) => ({
    part,
    seconds: seconds - (before.processes.get(pid)?.seconds ?? 0),
  }));
  const parts = [...Map.groupBy(used, ({ part }) => part)]
    .map(([part, own]) => [part, own.reduce((sum, { seconds }) => sum + seconds, 0)] as const)
    .sort(([, one], [, other]) => other - one);
  const ours = parts.reduce((sum, [, seconds]) => sum + seconds, 0);
  return { parts, others: Math.max(0, after.machine - before.machine - ours) };
}
