import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, ListQueuesCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { z } from 'zod';
import {
  decidingEntry,
  messageFromItem,
  replyFromItem,
  UnreadableItemError,
  versionsOf,
} from '../../functions/history/index.ts';
import type { LocalPipeline, RunningPipeline } from '../support/local-pipeline.ts';

/** A message in history. */
interface FoundMessage {
  /** The state that won. */
  readonly status: string;
  /** The number of reports that it counts. */
  readonly count: number;
  /** The status of each report by its event id. */
  readonly reports: ReadonlyMap<string, string>;
}

/** The content of the tables and queues of a pipeline. */
export interface Found {
  /** By message id. */
  readonly history: ReadonlyMap<string, FoundMessage>;
  /** The number of versions of each reply, by its id. */
  readonly replies: ReadonlyMap<string, number>;
  /** The numbers that have opted out, according to the register. */
  readonly optedOut: ReadonlySet<string>;
  /** The reasons of the quarantine entries, by the id in their body, or by the body if it has no id. */
  readonly quarantine: ReadonlyMap<string, readonly string[]>;
  /** The messages in the publisher's failures queue, and in the dead-letter queue of the opt-outs. */
  readonly unpublished: readonly string[];
  readonly givenUp: readonly string[];
}

type Item = Record<string, AttributeValue>;

/** A pipeline on this machine or in AWS. */
type Stores = Pick<RunningPipeline, 'dynamoDb' | 'sqs' | 'outputs'>;

const failureSchema = z.object({ itemKey: z.string() });
const bodySchema = z.object({ data: z.object({ id: z.string() }) });

/** Reads the tables, and empties the publisher's failures queue and the dead-letter queue of the opt-outs. */
export async function findAll(pipeline: Stores): Promise<Found> {
  const { PublisherFailuresQueueUrl, OptOutDeadLetterQueueUrl } = pipeline.outputs;
  const unpublished = await drained(pipeline, PublisherFailuresQueueUrl);
  return {
    ...(await findHistory(pipeline)),
    quarantine: await findQuarantine(pipeline),
    unpublished: unpublished.map((body) => failureSchema.safeParse(JSON.parse(body)).data?.itemKey ?? body),
    givenUp: await drained(pipeline, OptOutDeadLetterQueueUrl),
  };
}

async function findHistory(pipeline: Stores): Promise<Pick<Found, 'history' | 'replies' | 'optedOut'>> {
  const history = new Map<string, FoundMessage>();
  const replies = new Map<string, number>();
  const optedOut = new Set<string>();
  for await (const item of items(pipeline, pipeline.outputs.HistoryTableName)) {
    const [kind, id = ''] = (item.pk?.S ?? '').split('#');
    if (kind === 'reply') replies.set(id, versionsOf(replyFromItem(item)).size);
    if (kind === 'optout' && item.state?.S === 'out') optedOut.add(item.phone?.S ?? '');
    const message = kind === 'message' ? messageOf(item) : undefined;
    if (message !== undefined) history.set(id, message);
  }
  return { history, replies, optedOut };
}

/** Returns the number of messages by the name of their queue, without empty queues, the queues of {@link findAll}, and those of signals. */
export async function waitingMessages({
  sqs,
  queueDepth,
  outputs,
}: LocalPipeline): Promise<ReadonlyMap<string, number>> {
  const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
  const readElsewhere = [outputs.PublisherFailuresQueueUrl, outputs.OptOutDeadLetterQueueUrl].map(nameOf);
  const waiting = new Map<string, number>();
  for (const url of QueueUrls) {
    const name = nameOf(url);
    // A signal makes setup check at once and not within five minutes. So a signal that is never handled delays nothing for long.
    if (readElsewhere.includes(name) || name.includes('-Signals')) continue;
    const depth = await queueDepth(new URL(name, outputs.EventsQueueUrl).href);
    if (depth.waiting + depth.inFlight > 0) waiting.set(name, depth.waiting + depth.inFlight);
  }
  return waiting;
}

async function findQuarantine(pipeline: Stores): Promise<ReadonlyMap<string, readonly string[]>> {
  const quarantine = new Map<string, string[]>();
  for await (const { body: { S: body = '' } = {}, reason } of items(
    pipeline,
    pipeline.outputs.QuarantineTableName,
  )) {
    const id = idIn(body);
    quarantine.set(id, [...(quarantine.get(id) ?? []), reason?.S ?? 'no reason']);
  }
  return quarantine;
}

/** Returns the id in a body, or the text of a body without an id. */
function idIn(body: string): string {
  try {
    return bodySchema.parse(JSON.parse(body)).data.id;
  } catch {
    return body;
  }
}

/** Returns undefined for an item that the pipeline cannot read: the message is then missing. */
function messageOf(item: Item): FoundMessage | undefined {
  const message = readable(item);
  if (message === undefined) return undefined;
  const reports = [...message.events].map(([id, { status }]) => [id, status] as const);
  return { status: decidingEntry(message).status, count: message.events.size, reports: new Map(reports) };
}

function readable(item: Item) {
  try {
    return messageFromItem(item);
  } catch (error) {
    if (error instanceof UnreadableItemError) return undefined;
    throw error;
  }
}

function nameOf(queueUrl = ''): string {
  return queueUrl.split('/').at(-1) ?? '';
}

async function* items({ dynamoDb }: Stores, TableName: string | undefined): AsyncGenerator<Item> {
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await dynamoDb.send(
      new ScanCommand({ TableName, ...(ExclusiveStartKey && { ExclusiveStartKey }) }),
    );
    yield* page.Items ?? [];
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
}

/** Takes all messages out of a queue. A pipeline without automations lacks some queues. */
async function drained({ sqs }: Stores, QueueUrl: string | undefined): Promise<string[]> {
  const bodies: string[] = [];
  while (QueueUrl !== undefined) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
    );
    if (Messages.length === 0) break;
    for (const { Body = '', ReceiptHandle } of Messages) {
      bodies.push(Body);
      await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
    }
  }
  return bodies;
}
