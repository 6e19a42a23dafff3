import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { figuresOf } from '../../functions/insights/index.ts';
import { createCounterReads } from '../../functions/insights/io.ts';
import { localClient } from '../aws-protocol/call.ts';
import { untilNothing } from '../demo/send-events.ts';
import type { LocalRun } from '../run/run.ts';
import type { ReportFill } from '../run/start-console.ts';
import { dayMs, type SampleEvent } from './traffic.ts';

/** The parts of a local run that playing a sample needs. */
export type SampleTarget = Pick<LocalRun, 'smsServiceUrl' | 'awsUrl' | 'sqs' | 'dynamodb' | 'output'>;

/** On a busy machine the worker times out. SQS then shows its batch again after two minutes. */
const deadlineMs = 5 * 60_000;

/**
 * Plays events that were received before now: the sandbox sends them signed, each at its own time, and the functions run at the time of their
 * day. Returns what is missing in the end, one line each.
 *
 * @param events in the order of their times
 * @param played the events of earlier fills, which may have been erased since; none if the first fill was interrupted
 */
export async function fill(
  target: SampleTarget,
  events: readonly SampleEvent[],
  reportFill: ReportFill,
  played: readonly SampleEvent[] = [],
): Promise<string[]> {
  const uncounted = await watchCounts(target, events, played);
  let sent = 0;
  reportFill({ sent, all: events.length });
  try {
    for (const ofDay of Map.groupBy(events, ({ at }) => Math.floor(at / dayMs)).values()) {
      await setClocks(target, (ofDay.at(-1)?.at ?? 0) - Date.now());
      await sendSample(target, ofDay);
      await sweep(target);
      sent += ofDay.length;
      reportFill({ sent, all: events.length });
    }
    const missing = await untilNothing(() => queued(target), deadlineMs);
    if (missing.length > 0) return missing;
    await sweep(target);
  } finally {
    await setClocks(target, 0);
    reportFill(null);
  }
  return untilNothing(uncounted, deadlineMs);
}

const summarySchema = z.looseObject({ failed: z.array(z.looseObject({ event: z.int() })) });

/** Makes the sandbox send events. @throws Error if one with a valid signature is not acknowledged */
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

/** Sets how far the clocks of the worker and the sweep are ahead. The clock of ingest follows each request. */
async function setClocks({ awsUrl }: SampleTarget, offsetMs: number): Promise<void> {
  const clock = { clockOffsetMs: Math.round(offsetMs) };
  const functions = offsetMs === 0 ? {} : { worker: clock, sweep: clock };
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

/** Returns a check that the insights have all new messages of these events, if insights are on. */
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
  // A first fill that is repeated finds some of its messages there.
  const before = played.length === 0 ? 0 : await count();
  return async () => {
    const counted = (await count()) - before;
    return counted >= added ? [] : [`the insights have ${counted} of ${added} messages of the sample`];
  };
}
