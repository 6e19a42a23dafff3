import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, ListQueuesCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { z } from 'zod';
import type { LocalPipeline } from '../../support/local-pipeline.ts';

/** A message in history. */
interface FoundMessage {
  /** The state that won. */
  readonly status: string;
  /** The status of each report by its event id. */
  readonly reports: ReadonlyMap<string, string>;
}

/** The content of the tables and queues of a pipeline. */
export interface Found {
  /** By message id. */
  readonly history: ReadonlyMap<string, FoundMessage>;
  readonly replies: ReadonlySet<string>;
  /** Numbers that want no more messages, by the register. */
  readonly optedOut: ReadonlySet<string>;
  /** Bodies in quarantine. */
  readonly quarantine: readonly string[];
  /** The messages in the publisher's failures queue, and in the dead-letter queue of the opt-outs. */
  readonly unpublished: readonly string[];
  readonly givenUp: readonly string[];
  /** Messages in every other queue but that of the signals, by the queue's name; only of those that hold any. */
  readonly waiting: Readonly<Record<string, number>>;
}

type Item = Record<string, AttributeValue>;

const failureSchema = z.object({ itemKey: z.string() });

/** Reads everything, and empties the two queues of what was given up. */
export async function findAll(pipeline: LocalPipeline): Promise<Found> {
  const { HistoryTableName, QuarantineTableName, PublisherFailuresQueueUrl, OptOutDeadLetterQueueUrl } =
    pipeline.outputs;
  // Before the tables: what is in no queue any more is in them.
  const waiting = await depths(pipeline, [PublisherFailuresQueueUrl, OptOutDeadLetterQueueUrl]);
  const history = new Map<string, FoundMessage>();
  const replies = new Set<string>();
  const optedOut = new Set<string>();
  for await (const item of items(pipeline, HistoryTableName)) {
    const [kind, id = ''] = (item.pk?.S ?? '').split('#');
    if (kind === 'reply') replies.add(id);
    if (kind === 'optout' && item.state?.S === 'out') optedOut.add(item.number?.S ?? '');
    if (kind === 'message') history.set(id, { status: item.status?.S ?? '', reports: reportsOf(item) });
  }
  const quarantine: string[] = [];
  for await (const { raw } of items(pipeline, QuarantineTableName))
    quarantine.push(Buffer.from(raw?.B ?? []).toString());
  const unpublished: string[] = [];
  for await (const body of drained(pipeline, PublisherFailuresQueueUrl))
    unpublished.push(failureSchema.safeParse(JSON.parse(body)).data?.itemKey ?? body);
  const givenUp: string[] = [];
  for await (const body of drained(pipeline, OptOutDeadLetterQueueUrl)) givenUp.push(body);
  return { history, replies, optedOut, quarantine, unpublished, givenUp, waiting };
}

async function depths(
  { sqs, queueDepth }: LocalPipeline,
  leftOut: readonly (string | undefined)[],
): Promise<Record<string, number>> {
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const example = leftOut[0] ?? '';
  const urls = QueueUrls.map((url) => new URL(nameOf(url), example).href);
  const found: Record<string, number> = {};
  // A signal only has setup look at once instead of within five minutes: one left behind by a process that died holds up nothing.
  const isSignals = (url: string) => nameOf(url).includes('-Signals');
  for (const url of urls.filter((one) => !leftOut.includes(one) && !isSignals(one))) {
    const { waiting, inFlight } = await queueDepth(url);
    if (waiting + inFlight > 0) found[nameOf(url)] = waiting + inFlight;
  }
  return found;
}

function nameOf(queueUrl: string): string {
  return queueUrl.split('/').at(-1) ?? '';
}

function reportsOf(item: Item): Map<string, string> {
  const reports = Object.entries(item).filter(([name]) => name.startsWith('event#'));
  return new Map(reports.map(([name, { M }]) => [name.slice('event#'.length), M?.status?.S ?? '']));
}

async function* items({ dynamoDb }: LocalPipeline, TableName: string | undefined): AsyncGenerator<Item> {
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await dynamoDb.send(
      new ScanCommand({ TableName, ...(ExclusiveStartKey && { ExclusiveStartKey }) }),
    );
    yield* page.Items ?? [];
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

async function* drained({ sqs }: LocalPipeline, QueueUrl: string | undefined): AsyncGenerator<string> {
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
    );
    if (Messages.length === 0) return;
    for (const { Body = '', ReceiptHandle } of Messages) {
      yield Body;
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }
}
