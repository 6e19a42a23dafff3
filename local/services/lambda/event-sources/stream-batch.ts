import { randomUUID } from 'node:crypto';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Outcome } from '../../../function-hosts/protocol.ts';
import { type Backoff, failedMessages } from './failures.ts';

/** A record of a stream for the function. */
export interface ReadRecord {
  readonly record: DynamoDBRecord;
  readonly sequenceNumber: string;
  /**
   * The time at which it was read, ms since the epoch. Its age counts from then, because DynamoDB Local rounds the time of its creation down to
   * the minute.
   */
  readonly readAt: number;
}

/** The reason why records are discarded, as the message to the on-failure destination names it. */
type DiscardCondition = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

/** Records that are discarded. */
export interface Discarded {
  readonly records: readonly ReadRecord[];
  readonly condition: DiscardCondition;
  /** The number of invocations with these records. */
  readonly invocations: number;
  /** Whether the last invocation ended in an error instead of a report of failed records. */
  readonly threw: boolean;
}

export interface BatchHandling {
  /** The maximum number of retries of a batch; -1: no limit. */
  readonly maximumRetryAttempts: number;
  /** The maximum age of a record, in seconds; -1: no limit. */
  readonly maximumRecordAgeSeconds: number;
  readonly bisectsOnError: boolean;
  /** `ReportBatchItemFailures`: a result may name the records that failed. */
  readonly reportsItemFailures: boolean;
  now(): number;
  /** Called before each invocation with the age of the last record of the batch, in ms. */
  onAge?(ms: number): void;
  invoke(event: { readonly Records: readonly DynamoDBRecord[] }): Promise<Outcome>;
  /** Discards records permanently. */
  discard(discarded: Discarded): Promise<void>;
}

interface Attempt {
  readonly records: readonly ReadRecord[];
  readonly failures: number;
  readonly threw: boolean;
}

/**
 * Passes a batch to the function until each of its records is processed or discarded, in order (Lambda Developer Guide, "Process DynamoDB records
 * with Lambda"). After a report of failed records it retries the first of them and all later ones, and counts from one if earlier records
 * succeeded. After an error it halves the batch if the mapping says so, which does not count as an attempt.
 */
export async function processStreamBatch(
  batch: readonly ReadRecord[],
  handling: BatchHandling,
  trouble: Backoff,
  signal: AbortSignal,
): Promise<void> {
  let open: Attempt[] = [{ records: batch, failures: 0, threw: false }];
  for (;;) {
    const [next, ...rest] = open;
    if (next === undefined) return;
    await trouble.pause();
    if (signal.aborted) return;
    const young = await dropAged(next, handling);
    const left = young.records.length === 0 ? [] : await tryOnce(young, handling, trouble, signal);
    open = [...left, ...rest];
  }
}

async function dropAged(attempt: Attempt, handling: BatchHandling): Promise<Attempt> {
  const { maximumRecordAgeSeconds } = handling;
  if (maximumRecordAgeSeconds < 0) return attempt;
  const oldest = handling.now() - maximumRecordAgeSeconds * 1000;
  const aged = attempt.records.filter(({ readAt }) => readAt < oldest);
  if (aged.length === 0) return attempt;
  await handling.discard({ ...discarded(attempt, aged), condition: 'RecordAgeExceeded' });
  return { ...attempt, records: attempt.records.filter(({ readAt }) => readAt >= oldest) };
}

/** @returns the attempts that remain for the records */
async function tryOnce(
  attempt: Attempt,
  handling: BatchHandling,
  trouble: Backoff,
  signal: AbortSignal,
): Promise<Attempt[]> {
  const { records } = attempt;
  const last = records.at(-1);
  if (last) handling.onAge?.(handling.now() - last.readAt);
  const outcome = await handling.invoke({ Records: records.map(({ record }) => record) });
  if (signal.aborted) return [];
  const failedAt = firstFailed(outcome, records, handling.reportsItemFailures);
  if (failedAt < 0) {
    trouble.over();
    return [];
  }
  trouble.begins(outcome.kind === 'ok' ? 'it reported records as failed' : outcome.error.errorMessage);
  if (outcome.kind === 'error' && handling.bisectsOnError && records.length > 1) {
    const middle = Math.ceil(records.length / 2);
    return [
      { ...attempt, records: records.slice(0, middle) },
      { ...attempt, records: records.slice(middle) },
    ];
  }
  const again: Attempt = {
    records: records.slice(failedAt),
    failures: failedAt > 0 ? 1 : attempt.failures + 1,
    threw: outcome.kind === 'error',
  };
  const { maximumRetryAttempts } = handling;
  if (maximumRetryAttempts < 0 || again.failures <= maximumRetryAttempts) return [again];
  await handling.discard({ ...discarded(again, again.records), condition: 'RetryAttemptsExhausted' });
  return [];
}

function discarded(
  { failures, threw }: Attempt,
  records: readonly ReadRecord[],
): Omit<Discarded, 'condition'> {
  return { records, invocations: failures, threw };
}

/** The position of the first failed record in the batch; -1 if all succeeded. */
function firstFailed(outcome: Outcome, records: readonly ReadRecord[], reports: boolean): number {
  if (outcome.kind === 'error') return 0;
  if (!reports) return -1;
  const failed = failedMessages(
    outcome.value,
    records.map(({ sequenceNumber }) => sequenceNumber),
  );
  return records.findIndex(({ sequenceNumber }) => failed.has(sequenceNumber));
}

/** The source and the destination of discarded records. */
export interface DiscardedFrom {
  readonly streamArn: string;
  readonly shardId: string;
  readonly functionArn: string;
}

/**
 * Makes the message that Lambda sends to the on-failure destination of a stream's mapping. It contains the position of the records, not the records
 * (Lambda Developer Guide, "Retaining discarded batches for a DynamoDB event source").
 *
 * @param now ms since the epoch
 */
export function failureMessage(discarded: Discarded, from: DiscardedFrom, now: number): object {
  const { records, condition, invocations, threw } = discarded;
  const [first, last] = [records.at(0), records.at(-1)];
  return {
    requestContext: {
      requestId: randomUUID(),
      functionArn: from.functionArn,
      condition,
      approximateInvokeCount: invocations,
    },
    ...(invocations > 0 && {
      responseContext: {
        statusCode: 200,
        executedVersion: '$LATEST',
        functionError: threw ? 'Unhandled' : null,
      },
    }),
    version: '1.0',
    timestamp: new Date(now).toISOString(),
    DDBStreamBatchInfo: {
      shardId: from.shardId,
      startSequenceNumber: first?.sequenceNumber,
      endSequenceNumber: last?.sequenceNumber,
      approximateArrivalOfFirstRecord: arrivalOf(first),
      approximateArrivalOfLastRecord: arrivalOf(last),
      batchSize: records.length,
      streamArn: from.streamArn,
    },
  };
}

/** Lambda writes times to the second. */
function arrivalOf(read: ReadRecord | undefined): string | undefined {
  const seconds = read?.record.dynamodb?.ApproximateCreationDateTime;
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
