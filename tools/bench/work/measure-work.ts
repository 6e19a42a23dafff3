import { join } from 'node:path';
import { hostEnvironment } from '../../../local/function-hosts/environment.ts';
import { median } from '../../support/statistics.ts';
import { startFakeAws } from '../servers/fake-aws.ts';
import { type PerMessage, queueRecord, type Report, reportsOf, streamRecord } from './records.ts';
import { startWorkProcess } from './start-work-process.ts';

export type WorkFunction = 'worker' | 'publisher';

/** The input of a function. */
export interface WorkShape {
  readonly name: WorkFunction;
  /** Records of one invocation. */
  readonly batchSize: number;
  /** Events of a message beside each other. */
  readonly perMessage: PerMessage;
}

export interface WorkRow extends WorkShape {
  /** Processor time of the function's process for an event: the median over the rounds. */
  readonly cpuMicroseconds: number;
  /** Calls of the SDK for an event. */
  readonly sdkCalls: number;
}

export interface WorkSettings {
  /** The functions' bundles: a folder each. */
  readonly functions: string;
  readonly rounds: number;
  /** Events of each shape in each round; a batch's at least. */
  readonly events: number;
  readonly signal: AbortSignal;
  readonly note: (line: string) => void;
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
export async function measureWork({
  functions,
  rounds,
  events,
  signal,
  note,
}: WorkSettings): Promise<WorkRow[]> {
  const aws = await startFakeAws('unused');
  const start = (name: WorkFunction) =>
    startWorkProcess({
      bundle: join(functions, name),
      environment: workEnvironment(name, aws.url),
      answer: '"batchItemFailures":[]',
      signal,
    });
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
      note(round === 0 ? 'a round to warm up is over' : `round ${round} of ${rounds} is over`);
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
export function batchesOf({ name, batchSize, perMessage }: WorkShape, events: number, first: number) {
  const batches = Math.max(1, Math.floor(events / batchSize));
  const made = reportsOf(batches * batchSize, perMessage, first).map(records[name]);
  return Array.from({ length: batches }, (_, index) =>
    made.slice(index * batchSize, (index + 1) * batchSize),
  );
}

/** Returns the environment that a template would declare, and the endpoints of AWS. */
export function workEnvironment(name: WorkFunction, awsUrl: string): Record<string, string> {
  const definition = {
    name,
    label: name,
    accessKeyId: 'bench',
    codeDirectory: '/var/task',
    handler: 'index.handler',
    timeoutSeconds: 30,
    memoryMegabytes: 512,
    jsonLogs: { applicationLevel: 'INFO' },
    environment: {
      POWERTOOLS_SERVICE_NAME: name,
      POWERTOOLS_METRICS_NAMESPACE: 'SmsPipeline',
      EVENTS_QUEUE_URL: `${awsUrl}/000000000000/events`,
      FAILURES_QUEUE_URL: `${awsUrl}/000000000000/failures`,
      HISTORY_TABLE_NAME: 'history',
      QUARANTINE_TABLE_NAME: 'quarantine',
      WEBHOOK_STATE_TABLE_NAME: 'state',
      WEBHOOK_SECRET_ID: 'webhook',
      RETENTION_DAYS: '400',
      QUARANTINE_RETENTION_DAYS: '90',
      WORKLIST_SHARDS: '16',
      REGISTRATION: 'on',
      EVENT_BUS_NAME: 'bus',
      EVERY_EVENT: 'off',
    },
  };
  return hostEnvironment(definition, { DYNAMODB: awsUrl, SQS: awsUrl, EVENTBRIDGE: awsUrl });
}
