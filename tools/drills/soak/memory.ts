import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '../../../local/processes/run-record.ts';
import { type Flatness, flatness } from './flatness.ts';

/** The resident memory of the processes of one kind, in MB (MiB). */
export interface KindMemory {
  readonly processes: number;
  readonly sum: number;
  /** The memory of the largest process. */
  readonly max: number;
}

const serviceNames = ['DynamoDB Local', 'SQS', 'gateway'];
const runName = 'the run itself';

/** Returns whether processes of this kind run code that is deployed; all others stand in for AWS. */
export const isFunction = (kind: string): boolean => kind !== runName && !serviceNames.includes(kind);

/** The memory of a pipeline's processes by kind: each function, each service, and the run that holds them together. */
export function memoryByKind(directory: string): Map<string, KindMemory> {
  const record: RunRecord = JSON.parse(readFileSync(join(directory, 'processes.json'), 'utf8'));
  const sizes = [...record.processes, { name: runName, pid: record.pid }].flatMap(({ name, pid }) => {
    const size = residentMb(pid);
    return size === undefined ? [] : [{ name, size }];
  });
  return new Map(
    [...Map.groupBy(sizes, ({ name }) => name)]
      .sort(([one], [other]) => Number(isFunction(other)) - Number(isFunction(one)))
      .map(([name, own]) => {
        const values = own.map(({ size }) => size);
        return [
          name,
          {
            processes: values.length,
            sum: values.reduce((total, value) => total + value),
            max: Math.max(...values),
          },
        ];
      }),
  );
}

/** Undefined where the process has just ended. */
function residentMb(pid: number): number | undefined {
  try {
    const text =
      process.platform === 'linux'
        ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
    return text === undefined ? undefined : Number(text) / 1024;
  } catch {
    return undefined;
  }
}

/** The memory of a kind of process at a tenth, half and the end of the time, in MB. */
export interface MemoryFigures extends Flatness {
  readonly kind: string;
  readonly largest: readonly number[];
  readonly sum: readonly number[];
}

/** The memory of each kind of process at times since the beginning. */
export type MemorySamples = ReadonlyMap<string, readonly (KindMemory & { readonly seconds: number })[]>;

/** @param seconds how long the run took */
export function memoryFigures(memory: MemorySamples, seconds: number): MemoryFigures[] {
  return [...memory].map(([kind, samples]) => {
    const moments = [0.1, 0.5, 1].map((share) => samples.findLast((one) => one.seconds <= seconds * share));
    const largest = samples.map(({ seconds: at, max }) => ({ seconds: at, value: max }));
    return {
      kind,
      sum: moments.map((one) => one?.sum ?? Number.NaN),
      largest: moments.map((one) => one?.max ?? Number.NaN),
      ...flatness(largest, seconds),
    };
  });
}
