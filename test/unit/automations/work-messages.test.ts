import type { SQSRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { VisibilityChange } from '../../../functions/adapters/message-visibility.ts';
import { BusMessageError } from '../../../functions/automations/bus-message.ts';
import {
  RetryLaterError,
  type WorkOptions,
  workMessages,
} from '../../../functions/automations/work-messages.ts';
import { recorder } from '../../support/recorder.ts';

function record(id: string, receiveCount = 1): SQSRecord {
  return {
    messageId: id,
    receiptHandle: `handle-${id}`,
    body: id,
    attributes: {
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: '0',
      SenderId: 'x',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:queue',
    awsRegion: 'us-east-1',
  };
}

function worker(options: Partial<WorkOptions> = {}) {
  const changes: VisibilityChange[] = [];
  const recorded = recorder();
  const work = (...records: SQSRecord[]) =>
    workMessages(records, {
      handle: async () => {},
      visibility: {
        change: async (wanted, hasTime) => {
          if (hasTime()) changes.push(...wanted);
          return [];
        },
      },
      delaysSeconds: [30, 120, 600],
      concurrency: 2,
      log: recorded.log,
      remainingMs: () => 60_000,
      ...options,
    });
  return { changes, work, ...recorded };
}

const failing = async (): Promise<never> => {
  throw Object.assign(new Error('about +12025550143'), { name: 'InternalServerError' });
};

describe('a batch of queue messages', () => {
  it('that are all worked off: none comes again', async () => {
    const handled: string[] = [];
    const { work, changes, lines } = worker({ handle: async (body) => void handled.push(body) });
    expect(await work(record('1'), record('2'), record('3'))).toEqual({ batchItemFailures: [] });
    expect(handled).toEqual(['1', '2', '3']);
    expect([changes, lines]).toEqual([[], []]);
  });

  it('of which one fails: that one alone comes again', async () => {
    const { work, changes, text } = worker({
      handle: async (body) => (body === '2' ? failing() : undefined),
    });
    expect(await work(record('1'), record('2'), record('3'))).toEqual({
      batchItemFailures: [{ itemIdentifier: '2' }],
    });
    expect(changes).toEqual([{ receiptHandle: 'handle-2', seconds: 30 }]);
    expect(text()).not.toContain('2025550143');
  });

  it('for which there is no time left is not begun, and comes again', async () => {
    const handled: string[] = [];
    let remaining = 15_001;
    const { work } = worker({
      handle: async (body) => void handled.push(body),
      concurrency: 1,
      remainingMs: () => remaining--,
    });
    expect(await work(record('1'), record('2'), record('3'))).toEqual({
      batchItemFailures: [{ itemIdentifier: '3' }],
    });
    expect(handled).toEqual(['1', '2']);
  });
});

describe('the wait', () => {
  it.each([
    [1, 30],
    [2, 120],
    [3, 600],
    [9, 600],
  ])('grows with each failure: the %i. waits %i s', async (receiveCount, seconds) => {
    const { work, changes, lines } = worker({ handle: failing });
    await work(record('1', receiveCount));
    expect(changes).toEqual([{ receiptHandle: 'handle-1', seconds }]);
    expect(lines).toEqual([
      {
        name: 'AUTOMATION_FAILED',
        fields: { error: 'InternalServerError', reason: null, receiveCount, retryInSeconds: seconds },
      },
    ]);
  });

  it.each([
    [300, 300],
    [5, 30],
    [999_999, 42_000],
  ])(
    'is as long as the failure asks, at least, and what SQS takes, at most: %i s',
    async (asked, seconds) => {
      const { work, changes } = worker({
        handle: async () => {
          throw new RetryLaterError('the service asks to wait', asked);
        },
      });
      await work(record('1'));
      expect(changes).toMatchObject([{ seconds }]);
    },
  );

  it('has a reason where the error is ours', async () => {
    const { work, lines } = worker({
      handle: async () => {
        throw new BusMessageError('no event of the pipeline: source');
      },
    });
    await work(record('1'));
    expect(lines).toMatchObject([
      { fields: { error: 'BusMessageError', reason: 'no event of the pipeline: source' } },
    ]);
  });
});
