import { expect, it } from 'vitest';
import { failureMessage } from '../../../../../../local/services/lambda/event-sources/stream-batch.ts';
import { readRecord } from './records.ts';

const from = { streamArn: 'stream-arn', shardId: 'shard-1', functionArn: 'function-arn' };
const now = Date.parse('2026-01-15T12:00:05.125Z');

function arrived(sequenceNumber: string, time: string) {
  const read = readRecord(sequenceNumber);
  const dynamodb = { ...read.record.dynamodb, ApproximateCreationDateTime: Date.parse(time) / 1000 };
  return { ...read, record: { ...read.record, dynamodb } };
}

it('a message about discarded records has their position and not their content', () => {
  const records = [arrived('7', '2026-01-15T12:00:00Z'), arrived('9', '2026-01-15T12:00:03Z')];
  const message = failureMessage(
    { records, condition: 'RetryAttemptsExhausted', invocations: 3, threw: true },
    from,
    now,
  );
  expect(message).toEqual({
    requestContext: {
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      functionArn: 'function-arn',
      condition: 'RetryAttemptsExhausted',
      approximateInvokeCount: 3,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: '2026-01-15T12:00:05.125Z',
    DDBStreamBatchInfo: {
      shardId: 'shard-1',
      startSequenceNumber: '7',
      endSequenceNumber: '9',
      approximateArrivalOfFirstRecord: '2026-01-15T12:00:00Z',
      approximateArrivalOfLastRecord: '2026-01-15T12:00:03Z',
      batchSize: 2,
      streamArn: 'stream-arn',
    },
  });
});

it('a message without an invocation has no response context', () => {
  const records = [readRecord('7')];
  const aged = { records, condition: 'RecordAgeExceeded', invocations: 0, threw: false } as const;
  expect(failureMessage(aged, from, now)).not.toHaveProperty('responseContext');
});
