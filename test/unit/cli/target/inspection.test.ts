import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { NotFoundException, SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { createInspection } from '../../../../cli/target/inspection.ts';
import { type Answer, answering, anyAccount } from '../support/aws.ts';

const now = Date.parse('2026-01-15T12:00:00.000Z');
const arn = (name: string) => `arn:aws:sns:sa-east-1:111111111111:${name}`;

/** A deployed pipeline in which AWS answers so. */
function inspect(answer: Answer, local = false) {
  const outputs = {
    EventsQueueUrl: 'https://sqs.test/1/events',
    DeadLetterQueueUrl: 'https://sqs.test/1/dead',
    PublisherFailuresQueueUrl: 'https://sqs.test/1/failures',
    ProbeQueueUrl: 'https://sqs.test/1/probe',
    AlarmTopicArn: arn('alarms'),
    NoticesTopicArn: arn('notices'),
    HistoryTableName: 'history',
  };
  const state = { name: 'Mine-Pipeline', status: 'UPDATE_COMPLETE', outputs };
  return createInspection({
    outputs: {
      output: async (_, name: keyof typeof outputs) => outputs[name],
      stack: async (part) => (part === 'Pipeline' ? outputs : {}),
      state: async (part) => (part === 'Pipeline' ? state : undefined),
    },
    local,
    now: () => now,
    sqs: async () => answering(new SQSClient(anyAccount), answer),
    sns: async () => answering(new SNSClient(anyAccount), answer),
    dynamoDb: async () => answering(new DynamoDBClient(anyAccount), answer),
    cloudWatch: async () => answering(new CloudWatchClient(anyAccount), answer),
  });
}

describe('an inspection', () => {
  it('reads the stacks that exist', async () =>
    expect([...(await inspect(() => ({})).stacks()).keys()]).toEqual(['Pipeline']));

  it.each([
    [false, 90],
    [true, undefined],
  ])(
    'counts the queues that functions read, with the newest age where a metric has it (local: %s)',
    async (local, oldestSeconds) => {
      const inspection = inspect((command) => {
        if (command === 'GetMetricStatisticsCommand')
          return {
            Datapoints: [
              { Timestamp: new Date(now - 120_000), Maximum: 30 },
              { Timestamp: new Date(now - 60_000), Maximum: 90 },
            ],
          };
        return {
          Attributes: { ApproximateNumberOfMessages: '2', ApproximateNumberOfMessagesNotVisible: '1' },
        };
      }, local);
      expect(await inspection.queues()).toEqual([
        { name: 'EventsQueueUrl', waiting: 2, inFlight: 1, oldestSeconds },
      ]);
    },
  );

  it('reads the topics with their subscriptions and keys, and reports one that does not exist', async () => {
    const answer: Answer = (_, { TopicArn }) => {
      if (TopicArn === arn('notices')) throw new NotFoundException({ $metadata: {}, message: 'gone' });
      return { Attributes: { SubscriptionsConfirmed: '0', SubscriptionsPending: '2', KmsMasterKeyId: 'k' } };
    };
    expect(await inspect(answer).topics()).toEqual([
      { name: 'AlarmTopicArn', arn: arn('alarms'), settings: { confirmed: 0, pending: 2, key: 'k' } },
      { name: 'NoticesTopicArn', arn: arn('notices'), settings: undefined },
    ]);
    expect((await inspect(answer, true).topics()).map(({ name }) => name)).toEqual(['NoticesTopicArn']);
  });

  it('finds the event about its own test message, and leaves those of others', async () => {
    const deleted: unknown[] = [];
    const body = (messageId: string) => JSON.stringify({ detail: { messageId } });
    const probe = await inspect((command, { ReceiptHandle }) => {
      if (command === 'DeleteMessageCommand') deleted.push(ReceiptHandle);
      return {
        Messages: [
          { Body: 'no event', ReceiptHandle: '1' },
          { Body: body('sms-doctor-a'), ReceiptHandle: '2' },
          { Body: body('sms-doctor-b'), ReceiptHandle: '3' },
        ],
      };
    }).probe();
    expect([await probe.receive('sms-doctor-b'), await probe.receive('sms-doctor-c')]).toEqual([true, false]);
    expect(deleted).toEqual(['3']);
  });

  it('removes a test message, and no other', async () => {
    const calls: unknown[] = [];
    const probe = await inspect((command, { Key }) => ({ calls: calls.push([command, Key]) })).probe();
    await probe.remove('sms-doctor-a');
    await expect(probe.remove('msg-1')).rejects.toThrow(RangeError);
    expect(calls).toEqual([['DeleteItemCommand', { pk: { S: 'message#sms-doctor-a' } }]]);
  });

  it('lists the alarms that notify, sets one off, and reads what came of it', async () => {
    const alarms = await inspect((command, input) => {
      if (command === 'DescribeAlarmsCommand')
        return {
          MetricAlarms: [
            { AlarmName: 'a', AlarmActions: [arn('alarms')], ActionsEnabled: true },
            { AlarmName: 'b', AlarmActions: [arn('alarms')], ActionsEnabled: false },
            { AlarmName: 'c', AlarmActions: [], ActionsEnabled: true },
          ],
        };
      if (command === 'SetAlarmStateCommand')
        expect(input).toMatchObject({ AlarmName: 'a', StateValue: 'ALARM' });
      return {
        AlarmHistoryItems: [
          { HistorySummary: 'Successfully executed action x' },
          { HistorySummary: 'Failed to' },
        ],
      };
    }).alarms();
    expect(await alarms.list('Mine-')).toEqual([{ name: 'a', topicArns: [arn('alarms')] }]);
    await alarms.setOff('a', 'a test');
    expect((await alarms.actions('a', now)).map(({ hasSucceeded }) => hasSucceeded)).toEqual([true, false]);
  });
});
