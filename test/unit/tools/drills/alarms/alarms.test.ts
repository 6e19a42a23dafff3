import { describe, expect, it } from 'vitest';
import { parseTemplate } from '../../../../../local/cloudformation/template.ts';
import { highestDatapoint, readAlarms, readFunctions } from '../../../../../tools/drills/alarms/alarms.ts';

const alarm = (properties: object) => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    Threshold: 1,
    Period: 60,
    Statistic: 'Sum',
    AlarmDescription: 'CAUSE: c. IMPACT: i. FIRST: f. RUNBOOK: docs/operate/alarms.md, "A page".',
    ...properties,
  },
});

const stack = {
  name: 'P-Pipeline',
  assets: new Map([['code.zip', '/assets/code']]),
  template: parseTemplate({
    Resources: {
      EventsWorkerFunction02BD5300: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          Code: { S3Key: 'code.zip' },
          Environment: { Variables: { POWERTOOLS_SERVICE_NAME: 'worker' } },
        },
      },
      EventsConsumerErrorsAlarm7A71F5B9: alarm({
        Namespace: 'AWS/Lambda',
        MetricName: 'Errors',
        Dimensions: [{ Name: 'FunctionName', Value: { Ref: 'EventsWorkerFunction02BD5300' } }],
      }),
      EventsQueueBehindAlarmADFAAD9A: alarm({
        Namespace: 'AWS/SQS',
        MetricName: 'ApproximateAgeOfOldestMessage',
        Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': ['EventsQueue7396B467', 'QueueName'] } }],
        Statistic: 'Maximum',
        Threshold: 300,
      }),
      EventsNotStoredAlarm542D5CD8: {
        Type: 'AWS::CloudWatch::CompositeAlarm',
        Properties: {
          AlarmRule: {
            'Fn::Join': [
              '',
              ['(ALARM("', { 'Fn::GetAtt': ['EventsQueueBehindAlarmADFAAD9A', 'Arn'] }, '"))'],
            ],
          },
        },
      },
      IngestRequestsNotAcceptedAlarmAF988DE5: {
        Type: 'AWS::CloudWatch::Alarm',
        Properties: {
          ComparisonOperator: 'GreaterThanOrEqualToThreshold',
          Threshold: 1,
          Metrics: [
            { Id: 'expr_1', Expression: 'serverErrors + throttled', ReturnData: true },
            ...['WebhookServerErrors', 'RequestsThrottled'].map((MetricName) => ({
              MetricStat: { Metric: { MetricName, Namespace: 'SmsPipeline' }, Period: 60, Stat: 'Sum' },
            })),
          ],
        },
      },
    },
  }),
};

it('the alarms of a template watch functions and queues by the names that a local run gives them', () => {
  const rows = readAlarms([stack]).map(({ id, metrics, members, threshold }) => [
    id,
    ...metrics.map(({ series, statistic }) => `${statistic} of ${series}`),
    ...members,
    threshold,
  ]);
  expect(rows).toEqual([
    [
      'EventsConsumerErrors',
      'Sum of AWS/Lambda/Errors/FunctionName=P-Pipeline-EventsWorkerFunction02BD5300',
      1,
    ],
    [
      'EventsQueueBehind',
      'Maximum of AWS/SQS/ApproximateAgeOfOldestMessage/QueueName=P-Pipeline-EventsQueue7396B467',
      300,
    ],
    ['EventsNotStored', 'EventsQueueBehind', 1],
    [
      'IngestRequestsNotAccepted',
      'Sum of SmsPipeline/WebhookServerErrors',
      'Sum of SmsPipeline/RequestsThrottled',
      1,
    ],
  ]);
  expect(readAlarms([stack])[0]?.page).toBe('A page');
  expect(readFunctions([stack])).toEqual([
    { label: 'worker', name: 'P-Pipeline-EventsWorkerFunction02BD5300', codeDirectory: '/assets/code' },
  ]);
});

describe('the highest data point of an alarm', () => {
  const at = (seconds: number, value: number) => ({ at: seconds * 1000, value });
  const metric = (statistic: 'Sum' | 'Maximum', ...samples: ReturnType<typeof at>[]) => ({
    statistic,
    samples,
  });

  it.each<[string, ReturnType<typeof metric>[], number | undefined]>([
    ['is none where there is no data', [metric('Sum')], undefined],
    ['sums within a period, and never over its border', [metric('Sum', at(59, 6), at(60, 6), at(119, 3))], 9],
    ['is the largest value of a maximum, not their sum', [metric('Maximum', at(1, 4), at(2, 5))], 5],
    ['is there with the value 0 where nothing was counted', [metric('Sum', at(1, 0))], 0],
    [
      'adds up metrics, a missing one as 0',
      [metric('Maximum', at(1, 4), at(61, 3)), metric('Maximum', at(70, 2))],
      5,
    ],
  ])('%s', (_, given, highest) => {
    const metrics = given.map(({ statistic }, index) => ({
      series: String(index),
      statistic,
      periodSeconds: 60,
    }));
    expect(highestDatapoint(metrics, (series) => given[Number(series)]?.samples ?? [])).toBe(highest);
  });
});
