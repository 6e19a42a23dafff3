import { describe, expect, it } from 'vitest';
import { parseTemplate } from '../../../../../local/cloudformation/template.ts';
import { readAlarms, readFunctions } from '../../../../../tools/drills/alarms/alarms.ts';

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

describe('the alarms of a template', () => {
  it('watch functions and queues by the names that a local run gives them', () => {
    expect(
      readAlarms([stack]).map(({ id, series, statistic, threshold, page }) => [
        id,
        series,
        statistic,
        threshold,
        page,
      ]),
    ).toEqual([
      [
        'EventsConsumerErrors',
        'AWS/Lambda/Errors/FunctionName=P-Pipeline-EventsWorkerFunction02BD5300',
        'Sum',
        1,
        'A page',
      ],
      [
        'EventsQueueBehind',
        'AWS/SQS/ApproximateAgeOfOldestMessage/QueueName=P-Pipeline-EventsQueue7396B467',
        'Maximum',
        300,
        'A page',
      ],
      ['IngestServerErrors', 'SmsPipeline/WebhookServerErrors', 'Sum', 1, 'A page'],
    ]);
    expect(readFunctions([stack])).toEqual([
      { label: 'worker', name: 'P-Pipeline-EventsWorkerFunction02BD5300', codeDirectory: '/assets/code' },
    ]);
  });

  it.each([
    ['below its threshold', { ComparisonOperator: 'LessThanThreshold' }],
    ['of a statistic that is not evaluated', { Statistic: 'Average' }],
  ])('end the drill where one goes off %s', (_, properties) => {
    const Resources = { XAlarm12345678: alarm({ Namespace: 'N', MetricName: 'M', ...properties }) };
    expect(() => readAlarms([{ ...stack, template: parseTemplate({ Resources }) }])).toThrow();
  });
});
