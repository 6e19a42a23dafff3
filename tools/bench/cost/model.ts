import { type MeasuredFunction, measuredFunctions } from './counters.ts';
import type { LogLines } from './log-bytes.ts';
import type { Phase, Sample } from './sample.ts';

/** The cost of an invocation: a fixed part, and a part for each of its events. */
interface Linear {
  readonly perInvocation: number;
  readonly perEvent: number;
}

export interface FunctionModel {
  readonly memoryMiB: number;
  /** CPU milliseconds on this machine. */
  readonly cpuMs: Linear;
  /** Milliseconds that an invocation with one event waits for other services. */
  readonly waitMs: number;
  /** The fixed part of an invocation. */
  readonly ownLines: LogLines;
}

/** The units of an event, and those that depend on the size of its batch. */
export interface CostModel {
  readonly functions: Readonly<Record<MeasuredFunction, FunctionModel>>;
  /** The units of an event, on average over reports and replies. */
  readonly event: {
    readonly sqsSends: number;
    readonly publishedEvents: number;
    /** As they are sent to the bus, details, types and sources. */
    readonly publishedBytes: number;
    /** Without those of open batches. */
    readonly writeUnits: number;
    /** The part of the table and of each index, without writes that failed or changed nothing. */
    readonly writeUnitsBy: Readonly<Record<string, number>>;
    readonly readUnits: number;
    /** In the table, and in its indexes, with DynamoDB's overhead. */
    readonly tableBytes: number;
    readonly indexBytes: number;
  };
  /** What the worker notes of a batch. */
  readonly openBatches: {
    /** Messages that an event leaves without a final status. */
    readonly messagesPerEvent: number;
    /** Of an item: its own bytes, and those of each message. */
    readonly ownBytes: number;
    readonly messageBytes: number;
  };
  /** Custom metrics that healthy work emits. */
  readonly metrics: number;
}

/** DynamoDB's for an item, and for an entry of an index (Developer Guide, "DynamoDB item sizes and formats"). */
export const itemOverheadBytes = 100;
const writeOperations = ['UpdateItem', 'PutItem', 'DeleteItem'];

/** The measurements, by event and by invocation. */
export function costModel({ busy, alone, stored, facts, metrics }: Sample): CostModel {
  const model = (name: MeasuredFunction): FunctionModel => {
    const [full, single] = [workOf(busy, name), workOf(alone, name)];
    const { cpuMs, invocations } = full;
    const billedMs = alone.counters.get(`${name} billedMs`) ?? 0;
    const each = (what: string) => (busy.counters.get(`${name} ${what}`) ?? 0) / invocations;
    return {
      memoryMiB: facts.memory[name] ?? 128,
      cpuMs: name === 'ingest' ? { perInvocation: cpuMs / invocations, perEvent: 0 } : partsOf(full, single),
      waitMs: Math.max(0, billedMs - single.cpuMs) / single.invocations,
      ownLines: { bytes: each('logBytes'), lines: each('logLines') },
    };
  };
  const perEvent = (counter: string) => (busy.counters.get(counter) ?? 0) / busy.events;
  const ofWorker = (what: string) =>
    writeOperations.reduce((sum, operation) => sum + perEvent(`worker ${operation} ${what}`), 0);
  const writeUnitsBy = Object.entries(stored.units).map(
    ([name, units]) => [name, units / stored.events] as const,
  );
  const changing = stored.writes / stored.events;
  const failing = ofWorker('failed');
  const noted = (what: string) => busy.counters.get(`openBatches ${what}`) ?? 0;
  return {
    functions: { ingest: model('ingest'), worker: model('worker'), publisher: model('publisher') },
    event: {
      sqsSends: perEvent('ingest SendMessage requestChunks'),
      publishedEvents: perEvent('published'),
      publishedBytes: perEvent('publisher PutEvents requestBytes'),
      // A write that fails or changes nothing costs one unit: no item of the sample is larger.
      writeUnits:
        writeUnitsBy.reduce((sum, [, units]) => sum + units, 0) +
        failing +
        Math.max(0, ofWorker('calls') - perEvent('openBatches items') - failing - changing),
      writeUnitsBy: Object.fromEntries(writeUnitsBy),
      readUnits: measuredFunctions.reduce(
        (sum, name) => sum + perEvent(`${name} GetItem calls`) + perEvent(`${name} Query calls`),
        0,
      ),
      tableBytes: (stored.itemBytes + stored.items * itemOverheadBytes) / stored.events,
      indexBytes: (stored.indexBytes + stored.indexEntries * itemOverheadBytes) / stored.events,
    },
    openBatches: {
      messagesPerEvent: perEvent('openBatches messages'),
      ownBytes: (noted('bytes') - noted('messageBytes')) / Math.max(1, noted('items')),
      messageBytes: noted('messageBytes') / Math.max(1, noted('messages')),
    },
    metrics: metrics.length,
  };
}

/** What a function did in a measurement. */
interface Work {
  readonly invocations: number;
  readonly cpuMs: number;
  readonly events: number;
}

/**
 * Computes the cost of an invocation and of an event from two measurements with different batches. None is below zero: of what little there is
 * to an invocation, noise may make less than nothing.
 */
export function partsOf(full: Work, single: Work): Linear {
  const determinant = full.invocations * single.events - single.invocations * full.events;
  if (determinant === 0) return { perInvocation: full.cpuMs / full.invocations, perEvent: 0 };
  const perEvent = (full.invocations * single.cpuMs - single.invocations * full.cpuMs) / determinant;
  const perInvocation = (full.cpuMs * single.events - single.cpuMs * full.events) / determinant;
  if (perEvent < 0) return { perInvocation: full.cpuMs / full.invocations, perEvent: 0 };
  if (perInvocation < 0) return { perInvocation: 0, perEvent: full.cpuMs / full.events };
  return { perInvocation, perEvent };
}

function workOf({ counters, events }: Phase, name: MeasuredFunction): Work {
  const invocations = counters.get(`${name} invocations`) ?? 0;
  if (invocations === 0) throw new Error(`${name} was not invoked in the sample`);
  return { invocations, cpuMs: counters.get(`${name} cpuMs`) ?? 0, events };
}
