import { type Counters, type FunctionWork, type MeasuredFunction, measuredFunctions } from './counters.ts';
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
    readonly apiRequests: number;
    readonly answerBytes: number;
    readonly sqsSends: number;
    readonly publishedEvents: number;
    /** As they are sent to the bus, details, types and sources. */
    readonly publishedBytes: number;
    readonly writeUnits: number;
    /** The part of the table and of each index, without writes that failed or changed nothing. */
    readonly writeUnitsBy: Readonly<Record<string, number>>;
    readonly readUnits: number;
    /** In the table, and in its indexes, with DynamoDB's overhead. */
    readonly tableBytes: number;
    readonly indexBytes: number;
  };
  /** Custom metrics that healthy work emits. */
  readonly metrics: number;
}

/** API Gateway meters a request by so many bytes, body and headers. */
const apiRequestBytes = 512 * 1024;
/** Assumed of a request's and of an answer's head. */
const headBytes = 600;
/** DynamoDB's for an item, and for an entry of an index (Developer Guide, "DynamoDB item sizes and formats"). */
const itemOverheadBytes = 100;

/** The measurements, by event and by invocation. */
export function costModel({ busy, alone, stored, facts, metrics }: Sample): CostModel {
  const model = (name: MeasuredFunction): FunctionModel => {
    const [full, single] = [workOf(busy, name), workOf(alone, name)];
    return {
      memoryMiB: facts.memory[name] ?? 128,
      cpuMs: name === 'ingest' ? eachAlone(full) : partsOf([full, busy.events], [single, alone.events]),
      waitMs: Math.max(0, single.billedMs - single.cpuMs) / single.invocations,
      ownLines: {
        bytes: full.logBytes / full.invocations,
        lines: full.logLines / full.invocations,
      },
    };
  };
  const { events } = busy;
  const perEvent = (
    caller: string,
    operation: string,
    what: 'calls' | 'failed' | 'requestBytes' | 'requestChunks',
  ) => sumOf(busy.counters, caller, operation, what) / events;
  const writes = ['UpdateItem', 'PutItem', 'DeleteItem'];
  const ofWorker = (what: 'calls' | 'failed') =>
    writes.reduce((sum, operation) => sum + perEvent('worker', operation, what), 0);
  const changing = stored.writes / stored.events;
  const failing = ofWorker('failed');
  return {
    functions: { ingest: model('ingest'), worker: model('worker'), publisher: model('publisher') },
    event: {
      apiRequests: Math.ceil((busy.requestBytes / events + headBytes) / apiRequestBytes),
      answerBytes: headBytes,
      sqsSends: perEvent('ingest', 'SendMessage', 'requestChunks'),
      publishedEvents: busy.counters.published / events,
      publishedBytes: perEvent('publisher', 'PutEvents', 'requestBytes'),
      // A write that fails or changes nothing costs one unit: no item of the sample is larger.
      writeUnits:
        Object.values(stored.units).reduce((sum, units) => sum + units, 0) / stored.events +
        failing +
        Math.max(0, ofWorker('calls') - failing - changing),
      writeUnitsBy: Object.fromEntries(
        Object.entries(stored.units).map(([name, units]) => [name, units / stored.events]),
      ),
      readUnits: measuredFunctions.reduce(
        (sum, name) => sum + perEvent(name, 'GetItem', 'calls') + perEvent(name, 'Query', 'calls'),
        0,
      ),
      tableBytes: (stored.itemBytes + stored.items * itemOverheadBytes) / stored.events,
      indexBytes: (stored.indexBytes + stored.indexEntries * itemOverheadBytes) / stored.events,
    },
    metrics: metrics.length,
  };
}

type Batches = readonly [work: Pick<FunctionWork, 'cpuMs' | 'invocations'>, events: number];

/**
 * Computes the cost of an invocation and of an event from two measurements with different batches. None is below zero: of what little there is
 * to an invocation, noise may make less than nothing.
 */
export function partsOf([full, fullEvents]: Batches, [single, singleEvents]: Batches): Linear {
  const determinant = full.invocations * singleEvents - single.invocations * fullEvents;
  if (determinant === 0) return { perInvocation: full.cpuMs / full.invocations, perEvent: 0 };
  const perEvent = (full.invocations * single.cpuMs - single.invocations * full.cpuMs) / determinant;
  const perInvocation = (full.cpuMs * singleEvents - single.cpuMs * fullEvents) / determinant;
  if (perEvent < 0) return { perInvocation: full.cpuMs / full.invocations, perEvent: 0 };
  if (perInvocation < 0) return { perInvocation: 0, perEvent: full.cpuMs / fullEvents };
  return { perInvocation, perEvent };
}

function eachAlone({ cpuMs, invocations }: FunctionWork): Linear {
  return { perInvocation: cpuMs / invocations, perEvent: 0 };
}

function workOf({ counters }: Phase, name: MeasuredFunction): FunctionWork {
  const work = counters.functions[name];
  if (work === undefined || work.invocations === 0) throw new Error(`${name} was not invoked in the sample`);
  return work;
}

function sumOf(
  { calls }: Counters,
  caller: string,
  operation: string,
  what: 'calls' | 'failed' | 'requestBytes' | 'requestChunks',
): number {
  return calls
    .filter((call) => call.caller === caller && call.operation === operation)
    .reduce((sum, call) => sum + call[what], 0);
}
