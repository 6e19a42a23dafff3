import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pMap from 'p-map';
import * as z from 'zod';
import { loopbackUrl } from '../../local/aws-protocol/http.ts';
import {
  type EventUsage,
  type FunctionName,
  functionNames,
  type MeasuredUsage,
} from '../cost/event-usage.ts';
import { courseOf, replyEvent, timeOf } from '../engine/reports.ts';
import { Run } from '../engine/run.ts';
import { cpuMsOf } from '../support/cpu-time.ts';
import { functionsIn } from '../support/deployed-function.ts';
import { localBus } from '../support/local-bus.ts';
import { type LocalPipeline, lambdaMetricsSchema, withPipeline } from '../support/local-pipeline.ts';
import { storedWrites } from '../support/stored-writes.ts';
import { until } from '../support/until.ts';

const replyShare = 0.05;
const concurrency = 16;
/** DynamoDB's overhead of an item and of an entry of an index (Developer Guide, "DynamoDB item sizes and formats"). */
const itemOverheadBytes = 100;
/** The overhead of a log line (PutLogEvents, API Reference). */
const lineOverheadBytes = 26;

/** Of a message that is alone, each event waits for the one before, so that one in ten messages is enough. */
const shareOfAlone = 0.1;

/** Runs the stacks on this machine, sends messages with three reports each, in sends and one by one, and counts what was used. */
export async function measureUsage(messages: number): Promise<MeasuredUsage> {
  const inSends = await measure({}, messages, sendAll);
  // Without a window, a batch begins at once, and is the same as one that waited for a second event in vain.
  const oneByOne = { 'sms:workerBatchSize': '1', 'sms:workerBatchWindowSeconds': '0' };
  const alone = await measure(oneByOne, Math.ceil(messages * shareOfAlone), sendOneByOne);
  return { inSends, alone };
}

type Settings = Parameters<typeof withPipeline>[0];

function measure(settings: Settings, messages: number, send: typeof sendAll): Promise<EventUsage> {
  return withPipeline(settings, async (pipeline) => {
    const run = new Run(pipeline);
    // All processes have started, and their code is compiled, when counting begins.
    await send(run, Math.ceil(messages / 2));
    const before = await readCounters(pipeline);
    const events = await send(run, messages);
    const usage = usageOf(pipeline, events, before, await readCounters(pipeline));
    run.sender.close();
    return usage;
  });
}

/** Sends each event when the one before is published. @returns the number of events */
async function sendOneByOne(run: Run, messages: number): Promise<number> {
  let expected = await publishedBy(run);
  const begun = expected;
  const sendNext = async (deliver: () => Promise<unknown>) => {
    await deliver();
    expected += 1;
    await until('the event is published', async () => (await publishedBy(run)) >= expected, 300_000);
  };
  for (const course of coursesOf(messages))
    for (const report of course) await sendNext(() => run.sender.deliver(report));
  for (let index = 0; index < repliesTo(messages); index += 1)
    await sendNext(() => run.sender.deliverOther(replyEvent(phoneOf(index), replyText)));
  return expected - begun;
}

const repliesTo = (messages: number) => Math.round((messages * 3 * replyShare) / (1 - replyShare));
const publishedBy = async ({ bus }: Run) => (await bus.publishedAfter(Number.MAX_SAFE_INTEGER)).next;

/** Returns the reports of each message, which belong to sends of 1,000. */
function coursesOf(messages: number) {
  const sends = Array.from({ length: Math.ceil(messages / 1000) }, () => randomUUID());
  return Array.from({ length: messages }, (_, index) =>
    courseOf(randomUUID()).map((report) => ({
      ...report,
      to: phoneOf(index),
      sendId: sends[Math.floor(index / 1000)] ?? '',
      second: report.second + Math.floor((Date.now() - Date.parse(timeOf(0))) / 1000),
    })),
  );
}

/** Sends the events in rounds, so that no two of a message are in a batch. @returns the number of events, once all are published */
async function sendAll(run: Run, messages: number): Promise<number> {
  const { pipeline, sender } = run;
  const replies = repliesTo(messages);
  const courses = coursesOf(messages);
  const waitFor = async (expected: number) => {
    await pipeline.untilQueueIsEmpty(pipeline.outputs.EventsQueueUrl, 300_000);
    await until('all events are published', async () => (await publishedBy(run)) >= expected, 300_000);
  };
  let expected = await publishedBy(run);
  for (const step of [0, 1, 2]) {
    const round = courses.flatMap((course) => course[step] ?? []);
    await pMap(round, (report) => sender.deliver(report), { concurrency });
    expected += round.length;
    await waitFor(expected);
  }
  const texts = Array.from({ length: replies }, (_, index) => index);
  await pMap(texts, (index) => sender.deliverOther(replyEvent(phoneOf(index), replyText)), {
    concurrency,
  });
  await waitFor(expected + replies);
  return messages * 3 + replies;
}

const replyText = 'Thanks, that works for me. See you on Thursday at nine.';
const phoneOf = (index: number) => `+120255501${String(index % 100).padStart(2, '0')}`;

const callsSchema = z.object({
  calls: z.array(z.object({ caller: z.string(), operation: z.string(), calls: z.number() })),
});

/** Everything that a local run counts, since its start. */
type Counters = Awaited<ReturnType<typeof readCounters>>;

/** Reads the counters as soon as no function is at work. */
async function readCounters(pipeline: LocalPipeline) {
  const get = async (path: string) => (await fetch(loopbackUrl(pipeline.port + 4) + path)).json();
  const functions = await until('the functions are idle', async () => {
    const metrics = lambdaMetricsSchema.parse(await get('/local/lambda/metrics'));
    return Object.values(metrics.functions).every(({ running }) => running === 0) && metrics.functions;
  });
  const { calls } = callsSchema.parse(await get('/local/calls'));
  const ofFunctions = (measure: (name: FunctionName) => number): Record<FunctionName, number> => ({
    ingest: measure('ingest'),
    worker: measure('worker'),
    publisher: measure('publisher'),
  });
  return {
    cpuMs: ofFunctions((name) => pipeline.processes(name).reduce((sum, pid) => sum + cpuMsOf(pid), 0)),
    invocations: ofFunctions((name) => functions[name]?.invocations ?? 0),
    logBytes: functionNames.reduce((sum, name) => {
      const lines = pipeline.functionLog(name).split('\n').slice(0, -1);
      return sum + lines.reduce((own, line) => own + Buffer.byteLength(line) + lineOverheadBytes, 0);
    }, 0),
    workerWrites: calls
      .filter(({ caller, operation }) => caller === 'worker' && writes.has(operation))
      .reduce((sum, each) => sum + each.calls, 0),
    stored: await storedWrites(
      pipeline.dynamoDb,
      loopbackUrl(pipeline.port + 2),
      pipeline.outputs.HistoryTableName,
    ),
    publishedEvents: (await localBus(pipeline.port).publishedAfter(Number.MAX_SAFE_INTEGER)).next,
  };
}

const writes: ReadonlySet<string> = new Set(['UpdateItem', 'PutItem', 'DeleteItem']);

function usageOf(pipeline: LocalPipeline, events: number, before: Counters, after: Counters): EventUsage {
  const deployed = functionsIn(join(pipeline.directory, 'cdk.out'));
  const byFunction = (measure: (name: FunctionName) => number) => ({
    ingest: measure('ingest'),
    worker: measure('worker'),
    publisher: measure('publisher'),
  });
  const added = (value: (counters: Counters) => number) => value(after) - value(before);
  const unitsIn = ({ stored }: Counters) => Object.values(stored.units).reduce((sum, each) => sum + each, 0);
  // A write that failed or changed nothing is in no stream and costs a unit, because no item here is larger than 1 KB.
  const unchanged = added(({ workerWrites, stored }) => workerWrites - stored.writes);
  return {
    cpuMs: byFunction((name) => added(({ cpuMs }) => cpuMs[name]) / events),
    invocations: byFunction((name) => added(({ invocations }) => invocations[name]) / events),
    memoryMiB: byFunction((name) => deployed.get(name)?.memoryMiB ?? 128),
    writeUnits: (added(unitsIn) + unchanged) / events,
    tableBytes: added(({ stored }) => stored.itemBytes + stored.items * itemOverheadBytes) / events,
    indexBytes: added(({ stored }) => stored.indexBytes + stored.indexEntries * itemOverheadBytes) / events,
    publishedEvents: added(({ publishedEvents }) => publishedEvents) / events,
    logBytes: added(({ logBytes }) => logBytes) / events,
  };
}
