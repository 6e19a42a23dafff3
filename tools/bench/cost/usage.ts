import { insightsPerEvent } from '../insights/usage.ts';
import { measuredFunctions } from './counters.ts';
import { logBytesPerEvent } from './log-bytes.ts';
import { type CostModel, type FunctionModel, itemOverheadBytes } from './model.ts';
import type { Billable } from './prices.ts';
import type { Scenario } from './scenario.ts';

/** Units of what is billed. */
export type Units = Partial<Record<Billable, number>>;

/** The seconds of a month of 730 hours. */
export const secondsPerMonth = 730 * 3600;
const daysPerMonth = secondsPerMonth / 86_400;
const gigabyte = 1e9;

/** Assumed of the answer to a request. */
const answerBytes = 600;
/** Long polls that Lambda keeps open at a queue, each of 20 seconds (Lambda Developer Guide, "Using Lambda with Amazon SQS"). */
const pollers = 5;
const longPollSeconds = 20;
/** The maximum messages of one receive, and of one delete. */
const receiveLimit = 10;
/** Writes a second that one partition, and so a shard of its stream, takes. */
const shardWritesPerSecond = 1000;
/** Lambda polls a shard of a stream four times a second (Lambda Developer Guide, "Using Lambda with Amazon DynamoDB"). */
const streamPollSeconds = 0.25;
/** Memory at which Lambda gives a function one whole vCPU, which is all that one thread can use. */
const wholeCpuMiB = 1769;
/** Writes, and calls to the bus of ten events each, that are under way at once: what an invocation waits for in turn. */
const eventsAtOnce = { ingest: 1, worker: 32, publisher: 100 } as const;
/** The stored share of a received log. */
const logCompression = 0.15;
/** The prices of Standard-IA relative to Standard (DynamoDB pricing): storage, and units of reads and writes. */
const infrequentAccess = { storage: 0.4, units: 1.25 };
/** Assumed of a scheduled run. */
const scheduledRun = { gbSeconds: 0.25, secretCalls: 2, logBytes: 400 };
/** The assumed time of a call to a receiver's URL: 200 ms in 256 MiB. */
const forwardGbSeconds = 0.05;
/** X-Ray's default rule: the first of each second, and of the others so many. */
const tracedShare = 0.05;
/** Assumed: five services fetch a data key twice in five minutes each. */
const keyRequestsPerMonth = (2 * 5 * secondsPerMonth) / 300;

export interface Batches {
  /** Events of an invocation. */
  readonly worker: number;
  readonly publisher: number;
}

/** How many events come together, while so many come a second. */
export function batchesAt(perSecond: number, { worker, publisher }: Scenario): Batches {
  const gathered = (lanes: number, windowSeconds: number, most: number) =>
    Math.min(most, 1 + (perSecond * windowSeconds) / lanes);
  const lanes = Math.max(1, Math.ceil(perSecond / shardWritesPerSecond)) * publisher.parallelism;
  const eachPoll = (perSecond * streamPollSeconds) / lanes;
  return {
    worker: gathered(pollers, worker.windowSeconds, worker.batchSize),
    publisher:
      publisher.windowSeconds === 0
        ? // The mean of the polls that bring anything, of events that come at random.
          Math.min(publisher.batchSize, eachPoll === 0 ? 1 : eachPoll / -Math.expm1(-eachPoll))
        : gathered(lanes, publisher.windowSeconds, publisher.batchSize),
  };
}

/**
 * Milliseconds that Lambda bills for an invocation with so many events, at this memory: the CPU time of this machine at the share of
 * a vCPU that the memory buys, and what it waited here, once for each round of calls.
 */
export function billedMs(
  { cpuMs, waitMs }: FunctionModel,
  events: number,
  memoryMiB: number,
  atOnce: number,
): number {
  const cpu = cpuMs.perInvocation + cpuMs.perEvent * events;
  return Math.ceil(cpu * Math.max(1, wholeCpuMiB / memoryMiB) + waitMs * Math.ceil(events / atOnce));
}

/** GB-seconds for each event of a function. */
function gbSecondsPerEvent(name: keyof typeof eventsAtOnce, model: FunctionModel, events: number): number {
  const { memoryMiB } = model;
  return ((billedMs(model, events, memoryMiB, eventsAtOnce[name]) / 1000) * (memoryMiB / 1024)) / events;
}

/** The days for which an open batch is kept. */
const openBatchDays = 30;
/** The sweep reads a message once for each batch that notes it, eventually consistent. */
const sweepReadUnits = 0.5;

/** Returns what open batches take for each event, while so many events share a batch. */
export function openBatchPerEvent(
  { openBatches: { messagesPerEvent, ownBytes, messageBytes } }: CostModel,
  events: number,
): { readonly writeUnits: number; readonly bytes: number; readonly readUnits: number } {
  if (messagesPerEvent === 0) return { writeUnits: 0, bytes: 0, readUnits: 0 };
  // A batch without an open message has no item.
  const share = 1 - (1 - Math.min(1, messagesPerEvent)) ** events;
  const bytes = ownBytes + (messageBytes * messagesPerEvent * events) / share;
  return {
    writeUnits: (share * Math.ceil(bytes / 1024)) / events,
    bytes: (share * (bytes + itemOverheadBytes)) / events,
    readUnits: messagesPerEvent * sweepReadUnits,
  };
}

/** Returns the usage of an event at this rate, in these batches. Stored data counts for its whole retention. */
export function usagePerEvent(
  model: CostModel,
  scenario: Scenario,
  perSecond: number,
  batches: Batches = batchesAt(perSecond, scenario),
): Units {
  const { event, functions } = model;
  const invocations = { ingest: 1, worker: 1 / batches.worker, publisher: 1 / batches.publisher };
  const published = event.publishedEvents + (scenario.tellsEveryEvent ? 1 : 0);
  const archivedGb =
    scenario.archiveDays === 0 ? 0 : (event.publishedBytes * (published / event.publishedEvents)) / gigabyte;
  const logGb =
    logBytesPerEvent(
      scenario,
      {
        ingest: functions.ingest.ownLines,
        worker: functions.worker.ownLines,
        publisher: functions.publisher.ownLines,
      },
      batches,
    ) / gigabyte;
  const keptMonths = scenario.retentionDays / daysPerMonth;
  // On average over batches, so in parts. Receives are undocumented: assumed is that the first event of a batch comes alone.
  const receives = 1 + (batches.worker - 1) / receiveLimit;
  const deletes = Math.max(1, batches.worker / receiveLimit);
  const open = openBatchPerEvent(model, batches.worker);
  const openGbMonths = (open.bytes / gigabyte) * (openBatchDays / daysPerMonth);
  const counted = insightsPerEvent(scenario.insights, perSecond);
  const { storage, units } = scenario.isInfrequentAccess ? infrequentAccess : { storage: 1, units: 1 };
  // Each published event is sent to a queue, and read from there one by one.
  const forwarded = scenario.forwards ? published : 0;
  return {
    httpApiRequests: 1,
    dataOut: answerBytes / gigabyte,
    lambdaRequests:
      invocations.ingest + invocations.worker + invocations.publisher + counted.invocations + forwarded,
    lambdaGbSeconds:
      measuredFunctions.reduce(
        (sum, name) => sum + gbSecondsPerEvent(name, functions[name], 1 / invocations[name]),
        0,
      ) +
      counted.gbSeconds +
      forwarded * forwardGbSeconds,
    sqsRequests: event.sqsSends + (receives + deletes) / batches.worker + 3 * forwarded,
    dynamoDbWriteUnits: event.writeUnits * units + open.writeUnits + counted.writeUnits,
    dynamoDbReadUnits: (event.readUnits + open.readUnits) * units + counted.readUnits,
    dynamoDbStorage: ((event.tableBytes + event.indexBytes) / gigabyte) * keptMonths * storage + openGbMonths,
    dynamoDbBackup: (scenario.isBackedUp ? (event.tableBytes / gigabyte) * keptMonths : 0) + openGbMonths,
    eventBridgeEvents: published,
    eventBridgeArchived: archivedGb,
    eventBridgeArchive: archivedGb * (scenario.archiveDays / daysPerMonth),
    logsIngested: logGb,
    logsStorage: logGb * logCompression * (scenario.logRetentionDays / daysPerMonth),
    traces: scenario.isTraced
      ? Object.values(invocations).reduce((sum, each) => sum + each * tracedPart(perSecond * each), 0)
      : 0,
  };
}

function tracedPart(perSecond: number): number {
  return perSecond <= 1 ? 1 : (1 + tracedShare * (perSecond - 1)) / perSecond;
}

/** Returns the usage of a month without events. */
export function usagePerMonth(model: CostModel, scenario: Scenario): Units {
  const runs = scenario.scheduledRunsPerMonth;
  const logGb = (runs * scheduledRun.logBytes) / gigabyte;
  return {
    alarms: scenario.alarms,
    compositeAlarms: scenario.compositeAlarms,
    dashboards: scenario.dashboards,
    customMetrics: model.metrics,
    secrets: scenario.secrets,
    // One instance of ingest that is never idle asks once a minute.
    secretCalls: runs * scheduledRun.secretCalls + secondsPerMonth / 60,
    sqsRequests: scenario.polledQueues * pollers * (secondsPerMonth / longPollSeconds),
    lambdaRequests: runs,
    lambdaGbSeconds: runs * scheduledRun.gbSeconds,
    logsIngested: logGb,
    keys: scenario.hasCustomerKey ? 1 : 0,
    keyRequests: scenario.hasCustomerKey ? keyRequestsPerMonth : 0,
  };
}
