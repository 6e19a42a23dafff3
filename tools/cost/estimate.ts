import type { EventUsage, FunctionName, MeasuredUsage } from './event-usage.ts';
import { eventsPerMessage, idleLookupsCost, lookupsCost } from './lookups.ts';
import measured from './measured-usage.json' with { type: 'json' };
import { type Billable, costOf, freeOf } from './prices.ts';
import { type CostSettings, defaultSettings } from './settings.ts';

/** What a month's cost is computed from. */
export interface Traffic {
  /** Reports and replies a month. */
  readonly events: number;
  /** The share of them that belongs to large sends, from 0 to 1. The others are spread evenly over the month. */
  readonly inSends: number;
}

/** A service, what the pipeline uses of it in a month, and what this costs. */
export interface CostLine {
  readonly service: string;
  readonly use: string;
  readonly dollars: number;
}

export interface Estimate {
  readonly lines: readonly CostLine[];
  /** The sum of the lines, in US dollars a month. */
  readonly dollars: number;
  /** The same with what AWS gives each account free for good, if the account uses it for nothing else. */
  readonly dollarsWithAlwaysFree: number;
}

/** Returns the reports and replies of so many messages. */
export const eventsOf = (messages: number): number => messages * eventsPerMessage;

/** What an estimate never contains. */
export const leftOut = [
  'taxes',
  'what the SMS service charges for sending',
  'reads, data transfer and the archive of the bus, which are about 0.10 dollars a million events',
  'the console, further sources, exports to S3 with Athena, and automations other than forwarding and the delivery watch',
] as const;

const monthSeconds = (365 / 12) * 24 * 3600;
const monthDays = 365 / 12;
const monthHours = monthDays * 24;

/** Memory at which Lambda gives a function one whole vCPU, which is all that one thread can use. */
const wholeCpuMiB = 1769;
/** Assumed: the milliseconds that an invocation waits for other services. */
const waitMs = 10;
/** Calls of SQS for a batch, at most: two receives and a delete. A batch has ten messages at most. */
const callsPerBatch = 3;
/** A line of the API's access log for an accepted request, with CloudWatch's 26 bytes. */
const accessLogBytes = 179;
/** Lambda's own lines of an invocation, its start and its report, with CloudWatch's 26 bytes for each. */
const invocationLogBytes = 494;
/** The rate at which the reports of a large send arrive, in events a second. */
const sendRate = 50;

/** What insights cost in sends of 1,000 messages, at most: dollars for an event. It was simulated on 2026-11-23. */
const insightsInSends = 0.21e-6;
/**
 * What one transaction of insights uses: three items (a shard's position, a quarter hour, and a day), each of which a transaction writes twice.
 * Assumed: it runs for 40 ms with 512 MB. Events share it if they arrive within 15 seconds in the same of four shards, with which DynamoDB
 * begins a stream.
 */
const transaction = { writeUnits: 6, readUnits: 2, gbSeconds: 0.02, seconds: 15, shards: 4 };

/** X-Ray's default rule traces the first request of each second, and one in twenty of the others. */
const tracedShare = 0.05;

/** An event that is forwarded is sent, received and deleted. Assumed: the receiver answers within 200 ms, with 256 MB. */
const forwarding = { sqsRequests: 3, gbSeconds: 0.05 };

/** Lambda keeps five long polls of 20 seconds open at each queue (Lambda Developer Guide, "Using Lambda with Amazon SQS"). */
const pollsPerMonth = 5 * (monthSeconds / 20);
/** The sweep runs each hour, and registration every five minutes. Assumed: a run uses a second with 256 MB, and reads two secrets. */
const sweepsPerMonth = monthSeconds / 3600;
const registrationRunsPerMonth = monthSeconds / 300;
const scheduledRun = { gbSeconds: 0.25, secretCalls: 2 };
/** An instance of ingest that is never idle reads the secret once a minute. */
export const secretReadsPerMonth = monthSeconds / 60;
/** The delivery watch runs every two minutes. Assumed: 300 ms with 512 MB. */
const watchRunsPerMonth = monthSeconds / 120;
const watchGbSeconds = 0.15;
/** Assumed: five services fetch a data key twice in five minutes each. */
const keyRequestsPerMonth = 2 * 5 * (monthSeconds / 300);

/**
 * Returns what a pipeline has although no event arrives: the numbers of what AWS bills by the month. test/infra/tools/cost.test.ts compares
 * them with the templates.
 */
export function fixedParts(settings: CostSettings) {
  const { insights, accessLog, registration, deliveryWatch, forwardUrl, dashboard, encryptionKey } = settings;
  const isOn = (setting: 'on' | 'off', count: number) => (setting === 'on' ? count : 0);
  return {
    alarmMetrics:
      21 +
      isOn(insights, 1) +
      isOn(accessLog, 2) +
      isOn(registration, 2) +
      isOn(deliveryWatch, 2) +
      isOn(forwardUrl, 5),
    compositeAlarms: 2,
    dashboards: isOn(dashboard, 1),
    /** The webhook's, that of the API key, which you create, and that of forwarding. */
    secrets: 1 + isOn(registration, 1) + isOn(forwardUrl, 1),
    polledQueues: 2 + isOn(forwardUrl, 1),
    keys: encryptionKey === 'customer' ? 1 : 0,
  };
}

/** Custom metrics that a healthy pipeline emits while events arrive. CloudWatch bills a metric for the hours in which it receives any (pricing page). */
export const customMetrics = 8;

/** Computes what a pipeline costs in a month, once its storage is as large as its retention makes it. */
export function estimate(
  { events, inSends }: Traffic,
  changes: Partial<CostSettings> = {},
  usage: MeasuredUsage = measured,
): Estimate {
  const settings = { ...defaultSettings, ...changes };
  const sent = events * inSends;
  const spread = events - sent;
  /** The sum over both kinds of traffic. */
  const ofBoth = (use: (each: EventUsage) => number) => sent * use(usage.inSends) + spread * use(usage.alone);
  const fixed = fixedParts(settings);
  const months = settings.retentionDays / monthDays;

  const publishedByDefault = ofBoth((each) => each.publishedEvents);
  const published = publishedByDefault + (settings.everyEvent === 'on' ? events : 0);
  // The default of `forwardDetailTypes` leaves out what `everyEvent` adds.
  const forwarded = settings.forwardUrl === 'on' ? publishedByDefault : 0;
  const invocations = ofBoth((each) => sumOf(each.invocations));
  const runs = sweepsPerMonth + (settings.registration === 'on' ? registrationRunsPerMonth : 0);
  const watchRuns = settings.deliveryWatch === 'on' ? watchRunsPerMonth : 0;

  const requests = invocations + forwarded + runs + watchRuns;
  const gbSeconds =
    ofBoth(gbSecondsOf) +
    forwarded * forwarding.gbSeconds +
    runs * scheduledRun.gbSeconds +
    watchRuns * watchGbSeconds;
  const sqsRequests =
    ofBoth((each) => 1 + callsPerBatch * each.invocations.worker) +
    forwarded * forwarding.sqsRequests +
    fixed.polledQueues * pollsPerMonth;
  const writeUnits = ofBoth((each) => each.writeUnits);
  const tableGb = (ofBoth((each) => each.tableBytes) * months) / 1e9;
  const indexGb = (ofBoth((each) => each.indexBytes) * months) / 1e9;
  const isInfrequent = settings.historyTableClass === 'infrequent-access';
  const logGb =
    (ofBoth((each) => each.logBytes) +
      (settings.accessLog === 'on' ? events * accessLogBytes : 0) +
      (settings.invocationLogs === 'on' ? (requests - runs - watchRuns) * invocationLogBytes : 0)) /
    1e9;
  // An event causes at most one of each, so few events cause few.
  const secretCalls = Math.min(secretReadsPerMonth, events) + runs * scheduledRun.secretCalls;
  const metricMonths = customMetrics * Math.min(1, events / monthHours);

  const used = new Map<Billable, number>();
  const line = (service: string, use: string, ...billed: [Billable, number][]): CostLine => {
    for (const [billable, units] of billed) used.set(billable, (used.get(billable) ?? 0) + units);
    return {
      service,
      use,
      dollars: billed.reduce((sum, [billable, units]) => sum + costOf(billable, units), 0),
    };
  };
  const lines = [
    line('API Gateway', `${count(events)} requests`, ['httpApiRequests', events]),
    line('EventBridge', `${count(published)} events`, ['eventBridgeEvents', published]),
    line('DynamoDB, writes to the history', `${count(writeUnits)} write units`, [
      isInfrequent ? 'dynamoDbInfrequentWriteUnits' : 'dynamoDbWriteUnits',
      writeUnits,
    ]),
    line(`DynamoDB, storage for ${settings.retentionDays} days`, `${decimal(tableGb + indexGb)} GB`, [
      isInfrequent ? 'dynamoDbInfrequentStorage' : 'dynamoDbStorage',
      tableGb + indexGb,
    ]),
    settings.recoveryDays > 0 &&
      line('DynamoDB, backups', `${decimal(tableGb)} GB`, ['dynamoDbBackup', tableGb]),
    line('SQS', `${count(sqsRequests)} requests`, ['sqsRequests', sqsRequests]),
    line(
      'Lambda',
      `${count(requests)} invocations, ${count(gbSeconds)} GB-seconds`,
      ['lambdaRequests', requests],
      ['lambdaGbSeconds', gbSeconds],
    ),
    settings.insights === 'on' && insightsLine(sent, spread),
    settings.lookups === 'on' && lookupsLine(events, settings.registration === 'on'),
    settings.tracing === 'on' && tracesLine(sent, spread, usage),
    line('CloudWatch, log lines', `${decimal(logGb)} GB`, ['logsIngested', logGb]),
    line(
      'CloudWatch, alarms',
      `${fixed.alarmMetrics} metrics, ${fixed.compositeAlarms} composite alarms`,
      ['alarmMetrics', fixed.alarmMetrics],
      ['compositeAlarms', fixed.compositeAlarms],
    ),
    metricMonths > 0 &&
      line('CloudWatch, metrics', `${customMetrics} metrics`, ['customMetrics', metricMonths]),
    fixed.dashboards > 0 && line('CloudWatch, dashboard', '1 dashboard', ['dashboards', fixed.dashboards]),
    line(
      'Secrets Manager',
      `${fixed.secrets} ${fixed.secrets === 1 ? 'secret' : 'secrets'}, ${count(secretCalls)} reads`,
      ['secrets', fixed.secrets],
      ['secretCalls', secretCalls],
    ),
    fixed.keys > 0 &&
      line(
        'KMS',
        `1 key, ${count(keyRequestsPerMonth)} requests`,
        ['keys', fixed.keys],
        ['keyRequests', keyRequestsPerMonth],
      ),
  ].filter((each) => each !== false);
  const dollars = lines.reduce((sum, each) => sum + each.dollars, 0);
  const free = [...used].reduce((sum, [billable, units]) => sum + freeOf(billable, units), 0);
  return { lines, dollars, dollarsWithAlwaysFree: dollars - free };
}

/** Returns the GB-seconds that Lambda bills for an event, at the share of a vCPU that the memory buys. */
function gbSecondsOf({ cpuMs, invocations, memoryMiB }: EventUsage): number {
  const ofFunction = (name: FunctionName) => {
    const ms = cpuMs[name] * Math.max(1, wholeCpuMiB / memoryMiB[name]) + waitMs * invocations[name];
    return (ms / 1000) * (memoryMiB[name] / 1024);
  };
  return ofFunction('ingest') + ofFunction('worker') + ofFunction('publisher');
}

function insightsLine(sent: number, spread: number): CostLine {
  const { writeUnits, readUnits, gbSeconds, seconds, shards } = transaction;
  const transactions = spread / (1 + (spread / monthSeconds / shards) * seconds);
  const dollars =
    costOf('dynamoDbWriteUnits', transactions * writeUnits) +
    costOf('dynamoDbReadUnits', transactions * readUnits) +
    costOf('lambdaRequests', transactions) +
    costOf('lambdaGbSeconds', transactions * gbSeconds);
  const use = `counts of ${count(sent + spread)} events`;
  return { service: 'Insights, in DynamoDB and Lambda', use, dollars: sent * insightsInSends + dollars };
}

/** Lookups of a service that lists 200 messages a page, as Twilio does. The secret with the API key is there if the pipeline registers its webhook. */
function lookupsLine(events: number, hasApiKey: boolean): CostLine {
  const { runs, alarm, metric, secret } = idleLookupsCost();
  const { all } = lookupsCost(events, { pageSize: 200, requestsPerSecond: 1 });
  return {
    service: 'Lookups',
    use: 'a run every 15 minutes, 200 messages a page',
    dollars: all + runs + alarm + metric + (hasApiKey ? 0 : secret),
  };
}

function tracesLine(sent: number, spread: number, usage: MeasuredUsage): CostLine {
  const tracesOf = (events: number, rate: number, { invocations }: EventUsage) =>
    Object.values(invocations).reduce((sum, each) => sum + events * each * tracedPart(rate * each), 0);
  const traces =
    tracesOf(sent, sendRate, usage.inSends) + tracesOf(spread, spread / monthSeconds, usage.alone);
  return { service: 'X-Ray', use: `${count(traces)} traces`, dollars: costOf('traces', traces) };
}

function tracedPart(perSecond: number): number {
  return perSecond <= 1 ? 1 : (1 + tracedShare * (perSecond - 1)) / perSecond;
}

const sumOf = (values: Readonly<Record<FunctionName, number>>) =>
  values.ingest + values.worker + values.publisher;

const count = (value: number) => new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 }).format(value);
const decimal = (value: number) => value.toFixed(2);
