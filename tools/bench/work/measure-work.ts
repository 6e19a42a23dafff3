import { join } from 'node:path';
import { median } from '../../support/statistics.ts';
import { renderTable } from '../../support/table.ts';
import { startFakeAws } from '../fake-aws.ts';
import { functionEnvironment } from '../function-environment.ts';
import type { Report } from '../reports.ts';
import type { Target } from '../targets.ts';
import { type PerMessage, queueRecord, reportsOf, streamRecord } from './records.ts';
import { startWorkProcess } from './start-work-process.ts';

type WorkFunction = 'worker' | 'publisher';

/** The input of a function. */
interface WorkShape {
  readonly name: WorkFunction;
  /** Records of one invocation. */
  readonly batchSize: number;
  /** Events of a message beside each other. */
  readonly perMessage: PerMessage;
}

interface WorkRow extends WorkShape {
  /** Processor time of the function's process for an event: the median over the rounds. */
  readonly cpuMicroseconds: number;
  /** Calls of the SDK for an event. */
  readonly sdkCalls: number;
}

interface WorkSettings {
  /** The functions' bundles: a folder each. */
  readonly functions: string;
  readonly rounds: number;
  /** Events of each shape in each round; a batch's at least. */
  readonly events: number;
}

const batchSizes = [1, 10, 100, 1000] as const;

const records: Readonly<Record<WorkFunction, (report: Report, place: number) => unknown>> = {
  worker: queueRecord,
  publisher: streamRecord,
};

const workShapes: readonly WorkShape[] = (['worker', 'publisher'] as const).flatMap((name) =>
  ([1, 3] as const).flatMap((perMessage) => batchSizes.map((batchSize) => ({ name, batchSize, perMessage }))),
);

/** Runs worker and publisher, each in one warm process, through every shape once a round. */
export async function measureWork({ functions, rounds, events }: WorkSettings): Promise<WorkRow[]> {
  const aws = await startFakeAws();
  const start = (name: WorkFunction) => {
    const bundle = join(functions, name);
    return startWorkProcess(bundle, functionEnvironment(name, bundle, aws.url));
  };
  const processes = { worker: start('worker'), publisher: start('publisher') };
  const taken = new Map(workShapes.map((shape) => [shape, { cpu: [] as number[], calls: 0, events: 0 }]));
  let nextMessage = 0;
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const [shape, figures] of taken) {
        const batches = batchesOf(shape, events, nextMessage);
        const count = batches.flat().length;
        nextMessage += count;
        const callsBefore = aws.calls();
        const cpu = await processes[shape.name].run(batches.map((batch) => ({ Records: batch })));
        // In the first round the code is not compiled yet.
        if (round === 0) continue;
        figures.cpu.push(cpu / count);
        figures.calls += aws.calls() - callsBefore;
        figures.events += count;
      }
      console.error(`work round ${round} of ${rounds} is over`);
    }
  } finally {
    await Promise.all([processes.worker.stop(), processes.publisher.stop()]);
    await aws.stop();
  }
  return [...taken].map(([shape, figures]) => ({
    ...shape,
    cpuMicroseconds: median(figures.cpu),
    sdkCalls: figures.calls / figures.events,
  }));
}

/** Whole batches with so many events in all, but one at least. */
function batchesOf({ name, batchSize, perMessage }: WorkShape, events: number, first: number) {
  const batches = Math.max(1, Math.floor(events / batchSize));
  const made = reportsOf(batches * batchSize, perMessage, first).map(records[name]);
  return Array.from({ length: batches }, (_, index) =>
    made.slice(index * batchSize, (index + 1) * batchSize),
  );
}

/** The targets that are about the worker. */
export function workTargets(rows: readonly WorkRow[]): Target[] {
  const row = rows.find(
    ({ name, batchSize, perMessage }) => name === 'worker' && batchSize === 100 && perMessage === 3,
  );
  if (row === undefined) throw new Error('no figures of the worker in batches of 100');
  const of = 'worker in batches of 100, 3 events a message';
  return [
    { name: `${of}, CPU per event`, value: row.cpuMicroseconds / 1000, most: 0.6, unit: 'ms' },
    { name: `${of}, SDK calls per event`, value: row.sdkCalls, most: 0.4, unit: '' },
  ];
}

export function renderWork(rows: readonly WorkRow[]): string {
  const table = renderTable([
    ['', 'events a message', 'batch', 'CPU per event, us', 'SDK calls per event'],
    ...rows.map(({ name, perMessage, batchSize, cpuMicroseconds, sdkCalls }) => [
      name,
      String(perMessage),
      String(batchSize),
      cpuMicroseconds.toFixed(0),
      sdkCalls.toFixed(3),
    ]),
  ]);
  return `${table}\nAll calls go over plain HTTP: TLS is in no figure.`;
}
