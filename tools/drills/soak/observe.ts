import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRecord } from '../../../local/processes/run-record.ts';
import type { Run } from '../../engine/run.ts';
import type { Sample } from './flatness.ts';

const sampleEverySeconds = 5;
const samplesPerLine = 6;

const serviceNames = ['DynamoDB Local', 'SQS', 'gateway'];
const runName = 'the run itself';

/** Returns whether processes of this kind run code that is deployed; all others stand in for AWS. */
export const isFunction = (kind: string): boolean => kind !== runName && !serviceNames.includes(kind);

/** The observations of a run, every five seconds. */
export interface Observations {
  /** Messages of the events queue. */
  readonly backlog: Sample[];
  /** Reports that are acknowledged and not on the bus yet. */
  readonly unpublished: Sample[];
  /** The resident memory of the largest process of each function and service, in MB (MiB). */
  readonly memory: Map<string, Sample[]>;
}

/** Watches a pipeline under load and prints a line every half minute; `stop` takes a last sample. @returns the seconds it took */
export function observe(run: Run) {
  const { ledger, published, pipeline } = run;
  const observations: Observations = { backlog: [], unpublished: [], memory: new Map() };
  const startedAt = performance.now();
  const before = ledger.acknowledged;
  const sample = async () => {
    const seconds = (performance.now() - startedAt) / 1000;
    const backlog = await run.backlog();
    await run.readBus();
    const unpublished = ledger.acknowledged - published.reports;
    const memory = largestByKind(pipeline.directory);
    observations.backlog.push({ seconds, value: backlog });
    observations.unpublished.push({ seconds, value: unpublished });
    for (const [kind, value] of memory) {
      const row = observations.memory.get(kind) ?? [];
      observations.memory.set(kind, row);
      row.push({ seconds, value });
    }
    if (observations.backlog.length % samplesPerLine !== 0) return;
    const columns = [
      `${seconds.toFixed(0).padStart(5)} s  ${ledger.acknowledged - before} acknowledged`,
      `backlog ${backlog}`,
      `${unpublished} to be published`,
      `MB: ${[...memory].map(([kind, mb]) => `${kind} ${mb.toFixed(0)}`).join(', ')}`,
    ];
    console.log(columns.join('  '));
  };
  let sampling = sample();
  const next = () => {
    sampling = sampling.then(sample).catch((error) => console.error(`no sample: ${error}`));
  };
  const timer = setInterval(next, sampleEverySeconds * 1000);
  return {
    observations,
    stop: async (): Promise<number> => {
      clearInterval(timer);
      await sampling;
      await sample();
      return (performance.now() - startedAt) / 1000;
    },
  };
}

function largestByKind(directory: string): Map<string, number> {
  const record: RunRecord = JSON.parse(readFileSync(join(directory, 'processes.json'), 'utf8'));
  const largest = new Map<string, number>();
  for (const { name, pid } of [...record.processes, { name: runName, pid: record.pid }])
    largest.set(name, Math.max(largest.get(name) ?? 0, residentMb(pid)));
  return largest;
}

/** Of a process that has just ended, nothing (Linux). */
function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
