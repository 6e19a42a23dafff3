import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { metricNames } from '../../../functions/runtime/metrics.ts';
import { OperatorAlarm } from '../../../lib/building-blocks/operator-alarm.ts';
import { functionNames } from '../../../lib/bundling/function-code.ts';
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
  if (metric === '5xx') return 'AWS/ApiGateway';
  return ['Errors', 'IteratorAge', 'Throttles'].includes(metric) ? 'AWS/Lambda' : 'SmsPipeline';
}

/** The metrics that a filter counts in the access log, and that therefore have no dimension. */
const counted = ['WebhookServerErrors', 'RequestsThrottled'];

const services = functionNames.map((name) => posix.basename(name));
const resourceIds = new Set(
  everyTemplate({ ...everyFunction, ...withSources }).flatMap((template) =>
    Object.keys(template.toJSON().Resources),
  ),
);

describe('alarms', () => {
  it.each(everyAlarm())(
    '%s looks at a metric that something publishes, at 1 or more',
    (_, { Properties }) => {
      const { MetricName, Namespace, Dimensions = [], ...rest } = Properties;
      const metric = String(MetricName);
      expect(Namespace).toBe(namespaceOf(metric));
      expect(rest).toMatchObject({ ComparisonOperator: 'GreaterThanOrEqualToThreshold' });
      expect(rest.Threshold).toBeGreaterThanOrEqual(1);
      const values = (Dimensions as { Value: unknown }[]).map(({ Value }) => flattened(Value));
      if (Namespace !== 'SmsPipeline') {
        expect(values.filter((value) => resourceIds.has(value))).toHaveLength(1);
      } else if (!counted.includes(metric)) {
        expect(Object.values<string>(metricNames)).toContain(metric);
        expect(services).toContain(values.join());
      }
    },
  );

  // Invoked every so many seconds, give or take some: one of three periods may see no run.
  it.each([
    ['SetupReconcileFailed', 300],
    ['SweepSweepErrors', 3600],
    ['ExporterExportFailed', 21_600],
    ['FailureAlertAlertErrors', 900],
    ['BillingWatchBillingWatchErrors', 86_400],
  ])('%s goes off in two of three periods of its schedule', (id, Period) => {
    const found = everyTemplate(everyFunction)
      .flatMap(alarmsOf)
      .filter(([name]) => name.startsWith(id));
    expect(found.map(([, { Properties }]) => Properties)).toMatchObject([
      { Period, DatapointsToAlarm: 2, EvaluationPeriods: 3 },
    ]);
  });

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
