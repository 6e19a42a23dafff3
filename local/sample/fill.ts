import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { figuresOf } from '../../functions/insights/index.ts';
import { createCounterReads } from '../../functions/insights/io.ts';
import { localClient } from '../aws-protocol/call.ts';
import { untilNothing } from '../demo/send-events.ts';
import type { LocalRun } from '../run/run.ts';
import type { ReportFill } from '../run/start-console.ts';
import type { Progress } from '../terminal/terminal.ts';
import type { SampleEvent } from './traffic/sample-event.ts';
import { dayMs } from './traffic/sends.ts';

/** The parts of a local run that playing a sample needs. */
export type SampleTarget = Pick<LocalRun, 'smsServiceUrl' | 'awsUrl' | 'sqs' | 'dynamodb' | 'output'>;

/** With one time of the worker so many events are sent, of so long a time. */
const chunkLength = 150;
const chunkMs = 6 * 3_600_000;

/** On a busy machine the worker times out. SQS then shows its batch again after two minutes. */
const deadlineMs = 5 * 60_000;

/** The functions that run at the time of the events. The clock of ingest follows each request. */
const shifted = ['worker', 'sweep'];

/**
 * Plays events that were received before now: the sandbox sends them signed, each at its own time, and the functions run at that time. Returns
 * what is missing in the end, one line each.
 *
 * @param events in the order of their times
 * @param played the events of earlier fills, none if a fill was interrupted. What became of them is not looked at: people may have been erased.
 */
export async function fill(
  target: SampleTarget,
  events: readonly SampleEvent[],
  progress: Pick<Progress, 'step'> & { readonly filled?: ReportFill },
  played: readonly SampleEvent[] = [],
): Promise<string[]> {
  if (events.length === 0) return [];
  const uncounted = await watchCounts(target, events, played);
  const days = createDays(events);
  try {
    let sent = 0;
    for (const chunk of chunksOf(events)) {
      const at = chunk[0]?.at ?? 0;
      await setClocks(target, at - Date.now());
      const isNewDay = days.isNew(at);
      await Promise.all([sendSample(target, chunk), ...(isNewDay ? [sweep(target)] : [])]);
      sent += chunk.length;
      progress.filled?.({ sent, all: events.length });
      if (isNewDay && days.count % 5 === 0)
        progress.step(`sample: ${sent} of ${events.length} events, day ${days.count} of ${days.all}`);
    }
    const missing = await untilNothing(() => queued(target), deadlineMs);
    if (missing.length > 0) return missing;
    await sweep(target);
  } finally {
    await setClocks(target, 0);
  }
  return untilNothing(uncounted, deadlineMs);
}

function chunksOf(events: readonly SampleEvent[]): SampleEvent[][] {
  const chunks: SampleEvent[][] = [];
  for (const event of events) {
    const last = chunks.at(-1);
    const begin = last?.[0]?.at;
    if (
      last === undefined ||
      begin === undefined ||
      last.length === chunkLength ||
      event.at - begin > chunkMs
    )
      chunks.push([event]);
    else last.push(event);
  }
  return chunks;
}

function createDays(events: readonly SampleEvent[]) {
  const dayOf = (at: number) => Math.floor(at / dayMs);
  const first = dayOf(events[0]?.at ?? 0);
  let last = first;
  return {
    all: dayOf(events.at(-1)?.at ?? 0) - first + 1,
    get count() {
      return last - first + 1;
    },
    isNew(at: number): boolean {
      if (dayOf(at) === last) return false;
      last = dayOf(at);
      return true;
    },
  };
}

const summarySchema = z.looseObject({ failed: z.array(z.looseObject({ event: z.int() })) });

/** Makes the sandbox send events. @throws Error if one that is signed rightly is not acknowledged */
export async function sendSample(
  { smsServiceUrl }: Pick<SampleTarget, 'smsServiceUrl'>,
  events: readonly SampleEvent[],
): Promise<void> {
  const response = await fetch(`${smsServiceUrl}/sandbox/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      events: events.map(({ at, ...event }) => ({ ...event, at: new Date(at).toISOString() })),
      options: { concurrency: 12, attempts: 5 },
    }),
  });
  const answer = summarySchema.safeParse(await response.json());
  const failed = answer.data?.failed.filter(({ event }) => events[event]?.isForged !== true);
  if (failed?.length !== 0)
    throw new Error(
      `The sandbox answered ${response.status}: not all events of the sample were acknowledged.`,
    );
}

/** Sets how far the clocks of the functions are ahead. */
async function setClocks({ awsUrl }: SampleTarget, offsetMs: number): Promise<void> {
  const clock = { clockOffsetMs: Math.round(offsetMs) };
  const functions = offsetMs === 0 ? {} : Object.fromEntries(shifted.map((label) => [label, clock]));
  const response = await fetch(`${awsUrl}/local/lambda/faults`, {
    method: 'PUT',
    body: JSON.stringify({ functions }),
  });
  if (!response.ok) throw new Error(`The clocks of the functions cannot be set: ${await response.text()}`);
}

/** Invokes the sweep, as its schedule would. */
async function sweep({ awsUrl, output }: SampleTarget): Promise<void> {
  const lambda = new LambdaClient(localClient(awsUrl));
  await lambda.send(new InvokeCommand({ FunctionName: output('SweepFunctionName'), Payload: '{}' }));
}

async function queued({ sqs, output }: SampleTarget): Promise<string[]> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: output('EventsQueueUrl'), AttributeNames: ['All'] }),
  );
  const left =
    Number(Attributes.ApproximateNumberOfMessages) + Number(Attributes.ApproximateNumberOfMessagesNotVisible);
  return left === 0 ? [] : [`${left} events of the sample are in the queue`];
}

const messageIds = (events: readonly SampleEvent[]) =>
  new Set(events.flatMap((event) => (event.kind === 'sms.status' ? (event.fields.messageId ?? []) : [])));

/** Returns a check that names new messages of these events which the insights lack, if insights are on. */
async function watchCounts(
  { dynamodb, output }: SampleTarget,
  events: readonly SampleEvent[],
  played: readonly SampleEvent[],
): Promise<() => Promise<string[]>> {
  const table = output('InsightsTableName');
  if (table === undefined) return async () => [];
  const reads = createCounterReads(dynamodb, table, Date.now);
  const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
  const [from, until] = [dayOf(events[0]?.at ?? 0), dayOf((events.at(-1)?.at ?? 0) + dayMs)];
  const count = async () => {
    const days = await reads.days(from, until);
    return days.reduce((sum, { tally }) => sum + figuresOf(tally).messages, 0);
  };
  const known = messageIds(played);
  const added = [...messageIds(events)].filter((id) => !known.has(id)).length;
  // A fill that is repeated finds some of its messages there.
  const before = played.length === 0 ? 0 : await count();
  return async () => {
    const counted = (await count()) - before;
    return counted >= added ? [] : [`the insights have ${counted} of ${added} messages of the sample`];
  };
}
