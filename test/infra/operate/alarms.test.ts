import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { metricNames } from '../../../functions/runtime/metrics.ts';
import { OperatorAlarm } from '../../../lib/building-blocks/operator-alarm.ts';
import { compileAccessLog } from '../../../local/services/api-gateway/access-log.ts';
import { compileFilterPattern } from '../../../local/services/cloudwatch-logs/api.ts';
import {
  allAutomations,
  analysisTemplate,
  automationsTemplate,
  buildApp,
  functionNamed,
  resource,
  resourcesOf,
  templatesFor,
} from '../support/built-app.ts';

const { pipeline } = templatesFor();
const analysis = analysisTemplate();
const { events } = templatesFor();
const automations = automationsTemplate();
const alarmsOf = (template: Template) => Object.entries(resourcesOf(template, 'AWS::CloudWatch::Alarm'));
const alarms = alarmsOf(pipeline);
const withSources = { 'sms:allowedSourceIps': '192.0.2.0/24' };

const runbook = readFileSync(join(import.meta.dirname, '../../../docs/runbook.md'), 'utf8');
const runbookHeadings = (runbook.match(/^## .+$/gm) ?? []).map((heading) => heading.slice('## '.length));

/** The maximum length of a description in CloudWatch ("PutMetricAlarm", API Reference). */
const maxCharacters = 1024;

/** Returns the alarms of every template with the settings that change texts: the defaults, and those with the longest texts. */
function everyAlarm() {
  const everything = { ...allAutomations, ...withSources, 'sms:exportToS3': 'daily' };
  const longest = {
    'sms:webhookDrift': 'report',
    'sms:parkUnverified': 'always',
    'sms:staleAfterHours': 8760,
    'sms:failureAlertMinutes': 1440,
  };
  const withoutLog = { ...withSources, 'sms:accessLog': 'off' };
  return [everything, { ...everything, ...longest }, withoutLog].flatMap((context) =>
    Object.values(templatesFor(context)).flatMap((template) => (template ? alarmsOf(template) : [])),
  );
}

/** The alarm on a metric, of this function where several have one. */
function alarmOn(metric: string, functionId?: string, template = pipeline) {
  const dimension = { Name: 'FunctionName', Value: { Ref: functionId } };
  const found = alarmsOf(template).filter(
    ([, { Properties }]) =>
      Properties.MetricName === metric &&
      (functionId === undefined || isDeepStrictEqual(Properties.Dimensions, [dimension])),
  );
  expect(found).toHaveLength(1);
  return found[0]?.[1].Properties;
}

/** The metric filter that counts for an alarm, tried on the access log as the stage writes it. */
function counterOf(metric: string) {
  const { Properties } = resource(pipeline, 'AWS::Logs::MetricFilter', `WebhookAccessLog${metric}`);
  const { LogGroupName, FilterPattern: pattern } = filterSchema.parse(Properties);
  expect(Properties.MetricTransformations).toEqual([
    { MetricName: metric, MetricNamespace: 'SmsPipeline', MetricValue: '1' },
  ]);
  const stage = resource(pipeline, 'AWS::ApiGatewayV2::Stage').Properties;
  const { DestinationArn, Format } = accessLogSchema.parse(stage.AccessLogSettings);
  expect(DestinationArn).toEqual({ 'Fn::GetAtt': [LogGroupName.Ref, 'Arn'] });
  const matches = compileFilterPattern(pattern);
  const lineOf = compileAccessLog(Format);
  return {
    pattern,
    an: (routeKey: string, status: number) => {
      const request = { requestId: 'any', 'identity.sourceIp': '192.0.2.1', responseLatency: '3' };
      return matches(lineOf({ ...request, routeKey, status: String(status) }));
    },
  };
}

const filterSchema = z.looseObject({
  LogGroupName: z.object({ Ref: z.string() }),
  FilterPattern: z.string(),
});
const accessLogSchema = z.object({ DestinationArn: z.unknown(), Format: z.string() });

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

  it('go off at the first 5xx of the webhook, and at no query', () => {
    expect(alarmOn('WebhookServerErrors')).toMatchObject({
      Namespace: 'SmsPipeline',
      Threshold: 1,
      EvaluationPeriods: 1,
      Period: 60,
      Statistic: 'Sum',
    });
    const counts = counterOf('WebhookServerErrors');
    expect(counts.pattern).toBe('{ ($.routeKey = "ANY /webhooks/sms") && ($.status = "5*") }');
    expect(counts.an('ANY /webhooks/sms', 503)).toBe(true);
    expect(counts.an('ANY /webhooks/sms', 429)).toBe(false);
    expect(counts.an('ANY /v1/{proxy+}', 503)).toBe(false);
  });

  it('go off at the first throttled request of any route except queries, which have their own limit', () => {
    expect(alarmOn('RequestsThrottled')).toMatchObject({
      Namespace: 'SmsPipeline',
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 1,
      EvaluationPeriods: 1,
      Period: 60,
      Statistic: 'Sum',
    });
    const counts = counterOf('RequestsThrottled');
    expect(counts.pattern).toBe('{ ($.status = "429") && ($.routeKey != "ANY /v1/*") }');
    expect(counts.an('ANY /webhooks/sms', 429)).toBe(true);
    // If the account's quota is used up, API Gateway may not have selected a route yet.
    expect(counts.an('-', 429)).toBe(true);
    for (const status of [200, 401, 403, 404, 503])
      expect(counts.an('ANY /webhooks/sms', status)).toBe(false);
    const { RouteSettings } = resource(pipeline, 'AWS::ApiGatewayV2::Stage').Properties;
    for (const route of Object.keys(Object(RouteSettings))) expect(counts.an(route, 429)).toBe(false);
  });

  it.each([
    ['worker', pipeline, 300_000],
    ['opt-out', automations, 600_000],
    ['contact-sync', automations, 600_000],
    ['forward', automations, 600_000],
  ] as const)('go off when messages of %s have failed for minutes', (service, template, Threshold) => {
    expect(Object.values<string>(metricNames)).toContain('FailingFor');
    const found = alarmsOf(template).filter(
      ([, { Properties }]) =>
        Properties.MetricName === 'FailingFor' &&
        isDeepStrictEqual(Properties.Dimensions, [{ Name: 'service', Value: service }]),
    );
    expect(found).toHaveLength(1);
    // In milliseconds, as it is counted.
    expect(found[0]?.[1].Properties).toMatchObject({
      Namespace: 'SmsPipeline',
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold,
      EvaluationPeriods: 1,
      Statistic: 'Maximum',
    });
  });

  it('go off when the query function fails three times in five minutes', () => {
    expect(alarmOn('Errors', functionNamed(pipeline, 'query').id)).toMatchObject({
      Namespace: 'AWS/Lambda',
      Threshold: 3,
      EvaluationPeriods: 1,
      Period: 300,
      Statistic: 'Sum',
    });
  });

  it.each([
    // Every six hours.
    ['exporter', analysis, 21_600],
    ['sweep', pipeline, 3600],
  ] as const)('go off when %s fails in two of three periods between runs', (name, template, Period) => {
    expect(alarmOn('Errors', functionNamed(template, name).id, template)).toMatchObject({
      Namespace: 'AWS/Lambda',
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 1,
      Statistic: 'Sum',
      EvaluationPeriods: 3,
      DatapointsToAlarm: 2,
      Period,
    });
  });

  it('go off when the sweep does not complete in two of three hours', () => {
    expect(Object.values<string>(metricNames)).toContain('SweepsUnfinished');
    expect(alarmOn('SweepsUnfinished')).toMatchObject({
      Dimensions: [{ Name: 'service', Value: 'sweep' }],
      EvaluationPeriods: 3,
      DatapointsToAlarm: 2,
      Period: 3600,
    });
  });

  it('go off when the publisher is five minutes behind, fails, is throttled, or cannot publish an event', () => {
    expect(alarmOn('IteratorAge', functionNamed(events, 'publisher').id, events)).toMatchObject({
      Namespace: 'AWS/Lambda',
      Threshold: 300_000,
      Statistic: 'Maximum',
      Period: 60,
    });
    expect(alarmOn('Errors', functionNamed(events, 'publisher').id, events)).toMatchObject({
      Threshold: 1,
      EvaluationPeriods: 3,
      Period: 60,
    });
    expect(alarmOn('Throttles', functionNamed(events, 'publisher').id, events)).toMatchObject({
      Namespace: 'AWS/Lambda',
      Threshold: 1,
      EvaluationPeriods: 3,
      Statistic: 'Sum',
      Period: 60,
    });
    expect(alarmOn('PublishRefused', undefined, events)).toMatchObject({
      Namespace: 'SmsPipeline',
      Dimensions: [{ Name: 'service', Value: 'publisher' }],
      Threshold: 1,
      EvaluationPeriods: 1,
    });
    expect(Object.values<string>(metricNames)).toContain('PublishRefused');
    const failures = resource(events, 'AWS::SQS::Queue').id;
    expect(alarmOn('ApproximateNumberOfMessagesVisible', undefined, events)).toMatchObject({
      Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [failures, 'QueueName'] } }],
      Threshold: 1,
      EvaluationPeriods: 1,
    });
  });

  it.each([
    ['automations/failure-alert', 900],
    ['automations/billing-watch', 86_400],
  ] as const)('go off when %s fails in two of three periods of %i s', (name, Period) => {
    expect(alarmOn('Errors', functionNamed(automations, name).id, automations)).toMatchObject({
      EvaluationPeriods: 3,
      DatapointsToAlarm: 2,
      Period,
    });
  });

  it.each(['opt-out', 'contact-sync', 'forward'] as const)('go off when %s keeps failing', (name) => {
    const { id } = functionNamed(automations, `automations/${name}`);
    expect(alarmOn('Errors', id, automations)).toMatchObject({ EvaluationPeriods: 3, Period: 60 });
  });

  it('go off when exports fail in two of three periods between runs', () => {
    expect(Object.values<string>(metricNames)).toContain('ExportFailed');
    expect(alarmOn('ExportFailed', undefined, analysis)).toMatchObject({
      Namespace: 'SmsPipeline',
      Dimensions: [{ Name: 'service', Value: 'exporter' }],
      Threshold: 1,
      Statistic: 'Sum',
      EvaluationPeriods: 3,
      DatapointsToAlarm: 2,
      Period: 21_600,
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
    ['ingest', 'RejectedSource', 10, 1, 1],
    ['setup', 'WebhookDrifted', 1, 1, 1],
    ['setup', 'ReconcileFailed', 1, 2, 3],
    ['query', 'QueryFailed', 3, 1, 1],
  ])(
    'watch what %s counts as %s, as it counts it: %i or more, in %i of %i periods',
    (service, metric, Threshold, times, periods) => {
      expect(Object.values<string>(metricNames)).toContain(metric);
      expect(alarmOn(metric, undefined, templatesFor(withSources).pipeline)).toMatchObject({
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

  it('watch the addresses of requests only when the settings restrict them', () => {
    expect(alarms.filter(([, { Properties }]) => Properties.MetricName === 'RejectedSource')).toEqual([]);
  });

  it.each(everyAlarm())(
    '%s describes cause, impact, first step and runbook page, and stays OK without data',
    (_, { Properties }) => {
      expect(Properties.AlarmDescription).toMatch(/^CAUSE: .+\. IMPACT: .+\. FIRST: .+\. RUNBOOK: .+\.$/);
      expect(String(Properties.AlarmDescription).length).toBeLessThanOrEqual(maxCharacters);
      expect(Properties.TreatMissingData).toBe('notBreaching');
    },
  );

  it.each(everyAlarm())('%s names an existing page of the runbook', (_, { Properties }) => {
    const page = /RUNBOOK: docs\/runbook\.md, "(.+)"\.$/.exec(String(Properties.AlarmDescription))?.[1];
    expect(runbookHeadings.filter((heading) => page !== undefined && heading.startsWith(page))).toHaveLength(
      1,
    );
  });

  it('are named on their page of the runbook', () => {
    const app = buildApp({ ...allAutomations, ...withSources, 'sms:exportToS3': 'daily' }).app;
    const found = app.node.findAll().filter((construct) => construct instanceof OperatorAlarm);
    const ids = found.map(({ node }) => node.id);
    expect(ids).toEqual(expect.arrayContaining(['PublisherThrottled', 'RejectedSource']));
    for (const { node, page } of found) {
      const text = runbook.split(/^## /m).find((section) => section.startsWith(page));
      expect(text).toMatch(new RegExp(`\\b${node.id}\\b`));
    }
  });

  it('notify the topic of the settings when they begin and end, and have no action without a topic', () => {
    const topic = 'arn:aws:sns:us-east-1:000000000000:ops';
    for (const [, { Properties }] of alarms) expect(Properties).not.toHaveProperty('AlarmActions');
    const context = { 'sms:alarmTopicArn': topic };
    const notifying = [...alarmsOf(templatesFor(context).pipeline), ...alarmsOf(analysisTemplate(context))];
    expect(notifying).toHaveLength(alarms.length + alarmsOf(analysis).length);
    for (const [, { Properties }] of notifying) {
      expect(Properties.AlarmActions).toEqual([topic]);
      // Between two attempts there is no data, which does not mean that the problem is over.
      expect(Properties.OKActions).toEqual(Properties.MetricName === 'FailingFor' ? undefined : [topic]);
    }
  });
});
