import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { NotFoundException, SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { createInspection } from '../../../../../cli/target/stack/inspection.ts';
import { type Answer, answering, anyAccount } from '../../support/aws.ts';

const now = Date.parse('2026-01-15T12:00:00.000Z');
const arn = (name: string) => `arn:aws:sns:sa-east-1:111111111111:${name}`;

/** A deployed pipeline in which AWS answers so. */
function inspect(
  answer: Answer,
  local = false,
  others: Readonly<Record<string, string>> = {},
  isThere = true,
) {
  const outputs: Readonly<Record<string, string>> = {
    EventsQueueUrl: 'https://sqs.test/1/events',
    DeadLetterQueueUrl: 'https://sqs.test/1/dead',
    PublisherFailuresQueueUrl: 'https://sqs.test/1/failures',
    ProbeQueueUrl: 'https://sqs.test/1/probe',
    AlarmTopicArn: arn('alarms'),
    NoticesTopicArn: arn('notices'),
    HistoryTableName: 'history',
    MetricsNamespace: 'Mine',
  };
  return createInspection({
    allOutputs: { all: async () => ({ ...outputs, ...others }) },
    outputs: {
      output: async (name) => outputs[name] ?? '',
      all: async () => outputs,
      state: async () => (isThere ? { name: 'Mine', status: 'UPDATE_COMPLETE', outputs } : undefined),
    },
    local,
    now: () => now,
    sqs: async () => answering(new SQSClient(anyAccount), answer),
    sns: async () => answering(new SNSClient(anyAccount), answer),
    dynamoDb: async () => answering(new DynamoDBClient(anyAccount), answer),
    cloudWatch: async () => answering(new CloudWatchClient(anyAccount), answer),
    lambda: async () => answering(new LambdaClient(anyAccount), answer),
  });
}

describe('an inspection', () => {
  it('reads how many functions may run at once, or says that Lambda does not report it', async () => {
    const answers = (AccountLimit: object) =>
      inspect((command) => {
        expect(command).toBe('GetAccountSettingsCommand');
        return { AccountLimit };
      }).maxConcurrency();
    expect(await answers({ ConcurrentExecutions: 10 })).toBe(10);
    await expect(answers({})).rejects.toThrow('Lambda does not report');
  });

  it('reads the stack of the pipeline, or finds none', async () => {
    expect(await inspect(() => ({})).stack()).toMatchObject({
      name: 'Mine',
      status: 'UPDATE_COMPLETE',
      outputs: { HistoryTableName: 'history' },
    });
    expect(await inspect(() => ({}), false, {}, false).stack()).toBeUndefined();
  });

  it('reads the alarms of the stack that are on, and asks for none without a stack', async () => {
    const answer: Answer = (command, { AlarmNamePrefix }) => {
      expect([command, AlarmNamePrefix]).toEqual(['DescribeAlarmsCommand', 'Mine-']);
      return { MetricAlarms: [{ AlarmName: 'Mine-QueueBehindAlarm7C1F-1B2C3D4E5F6G' }] };
    };
    expect((await inspect(answer).alarmsOn()).map(({ name }) => name)).toEqual([
      'Mine-QueueBehindAlarm7C1F-1B2C3D4E5F6G',
    ]);
    const asked = () => {
      throw new Error('asked');
    };
    expect(await inspect(asked, false, {}, false).alarmsOn()).toEqual([]);
  });

  const ages = (...values: number[]) => ({
    Datapoints: values.map((Maximum, index) => ({ Timestamp: new Date(now - index * 60_000), Maximum })),
  });
  it.each([
    ['the newest age of SQS', ages(90, 300), ages(), false, 90],
    ['how long messages fail, which SQS leaves out', ages(1), ages(400_000), false, 400],
    ['none where no metric has it', ages(), ages(), false, undefined],
    ['none on this machine', ages(90), ages(90), true, undefined],
  ])('counts the queues that functions read, with %s', async (_, sqs, failing, local, oldestSeconds) => {
    const inspection = inspect((command, input) => {
      if (command !== 'GetMetricStatisticsCommand')
        // What fails is in flight nearly always.
        return {
          Attributes: { ApproximateNumberOfMessages: '0', ApproximateNumberOfMessagesNotVisible: '1' },
        };
      if (input.Namespace === 'AWS/SQS') {
        expect(input.Dimensions).toEqual([{ Name: 'QueueName', Value: 'events' }]);
        return sqs;
      }
      const dimensions = [{ Name: 'service', Value: 'worker' }];
      expect(input).toMatchObject({ Namespace: 'Mine', MetricName: 'FailingFor', Dimensions: dimensions });
      return failing;
    }, local);
    expect(await inspection.queues()).toEqual([
      { name: 'EventsQueueUrl', waiting: 0, inFlight: 1, oldestSeconds },
    ]);
  });

  it('counts the queues of all sources, each with the messages that its own worker fails', async () => {
    const asked: unknown[] = [];
    const inspection = inspect(
      (command, { MetricName, Dimensions }) => {
        if (command !== 'GetMetricStatisticsCommand')
          return {
            Attributes: { ApproximateNumberOfMessages: '2', ApproximateNumberOfMessagesNotVisible: '0' },
          };
        if (MetricName === 'FailingFor') asked.push(Dimensions);
        return ages();
      },
      false,
      {
        SourceBrazilBackupEventsQueueUrl: 'https://sqs.test/1/backup',
        SourcePlanABEventsQueueUrl: 'https://sqs.test/1/plan',
      },
    );
    const names = (await inspection.queues()).map(({ name }) => name);
    expect(names).toEqual([
      'EventsQueueUrl',
      'SourceBrazilBackupEventsQueueUrl',
      'SourcePlanABEventsQueueUrl',
    ]);
    expect(asked).toEqual([
      [{ Name: 'service', Value: 'worker' }],
      [{ Name: 'service', Value: 'worker-brazil-backup' }],
      [{ Name: 'service', Value: 'worker-plan-a-b' }],
    ]);
  });

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

  it('reads the alarms that only notify, sets one off, and reads the outcome', async () => {
    const ofTopic = [arn('alarms')];
    const alarms = await inspect((command, input) => {
      if (command === 'DescribeAlarmsCommand') {
        expect(input).toEqual({ AlarmNames: ['a', 'b'], AlarmTypes: ['MetricAlarm'] });
        return {
          MetricAlarms: [
            { AlarmName: 'a', AlarmActions: ofTopic, ActionsEnabled: true, StateValue: 'OK' },
            { AlarmName: 'b', AlarmActions: ofTopic, ActionsEnabled: true, StateValue: 'ALARM' },
            { AlarmName: 'c', AlarmActions: ofTopic, ActionsEnabled: false },
            {
              AlarmName: 'd',
              AlarmActions: [...ofTopic, 'arn:aws:automate:x:ec2:stop'],
              ActionsEnabled: true,
            },
          ],
        };
      }
      if (command === 'SetAlarmStateCommand')
        expect(input).toMatchObject({ AlarmName: 'a', StateValue: 'ALARM' });
      return {
        AlarmHistoryItems: [
          { HistorySummary: 'Successfully executed action x' },
          { HistorySummary: 'Failed to' },
        ],
      };
    }).alarms();
    expect(await alarms.read(['a', 'b'])).toEqual([
      { name: 'a', topicArns: ofTopic, isOn: false },
      { name: 'b', topicArns: ofTopic, isOn: true },
    ]);
    await alarms.setOff('a', 'a test');
    expect((await alarms.actions('a', now)).map(({ hasSucceeded }) => hasSucceeded)).toEqual([true, false]);
  });
});
