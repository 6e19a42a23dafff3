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
    AlarmDescription: 'CAUSE: c. IMPACT: i. FIRST: f. RUNBOOK: docs/runbook.md, "A page".',
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
      IngestServerErrorsAlarmAF988DE5: alarm({ Namespace: 'SmsPipeline', MetricName: 'WebhookServerErrors' }),
    },
  }),
};

it('the alarms of a template watch functions and queues by the names that a local run gives them', () => {
  const rows = readAlarms([stack]).map((found) => [found.id, found.series, found.statistic, found.threshold]);
  expect(rows).toEqual([
    [
      'EventsConsumerErrors',
      'AWS/Lambda/Errors/FunctionName=P-Pipeline-EventsWorkerFunction02BD5300',
      'Sum',
      1,
    ],
    [
      'EventsQueueBehind',
      'AWS/SQS/ApproximateAgeOfOldestMessage/QueueName=P-Pipeline-EventsQueue7396B467',
      'Maximum',
      300,
    ],
    ['IngestServerErrors', 'SmsPipeline/WebhookServerErrors', 'Sum', 1],
  ]);
  expect(readAlarms([stack])[0]?.page).toBe('A page');
  expect(readFunctions([stack])).toEqual([
    { label: 'worker', name: 'P-Pipeline-EventsWorkerFunction02BD5300', codeDirectory: '/assets/code' },
  ]);
});

describe('the highest data point of an alarm', () => {
  const at = (seconds: number, value: number) => ({ at: seconds * 1000, value });

  it.each<[string, Parameters<typeof highestDatapoint>, number | undefined]>([
    ['is none where there is no data', [[], 'Sum', 60], undefined],
    ['sums within a period, and never over its border', [[at(59, 6), at(60, 6), at(119, 3)], 'Sum', 60], 9],
    ['is the largest value of a maximum, not their sum', [[at(1, 4), at(2, 5)], 'Maximum', 60], 5],
    ['is there with the value 0 where nothing was counted', [[at(1, 0)], 'Sum', 60], 0],
  ])('%s', (_, given, highest) => {
    expect(highestDatapoint(...given)).toBe(highest);
  });
});
