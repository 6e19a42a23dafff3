import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '../../../local/processes/run-record.ts';

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
