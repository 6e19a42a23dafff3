import type { DynamoDBStreamEvent } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../../../../local/function-hosts/protocol.ts';
import { Backoff } from '../../../../../../local/services/lambda/event-sources/failures.ts';
import {
  type BatchHandling,
  type Discarded,
  failureMessage,
  processStreamBatch,
} from '../../../../../../local/services/lambda/event-sources/stream-batch.ts';
import { assertProperty } from '../../../../../support/property.ts';
import { readRecord } from './records.ts';

/** Pauses of no length. */
class Unhurried extends Backoff {
  override async pause(): Promise<void> {}
}

/** Handles a batch; `answer` gives what the function answers, or throws. */
async function handle(
  numbers: readonly string[],
  answer: (numbers: readonly string[], invocation: number) => unknown,
  options: Partial<BatchHandling> = {},
) {
  const invocations: string[][] = [];
  const discarded: Discarded[] = [];
  const aborter = new AbortController();
  const handling: BatchHandling = {
    maximumRetryAttempts: -1,
    maximumRecordAgeSeconds: -1,
    bisectsOnError: false,
    reportsItemFailures: true,
    now: () => 0,
    async invoke(event): Promise<Outcome> {
      const { Records } = event as DynamoDBStreamEvent;
      const sequenceNumbers = Records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');
      invocations.push(sequenceNumbers);
      try {
        return { kind: 'ok', value: answer(sequenceNumbers, invocations.length) };
      } catch (error) {
        return { kind: 'error', error: { errorType: 'Error', errorMessage: String(error) } };
      }
    },
    async discard(records) {
      discarded.push(records);
    },
    ...options,
  };
  const records = numbers.map((number) => readRecord(number));
  await processStreamBatch(records, handling, new Unhurried(() => {}, aborter.signal), aborter.signal);
  return { invocations, discarded };
}

const failing = (...numbers: readonly string[]) => ({
  batchItemFailures: numbers.map((itemIdentifier) => ({ itemIdentifier })),
});

const fail = () => {
  throw new Error('no');
};

describe('a batch of a stream', () => {
  it('is retried from the first reported record, whatever the order of the report', async () => {
    const { invocations } = await handle(['8', '9', '10', '11'], (_, invocation) =>
      invocation === 1 ? failing('11', '9') : failing(),
    );
    expect(invocations).toEqual([
      ['8', '9', '10', '11'],
      ['9', '10', '11'],
    ]);
  });

  it('is retried as a whole when an id that is not in the batch is reported', async () => {
    const { invocations } = await handle(['1', '2'], (_, invocation) =>
      invocation === 1 ? failing('3') : null,
    );
    expect(invocations).toEqual(Array(2).fill(['1', '2']));
  });

  it('is finished whatever is reported if the mapping has no partial batch responses', async () => {
    const { invocations } = await handle(['1'], () => failing('1'), { reportsItemFailures: false });
    expect(invocations).toHaveLength(1);
  });

  it('reports the age of its last record before each invocation', async () => {
    let seconds = 100;
    const ages: number[] = [];
    await handle(
      ['1', '2'],
      (_, invocation) => {
        seconds += 60;
        return invocation === 1 ? fail() : null;
      },
      { now: () => seconds * 1000, onAge: (ms) => ages.push(ms) },
    );
    expect(ages).toEqual([100_000, 160_000]);
  });

  it('discards only the records that are too old', async () => {
    let seconds = 0;
    const { invocations, discarded } = await handle(
      ['1', '2'],
      () => {
        seconds += 61;
        fail();
      },
      { maximumRecordAgeSeconds: 60, now: () => seconds * 1000 },
    );
    expect(invocations).toHaveLength(1);
    expect(discarded).toMatchObject([{ condition: 'RecordAgeExceeded', invocations: 1, records: [{}, {}] }]);
  });

  it('never processes a record before the earlier ones are processed or discarded', async () => {
    const batches = fc.integer({ min: 1, max: 30 });
    const bad = fc.uniqueArray(fc.integer({ min: 0, max: 29 }), { maxLength: 5 });
    await assertProperty(
      fc.asyncProperty(batches, bad, fc.boolean(), async (size, poison, throws) => {
        const numbers = Array.from({ length: size }, (_, index) => String(index));
        const settled: string[] = [];
        await handle(
          numbers,
          (sequenceNumbers) => {
            const at = sequenceNumbers.findIndex((number) => poison.includes(Number(number)));
            if (at < 0) settled.push(...sequenceNumbers);
            else if (throws) fail();
            else settled.push(...sequenceNumbers.slice(0, at));
            return at < 0 ? null : failing(sequenceNumbers[at] ?? '');
          },
          {
            bisectsOnError: true,
            maximumRetryAttempts: 1,
            async discard({ records }) {
              settled.push(...records.map(({ sequenceNumber }) => sequenceNumber));
            },
          },
        );
        expect(settled).toEqual(numbers);
      }),
    );
  });
});

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
