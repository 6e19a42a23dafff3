import type { Counters } from '../../../../../tools/bench/cost/counters.ts';
import type { CostModel } from '../../../../../tools/bench/cost/model.ts';
import type { Sample } from '../../../../../tools/bench/cost/sample.ts';
import type { Scenario } from '../../../../../tools/bench/cost/scenario.ts';
import type { TemplateFacts } from '../../../../../tools/bench/cost/template-facts.ts';

const facts: TemplateFacts = {
  memory: { ingest: 512, worker: 512, publisher: 512, setup: 256 },
  ...{ systemLogLevel: 'WARN', accessLogFormat: 'x'.repeat(100) },
  worker: { batchSize: 100, windowSeconds: 1, parallelism: 1 },
  publisher: { batchSize: 100, windowSeconds: 1, parallelism: 2 },
  insights: undefined,
  ...{ polledQueues: 2, alarms: 20, compositeAlarms: 2, dashboards: 1, secrets: 2, archives: 1 },
  scheduledRunsPerMonth: 8760,
};

export const scenario: Scenario = {
  ...facts,
  ...{ retentionDays: 365, archiveDays: 30, logRetentionDays: 30 },
  ...{ isBackedUp: true, isInfrequentAccess: false, isTraced: false, hasCustomerKey: false },
  ...{ forwards: false, tellsEveryEvent: false },
};

const line = { bytes: 300, lines: 1 };

/** Round figures, near real ones. */
export const model: CostModel = {
  functions: {
    ingest: {
      ...{ memoryMiB: 512, cpuMs: { perInvocation: 2, perEvent: 0 }, waitMs: 5 },
      ownLines: { bytes: 0, lines: 0 },
    },
    worker: { memoryMiB: 512, cpuMs: { perInvocation: 2, perEvent: 1 }, waitMs: 10, ownLines: line },
    publisher: { memoryMiB: 512, cpuMs: { perInvocation: 2, perEvent: 0.5 }, waitMs: 10, ownLines: line },
  },
  event: {
    ...{ sqsSends: 1, publishedEvents: 1, publishedBytes: 500 },
    writeUnitsBy: { table: 1, byPhone: 0.5, bySend: 0.5, byWorklist: 0.5 },
    ...{ writeUnits: 2.5, readUnits: 0, tableBytes: 300, indexBytes: 200 },
  },
  openBatches: { messagesPerEvent: 0, ownBytes: 0, messageBytes: 0 },
  metrics: 10,
};

/** Returns the counters of so many events in so many batches: 2 ms of CPU an invocation and 1 ms an event. */
export function counted(events: number, batches: number): Counters {
  const counters = new Map([
    ['published', events],
    ['ingest invocations', events],
    ['ingest cpuMs', 2 * events],
    ['ingest billedMs', 7 * events],
    ['ingest SendMessage requestChunks', events],
    ['worker UpdateItem calls', events],
    ['publisher PutEvents requestBytes', 500 * events],
    ['person UpdateItem calls', 1000],
  ]);
  for (const name of ['worker', 'publisher']) {
    counters.set(`${name} invocations`, batches);
    counters.set(`${name} cpuMs`, 2 * batches + events);
    counters.set(`${name} billedMs`, 12 * batches + events);
    counters.set(`${name} logLines`, batches);
    counters.set(`${name} logBytes`, batches * 300);
  }
  return counters;
}

export const sample: Sample = {
  busy: { events: 1000, counters: counted(1000, 10) },
  alone: { events: 30, counters: counted(30, 30) },
  stored: {
    ...{ writes: 1500, events: 1500, items: 500, itemBytes: 350_000 },
    ...{ indexEntries: 1000, indexBytes: 100_000 },
    units: { table: 1500, byPhone: 500, byWorklist: 1000, bySend: 500 },
  },
  facts,
  metrics: ['worker EventsStored', 'publisher EventsPublished'],
};
