import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { metricNames } from '../../../functions/runtime/metrics.ts';
import { OperatorAlarm } from '../../../lib/building-blocks/operator-alarm.ts';
import { compileAccessLog } from '../../../local/services/api-gateway/access-log.ts';
import { compileFilterPattern } from '../../../local/services/cloudwatch-logs/api.ts';
import { flattened } from '../support/allowed-actions.ts';
import {
  buildApp,
  changedSettings,
  everyFunction,
  everyTemplate,
  resource,
  resourcesOf,
  templatesFor,
} from '../support/built-app.ts';

const { pipeline } = templatesFor();
const alarmsOf = (template: Template) => Object.entries(resourcesOf(template, 'AWS::CloudWatch::Alarm'));
const withSources = { 'sms:allowedSourceIps': '192.0.2.0/24' };

const runbook = readFileSync(join(import.meta.dirname, '../../../docs/runbook.md'), 'utf8');
const runbookHeadings = (runbook.match(/^## .+$/gm) ?? []).map((heading) => heading.slice('## '.length));

/** The maximum length of a description in CloudWatch ("PutMetricAlarm", API Reference). */
const maxCharacters = 1024;

/** Returns the alarms of every template with the settings that change texts: the defaults, and those with the longest texts. */
function everyAlarm() {
  const everything = { ...everyFunction, ...withSources };
  const longest = {
    'sms:webhookDrift': 'report',
    'sms:parkUnverified': 'always',
    'sms:staleAfterHours': 8760,
    'sms:failureAlertMinutes': 1440,
  };
  return [everything, { ...everything, ...longest }, changedSettings].flatMap((context) =>
    everyTemplate(context).flatMap(alarmsOf),
  );
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

/** The namespace of a metric. */
function namespaceOf(metric: string): string {
  if (metric.startsWith('Approximate')) return 'AWS/SQS';
  return ['Errors', 'IteratorAge', 'Throttles'].includes(metric) ? 'AWS/Lambda' : 'SmsPipeline';
}

/** The metrics that a filter counts in the access log, and that therefore have no dimension. */
const counted = ['WebhookServerErrors', 'RequestsThrottled'];

describe('alarms', () => {
  // The beginning of the alarm's id; the metric and the function, service or queue it is of; what breaches, in periods of so many
  // seconds; in how many periods, of how many.
  it.each<[string, string, string, string, number, number, number, number]>([
    ['EventsDeadLetters', 'ApproximateNumberOfMessagesVisible', 'EventsDeadLetters', 'Maximum', 1, 60, 1, 1],
    ['EventsQueueBehind', 'ApproximateAgeOfOldestMessage', 'EventsQueue', 'Maximum', 300, 60, 3, 3],
    ['EventsMessagesFailing', 'FailingFor', 'worker', 'Maximum', 300_000, 300, 1, 1],
    ['EventsConsumerErrors', 'Errors', 'EventsWorker', 'Sum', 1, 60, 3, 3],
    ['EventsEventsQuarantined', 'EventsQuarantined', 'worker', 'Sum', 1, 300, 1, 1],
    ['EventsParkedRefused', 'ParkedRefused', 'worker', 'Sum', 10, 300, 1, 1],
    ['IngestServerErrors', 'WebhookServerErrors', '', 'Sum', 1, 60, 1, 1],
    ['IngestRequestsThrottled', 'RequestsThrottled', '', 'Sum', 1, 60, 1, 1],
    ['IngestRequestsRejected', 'RequestsRejected', 'ingest', 'Sum', 10, 300, 1, 1],
    ['IngestRejectedSource', 'RejectedSource', 'ingest', 'Sum', 10, 300, 1, 1],
    ['SetupWebhookDrifted', 'WebhookDrifted', 'setup', 'Sum', 1, 300, 1, 1],
    // Invoked every five minutes, give or take some seconds: one of three periods may see no run.
    ['SetupReconcileFailed', 'ReconcileFailed', 'setup', 'Sum', 1, 300, 2, 3],
    ['SetupSetupErrors', 'Errors', 'Setup', 'Sum', 1, 300, 2, 3],
    ['QueryQueryFailed', 'QueryFailed', 'query', 'Sum', 3, 300, 1, 1],
    ['QueryQueryErrors', 'Errors', 'Query', 'Sum', 3, 300, 1, 1],
    ['SweepSweepErrors', 'Errors', 'Sweep', 'Sum', 1, 3600, 2, 3],
    ['SweepSweepUnfinished', 'SweepsUnfinished', 'sweep', 'Sum', 1, 3600, 2, 3],
    ['ExporterExportFailed', 'ExportFailed', 'exporter', 'Sum', 1, 21_600, 2, 3],
    ['ExporterExporterErrors', 'Errors', 'Exporter', 'Sum', 1, 21_600, 2, 3],
    ['PublisherPublisherBehind', 'IteratorAge', 'Publisher', 'Maximum', 300_000, 60, 3, 3],
    ['PublisherPublisherErrors', 'Errors', 'Publisher', 'Sum', 1, 60, 3, 3],
    ['PublisherPublisherThrottled', 'Throttles', 'Publisher', 'Sum', 1, 60, 3, 3],
    ['PublisherPublishRefused', 'PublishRefused', 'publisher', 'Sum', 1, 300, 1, 1],
    [
      ...(['PublisherPublisherFailures', 'ApproximateNumberOfMessagesVisible', 'PublisherFailures'] as const),
      ...(['Maximum', 1, 60, 1, 1] as const),
    ],
    ['OptOutQueueBehind', 'ApproximateAgeOfOldestMessage', 'OptOutQueue', 'Maximum', 900, 60, 3, 3],
    ['OptOutMessagesFailing', 'FailingFor', 'opt-out', 'Maximum', 600_000, 300, 1, 1],
    ['OptOutConsumerErrors', 'Errors', 'OptOut', 'Sum', 1, 60, 3, 3],
    [
      'ContactSyncQueueBehind',
      'ApproximateAgeOfOldestMessage',
      'ContactSyncQueue',
      'Maximum',
      3600,
      60,
      3,
      3,
    ],
    ['ContactSyncMessagesFailing', 'FailingFor', 'contact-sync', 'Maximum', 600_000, 300, 1, 1],
    ['ContactSyncConsumerErrors', 'Errors', 'ContactSync', 'Sum', 1, 60, 3, 3],
    ['ForwardQueueBehind', 'ApproximateAgeOfOldestMessage', 'ForwardQueue', 'Maximum', 3600, 60, 3, 3],
    ['ForwardMessagesFailing', 'FailingFor', 'forward', 'Maximum', 600_000, 300, 1, 1],
    ['ForwardConsumerErrors', 'Errors', 'Forward', 'Sum', 1, 60, 3, 3],
    [
      'FailureAlertQueueBehind',
      'ApproximateAgeOfOldestMessage',
      'FailureAlertQueue',
      'Maximum',
      2700,
      60,
      3,
      3,
    ],
    ['FailureAlertAlertErrors', 'Errors', 'FailureAlert', 'Sum', 1, 900, 2, 3],
    ['BillingWatchBillingWatchErrors', 'Errors', 'BillingWatch', 'Sum', 1, 86_400, 2, 3],
  ])(
    '%s goes off at %s of %s: %s of %i or more in %i s, in %i of %i periods',
    (id, metric, of, Statistic, Threshold, Period, DatapointsToAlarm, EvaluationPeriods) => {
      const found = everyTemplate({ ...everyFunction, ...withSources })
        .flatMap(alarmsOf)
        .filter(([name]) => name.startsWith(id));
      expect(found).toHaveLength(1);
      const { Dimensions = [], ...properties } = found[0]?.[1].Properties ?? {};
      expect(properties).toMatchObject({
        ...{ MetricName: metric, Namespace: namespaceOf(metric) },
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        ...{ Statistic, Threshold, Period, DatapointsToAlarm, EvaluationPeriods },
      });
      const values = (Dimensions as { Value: unknown }[]).map(({ Value }) => flattened(Value));
      expect(values).toEqual(of === '' ? [] : [expect.stringMatching(new RegExp(`^${of}`))]);
      const isOwn = namespaceOf(metric) === 'SmsPipeline' && !counted.includes(metric);
      if (isOwn) expect(Object.values<string>(metricNames)).toContain(metric);
    },
  );

  it('on 5xx of the webhook count no query', () => {
    const counts = counterOf('WebhookServerErrors');
    expect(counts.pattern).toBe('{ ($.routeKey = "ANY /webhooks/sms") && ($.status = "5*") }');
    expect(counts.an('ANY /webhooks/sms', 503)).toBe(true);
    expect(counts.an('ANY /webhooks/sms', 429)).toBe(false);
    expect(counts.an('ANY /v1/{proxy+}', 503)).toBe(false);
  });

  it('on throttled requests count every route except queries, which have their own limit', () => {
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

  it('watch the addresses of requests only when the settings restrict them', () => {
    expect(JSON.stringify(alarmsOf(pipeline))).not.toContain('"RejectedSource"');
  });

  it.each(everyAlarm())(
    '%s describes cause, impact, first step and an existing page of the runbook, and stays OK without data',
    (_, { Properties }) => {
      const description = String(Properties.AlarmDescription);
      expect(description.length).toBeLessThanOrEqual(maxCharacters);
      const [, page] =
        /^CAUSE: .+\. IMPACT: .+\. FIRST: .+\. RUNBOOK: docs\/runbook\.md, "(.+)"\.$/.exec(description) ?? [];
      const found = runbookHeadings.filter((heading) => page !== undefined && heading.startsWith(page));
      expect(found).toHaveLength(1);
      expect(Properties.TreatMissingData).toBe('notBreaching');
    },
  );

  it('are named on their page of the runbook', () => {
    const app = buildApp({ ...everyFunction, ...withSources }).app;
    const found = app.node.findAll().filter((construct) => construct instanceof OperatorAlarm);
    const ids = found.map(({ node }) => node.id);
    expect(ids).toEqual(expect.arrayContaining(['PublisherThrottled', 'RejectedSource']));
    for (const { node, page } of found) {
      const text = runbook.split(/^## /m).find((section) => section.startsWith(page));
      expect(text).toMatch(new RegExp(`\\b${node.id}\\b`));
    }
  });

  it('notify the topic of the settings when they begin and end, and have no action without a topic', () => {
    const topic = changedSettings['sms:alarmTopicArn'];
    const plain = everyTemplate(everyFunction).flatMap(alarmsOf);
    for (const [, { Properties }] of plain) expect(Properties).not.toHaveProperty('AlarmActions');
    const notifying = everyTemplate(changedSettings).flatMap(alarmsOf);
    expect(notifying.length).toBeGreaterThan(20);
    for (const [, { Properties }] of notifying) {
      expect(Properties.AlarmActions).toEqual([topic]);
      // Between two attempts there is no data, which does not mean that the problem is over.
      expect(Properties.OKActions).toEqual(Properties.MetricName === 'FailingFor' ? undefined : [topic]);
    }
  });
});
