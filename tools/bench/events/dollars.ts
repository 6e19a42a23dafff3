import { readSettings } from '../../../lib/app/read-settings.ts';
import { costOf, type Units } from '../prices.ts';
import { type EventUsage, type FunctionName, functionNames } from './event-usage.ts';

const monthDays = 365 / 12;
/** Memory at which Lambda gives a function one whole vCPU, which is all that one thread can use. */
const wholeCpuMiB = 1769;
/** Assumed: the milliseconds that an invocation waits for other services. */
const waitMs = 10;
/** Calls of SQS for a batch, at most: two receives and a delete. A batch has ten messages at most. */
const callsPerBatch = 3;
/** A line of the API's access log for an accepted request, with CloudWatch's 26 bytes. */
const accessLogBytes = 179;
/** What insights cost in sends of 1,000 messages at 50 events a second, US dollars a million (docs/reference/cost.md). */
const insightsDollars = 0.21;

/** Returns the price of a million events with default settings, and of storing them as long as they are kept. Reads are left out. */
export function dollarsOf(usage: EventUsage): number {
  const units = Object.entries(unitsOf(usage)) as [keyof Units, number][];
  return 1e6 * units.reduce((sum, [billable, amount]) => sum + costOf(billable, amount), 0) + insightsDollars;
}

/** Returns the units of one event. */
function unitsOf(usage: EventUsage): Units {
  const { cpuMs, invocations, memoryMiB, publishedEvents } = usage;
  const billedGbSeconds = (name: FunctionName) => {
    const ms = cpuMs[name] * Math.max(1, wholeCpuMiB / memoryMiB[name]) + waitMs * invocations[name];
    return (ms / 1000) * (memoryMiB[name] / 1024);
  };
  const months = readSettings({}).retentionDays / monthDays;
  return {
    httpApiRequests: 1,
    lambdaRequests: functionNames.reduce((sum, name) => sum + invocations[name], 0),
    lambdaGbSeconds: functionNames.reduce((sum, name) => sum + billedGbSeconds(name), 0),
    sqsRequests: 1 + callsPerBatch * invocations.worker,
    dynamoDbWriteUnits: usage.writeUnits,
    dynamoDbStorage: ((usage.tableBytes + usage.indexBytes) / 1e9) * months,
    dynamoDbBackup: (usage.tableBytes / 1e9) * months,
    eventBridgeEvents: publishedEvents,
    logsIngested: (usage.logBytes + accessLogBytes) / 1e9,
  };
}
