import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { metricNames } from '../../functions/runtime/metric-catalogue.ts';
import { functionNamed, resource, resourcesOf, templatesFor } from './support.ts';

const { pipeline } = templatesFor();
const alarms = Object.entries(resourcesOf(pipeline, 'AWS::CloudWatch::Alarm'));

/** The alarm on a metric, of this function where several have one. */
function alarmOn(metric: string, functionId?: string) {
  const dimension = { Name: 'FunctionName', Value: { Ref: functionId } };
  const found = alarms.filter(
    ([, { Properties }]) =>
      Properties.MetricName === metric &&
      (functionId === undefined || isDeepStrictEqual(Properties.Dimensions, [dimension])),
  );
  expect(found).toHaveLength(1);
  return found[0]?.[1].Properties;
}

describe('alarms', () => {
  it('go off at the first dead letter', () => {
    expect(alarmOn('ApproximateNumberOfMessagesVisible')).toMatchObject({
      Dimensions: [
        { Name: 'QueueName', Value: { 'Fn::GetAtt': ['EventsDeadLetters8A90034E', 'QueueName'] } },
      ],
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 1,
      EvaluationPeriods: 1,
      Period: 60,
      Statistic: 'Maximum',
    });
  });

  it('go off when events wait for five minutes', () => {
    expect(alarmOn('ApproximateAgeOfOldestMessage')).toMatchObject({
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': ['EventsQueue7396B467', 'QueueName'] } }],
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 300,
      Statistic: 'Maximum',
    });
  });

  it('go off at the first request that was not accepted for our fault', () => {
    expect(alarmOn('5xx')).toMatchObject({
      Namespace: 'AWS/ApiGateway',
      Dimensions: [{ Name: 'ApiId', Value: { Ref: resource(pipeline, 'AWS::ApiGatewayV2::Api').id } }],
      Threshold: 1,
      EvaluationPeriods: 1,
      Statistic: 'Sum',
    });
  });

  it.each([
    ['worker', 60, 3],
    // Invoked every five minutes, give or take some seconds: one of three periods may see no run.
    ['setup', 300, 2],
  ] as const)('go off when %s keeps failing, in periods of %i s, in %i of three', (name, Period, times) => {
    expect(alarmOn('Errors', functionNamed(pipeline, name).id)).toMatchObject({
      Namespace: 'AWS/Lambda',
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 1,
      Statistic: 'Sum',
      EvaluationPeriods: 3,
      DatapointsToAlarm: times,
      Period,
    });
  });

  it.each([
    ['worker', 'EventsQuarantined', 1, 1, 1],
    ['worker', 'ParkedRefused', 10, 1, 1],
    ['ingest', 'RequestsRejected', 10, 1, 1],
    ['setup', 'WebhookDrifted', 1, 1, 1],
    ['setup', 'ReconcileFailed', 1, 2, 3],
  ])(
    'watch what %s counts as %s, as it counts it: %i or more, in %i of %i periods',
    (service, metric, Threshold, times, periods) => {
      expect(Object.values<string>(metricNames)).toContain(metric);
      expect(alarmOn(metric)).toMatchObject({
        Namespace: 'SmsPipeline',
        Dimensions: [{ Name: 'service', Value: service }],
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        Threshold,
        EvaluationPeriods: periods,
        DatapointsToAlarm: times,
        Period: 300,
        Statistic: 'Sum',
      });
    },
  );

  it.each(alarms)(
    '%s says cause, impact and what to do first, and is quiet without data',
    (_, { Properties }) => {
      expect(Properties.AlarmDescription).toMatch(/^CAUSE: .+\. IMPACT: .+\. FIRST: .+\.$/);
      expect(String(Properties.AlarmDescription).length).toBeLessThan(1024);
      expect(Properties.TreatMissingData).toBe('notBreaching');
    },
  );

  it('tell nobody without a topic, and the topic of the settings when they begin and end', () => {
    const topic = 'arn:aws:sns:us-east-1:000000000000:ops';
    for (const [, { Properties }] of alarms) expect(Properties).not.toHaveProperty('AlarmActions');
    const told = resourcesOf(templatesFor({ 'sms:alarmTopicArn': topic }).pipeline, 'AWS::CloudWatch::Alarm');
    expect(Object.keys(told)).toHaveLength(alarms.length);
    for (const { Properties } of Object.values(told))
      expect(Properties).toMatchObject({ AlarmActions: [topic], OKActions: [topic] });
  });
});
