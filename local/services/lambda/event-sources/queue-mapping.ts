import { DeleteMessageBatchCommand, type Message, type SQSClient } from '@aws-sdk/client-sqs';
import type { Outcome } from '../../../function-hosts/protocol.ts';
import { reasonOf } from '../../../terminal/terminal.ts';
import { Backoff, failedMessages } from './failures.ts';
import { BatchReader, recordOf } from './queue-batches.ts';

const DELETE_LIMIT = 10;

export interface MappingOptions {
  readonly client: SQSClient;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly batchSize: number;
  readonly windowSeconds: number;
  /** `ReportBatchItemFailures`: a result may name the messages that failed. */
  readonly reportsItemFailures: boolean;
  /** The maximum number of concurrent batches. */
  readonly concurrency: number;
  invoke(event: unknown): Promise<Outcome>;
  /** Called for the first of consecutive failures. */
  onTrouble(message: string): void;
}

export interface EventSourceMapping {
  stop(): Promise<void>;
}

/**
 * Passes a queue's messages to a function as Lambda does. It deletes the messages that the function processed; the others become visible again
 * after their visibility timeout. It continues, with pauses, while queue or function fail.
 */
export function startEventSourceMapping(options: MappingOptions): EventSourceMapping {
  const aborter = new AbortController();
  const running = poll(options, aborter.signal);
  return {
    async stop() {
      aborter.abort();
      await running;
    },
  };
}

async function poll(options: MappingOptions, signal: AbortSignal): Promise<void> {
  const reader = new BatchReader(options);
  const inProgress = new Set<Promise<void>>();
  const queueTrouble = new Backoff((reason) => options.onTrouble(`SQS does not answer: ${reason}`), signal);
  const functionTrouble = new Backoff((reason) => options.onTrouble(`a batch failed: ${reason}`), signal);
  while (!signal.aborted) {
    if (inProgress.size >= options.concurrency) await Promise.race(inProgress);
    await functionTrouble.pause();
    await queueTrouble.pause();
    if (signal.aborted) break;
    try {
      const batch = await reader.next(signal);
      queueTrouble.over();
      if (batch.length === 0) continue;
      const done: Promise<void> = processBatch(batch, options, functionTrouble, queueTrouble).finally(() => {
        inProgress.delete(done);
      });
      inProgress.add(done);
    } catch (error) {
      if (!signal.aborted) queueTrouble.begins(reasonOf(error));
    }
  }
}

async function processBatch(
  batch: readonly Message[],
  options: MappingOptions,
  functionTrouble: Backoff,
  queueTrouble: Backoff,
): Promise<void> {
  const outcome = await options.invoke({
    Records: batch.map((message) => recordOf(message, options.queueArn)),
  });
  if (outcome.kind === 'error') {
    functionTrouble.begins(outcome.error.errorMessage);
    return;
  }
  functionTrouble.over();
  const ids = batch.map(({ MessageId }) => MessageId ?? '');
  const failed = options.reportsItemFailures ? failedMessages(outcome.value, ids) : new Set<string>();
  const done = batch.filter(({ MessageId }) => !failed.has(MessageId ?? ''));
  try {
    await deleteMessages(done, options);
  } catch (error) {
    // SQS will redeliver the messages: delivery is at least once.
    queueTrouble.begins(reasonOf(error));
  }
}

async function deleteMessages(
  messages: readonly Message[],
  { client, queueUrl }: MappingOptions,
): Promise<void> {
  const requests: Promise<unknown>[] = [];
  for (let start = 0; start < messages.length; start += DELETE_LIMIT) {
    const Entries = messages
      .slice(start, start + DELETE_LIMIT)
      .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    requests.push(client.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries })));
  }
  await Promise.all(requests);
}
