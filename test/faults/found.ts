import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { z } from 'zod';
import type { LocalPipeline } from '../support/local-pipeline.ts';

/** What is in the tables and queues of a pipeline. */
export interface Found {
  /** The status of each report in history, by message id and event id; statuses may repeat, event ids can not. */
  readonly history: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly replies: ReadonlySet<string>;
  /** Bodies in quarantine. */
  readonly quarantine: readonly string[];
  /** Keys of the items whose changes the publisher set aside. */
  readonly unpublished: readonly string[];
}

type Item = Record<string, AttributeValue>;

const failureSchema = z.object({ itemKey: z.string() });

/** Reads everything, and empties the queue of what could not be published. */
export async function findAll(pipeline: LocalPipeline): Promise<Found> {
  const { HistoryTableName, QuarantineTableName, PublisherFailuresQueueUrl } = pipeline.outputs;
  const history = new Map<string, Map<string, string>>();
  const replies = new Set<string>();
  for await (const item of items(pipeline, HistoryTableName)) {
    const [kind, id = ''] = (item.pk?.S ?? '').split('#');
    if (kind === 'reply') replies.add(id);
    if (kind === 'message') history.set(id, reportsOf(item));
  }
  const quarantine: string[] = [];
  for await (const { raw } of items(pipeline, QuarantineTableName)) {
    quarantine.push(Buffer.from(raw?.B ?? []).toString());
  }
  const unpublished: string[] = [];
  for await (const body of drained(pipeline, PublisherFailuresQueueUrl)) {
    unpublished.push(failureSchema.parse(JSON.parse(body)).itemKey);
  }
  return { history, replies, quarantine, unpublished };
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
