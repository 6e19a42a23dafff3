import { describe, expect, it } from 'vitest';
import { metricNames } from '../../functions/runtime/metric-catalogue.ts';
import { functionNamed, resource, resourcesOf, templatesFor } from './support.ts';

const { pipeline } = templatesFor();
const alarms = Object.entries(resourcesOf(pipeline, 'AWS::CloudWatch::Alarm'));

function alarmOn(metric: string) {
  const found = alarms.filter(([, { Properties }]) => Properties.MetricName === metric);
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

  it('go off when the worker keeps failing', () => {
    expect(alarmOn('Errors')).toMatchObject({
      Namespace: 'AWS/Lambda',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: functionNamed(pipeline, 'worker').id } }],
      EvaluationPeriods: 3,
    });
  });

  it.each([
    ['worker', 'EventsQuarantined'],
    ['ingest', 'RequestsRejected'],
  ])('watch what %s counts as %s, under the name and dimension it counts it', (service, metric) => {
    expect(Object.values<string>(metricNames)).toContain(metric);
    expect(alarmOn(metric)).toMatchObject({
      Namespace: 'SmsPipeline',
      Dimensions: [{ Name: 'service', Value: service }],
    });
  });

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
