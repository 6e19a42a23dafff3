import { randomUUID } from 'node:crypto';
import type { Discarded, ReadRecord } from './stream-batch.ts';

/** Where discarded records came from and where they were to go. */
export interface DiscardedFrom {
  readonly streamArn: string;
  readonly shardId: string;
  readonly functionArn: string;
}

/**
 * What Lambda sends to the on-failure destination of a stream's mapping: where the records are found, not the records
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

/** To the second, as Lambda writes it. */
function arrivalOf(read: ReadRecord | undefined): string | undefined {
  const seconds = read?.record.dynamodb?.ApproximateCreationDateTime;
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
