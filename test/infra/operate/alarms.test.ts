import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readSettings } from '../../../lib/app/read-settings.ts';
import { IncidentAlarm } from '../../../lib/building-blocks/incident-alarm.ts';
import { OperatorAlarm } from '../../../lib/building-blocks/operator-alarm.ts';
import { functionNames } from '../../../lib/bundling/function-code.ts';
import { compileAccessLog } from '../../../local/services/api-gateway/access-log.ts';
import { compileFilterPattern } from '../../../local/services/cloudwatch-logs/api.ts';
import { metricCatalogue } from '../../../tools/generate/metrics-reference.ts';
import { largest } from '../deployable/synthesized.ts';
import { flattened } from '../support/allowed-actions.ts';
import {
  buildApp,
  changedSettings,
  constructOf,
  everyFunction,
  functionNamed,
  isBelow,
  type Resource,
  resource,
  resourcesOf,
  templateFor,
} from '../support/built-app.ts';

const pipeline = templateFor();
const alarmsOf = (template: Template) => Object.entries(resourcesOf(template, 'AWS::CloudWatch::Alarm'));
const incidentsOf = (template: Template) =>
  Object.entries(resourcesOf(template, 'AWS::CloudWatch::CompositeAlarm'));
const allOf = (template: Template) => [...alarmsOf(template), ...incidentsOf(template)];
const withSources = { 'sms:allowedSourceIps': '192.0.2.0/24' };

const runbook = readFileSync(join(import.meta.dirname, '../../../docs/operate/alarms.md'), 'utf8');
const runbookHeadings = (runbook.match(/^## .+$/gm) ?? []).map((heading) => heading.slice('## '.length));
const anchors = runbookHeadings.map((heading) =>
  heading
    .toLowerCase()
    .replaceAll(' ', '-')
    .replaceAll(/[^\w-]/g, ''),
);

/** The maximum length of a description in CloudWatch ("PutMetricAlarm", API Reference). */
const maxCharacters = 1024;

const everything = { ...everyFunction, ...withSources };

/** The settings that change texts: the defaults, and those with the longest texts. */
const contexts = [
  everything,
  {
    ...everything,
    'sms:webhookDrift': 'report',
    'sms:parkUnverified': 'always',
    'sms:staleAfterHours': 8760,
    'sms:retentionDays': 3650,
    'sms:failureAlertMinutes': 1440,
  },
  changedSettings,
  largest,
];

/** Of the stack with the usual name. */
const everyAlarm = () => contexts.slice(0, -1).flatMap((context) => alarmsOf(templateFor(context)));

const metricSchema = z.object({
  Namespace: z.string(),
  MetricName: z.string(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })).default([]),
});

/** The metrics of an alarm, with their periods in seconds. */
function metricsOf({ Properties }: Resource) {
  const { Metrics, Period } = z
    .object({ Metrics: z.array(z.record(z.string(), z.unknown())).optional(), Period: z.number().optional() })
    .parse(Properties);
  if (Metrics === undefined) return [{ ...metricSchema.parse(Properties), period: Period }];
  const [sum, ...terms] = Metrics;
  const names = terms.map(({ Id }) => Id);
  const added =
    names[0] === 'accepted'
      ? `IF(accepted + 0 * (${names.slice(1).join(' + ')}) < 1, ${names.slice(1).join(' + ')}, 0)`
      : names.join(' + ');
  const percentage = /^100 \* requests \/ \(60 \* \d+\)$/;
  expect(sum?.Expression).toSatisfy(
    (expression) => expression === added || percentage.test(String(expression)),
  );
  return terms.map(({ MetricStat }) => {
    const { Metric, Period: period } = z
      .object({ Metric: metricSchema, Period: z.number() })
      .parse(MetricStat);
    return { ...Metric, period };
  });
}

/** The metric filter that counts for an alarm, tried on the access log as the stage writes it. */
function counterOf(metric: string) {
  const { Properties } = resource(pipeline, 'AWS::Logs::MetricFilter', `ApiAccessLog${metric}`);
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

/** The metrics of AWS that alarms watch, with the dimensions of each: "Available CloudWatch metrics" of SQS, Lambda and HTTP APIs. */
const awsMetrics: Readonly<Record<string, readonly [namespace: string, dimensions: string]>> = {
  ApproximateAgeOfOldestMessage: ['AWS/SQS', 'QueueName'],
  ApproximateNumberOfMessagesVisible: ['AWS/SQS', 'QueueName'],
  Errors: ['AWS/Lambda', 'FunctionName'],
  IteratorAge: ['AWS/Lambda', 'FunctionName'],
  Throttles: ['AWS/Lambda', 'FunctionName'],
  '5xx': ['AWS/ApiGateway', 'ApiId Stage'],
  Count: ['AWS/ApiGateway', 'ApiId Stage'],
};

/** The functions that emit each metric of the pipeline. */
const emitters = new Map(metricCatalogue().map(({ name, services }) => [name, services.split(', ')]));

/** The metrics that a filter counts in the access log, and that therefore have no dimension. */
const counted = ['WebhookServerErrors', 'RequestsThrottled'];

const resourceIds = new Set(Object.keys(templateFor(everything).toJSON().Resources));

describe('alarms', () => {
  it.each([
    ['default', {}],
    ['access log off', { 'sms:accessLog': 'off' }],
    ['registration off', { 'sms:registration': 'off' }],
  ])('are at most 20 with %s, two composite ones among them', (_, context) => {
    const template = templateFor(context);
    expect(incidentsOf(template)).toHaveLength(2);
    expect(allOf(template).length).toBeLessThanOrEqual(20);
  });

  it.each(everyAlarm())('%s looks at metrics that something publishes, at 1 or more', (_, alarm) => {
    expect(alarm.Properties.ComparisonOperator).toBe('GreaterThanOrEqualToThreshold');
    expect(alarm.Properties.Threshold).toBeGreaterThanOrEqual(1);
    for (const { Namespace, MetricName, Dimensions } of metricsOf(alarm)) {
      const ofService = counted.includes(MetricName) ? '' : 'service';
      const [namespace = 'SmsPipeline', dimensions = ofService] = awsMetrics[MetricName] ?? [];
      expect([Namespace, Dimensions.map(({ Name }) => Name).join(' ')]).toEqual([namespace, dimensions]);
      const [value = ''] = Dimensions.map(({ Value }) => flattened(Value));
      if (namespace !== 'SmsPipeline') expect(resourceIds).toContain(value);
      else if (ofService !== '') expect(emitters.get(MetricName)).toContain(value);
    }
  });

  // Invoked every so many seconds, give or take some: one of three periods may see no run.
  it.each([
    ['SetupSetupErrors', 300],
    ['SweepSweepErrors', 3600],
    ['ExporterExporterErrors', 21_600],
    ['FailureAlertAlertErrors', 900],
    ['BillingWatchBillingWatchErrors', 86_400],
    ['DeliveryWatchDeliveryWatchErrors', 120],
  ])('%s goes off in two of three periods of its schedule', (id, period) => {
    const [[, found] = []] = alarmsOf(templateFor(everyFunction)).filter(([name]) => isBelow(name, id));
    expect(found?.Properties).toMatchObject({ DatapointsToAlarm: 2, EvaluationPeriods: 3 });
    for (const metric of found === undefined ? [] : metricsOf(found)) expect(metric.period).toBe(period);
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

  it('on requests near the throttle goes off at 80 percent of it in a minute, because more may be rejected without a trace', () => {
    const { Properties } = resource(pipeline, 'AWS::CloudWatch::Alarm', 'IngestRequestsNearThrottle');
    expect(Properties).toMatchObject({ Threshold: 80, EvaluationPeriods: 1 });
    expect(Properties.Metrics).toContainEqual(
      expect.objectContaining({ Expression: '100 * requests / (60 * 1000)' }),
    );
    const { DefaultRouteSettings } = resource(pipeline, 'AWS::ApiGatewayV2::Stage').Properties;
    expect(DefaultRouteSettings).toMatchObject({ ThrottlingRateLimit: 1000 });
  });

  it.each([
    ['rejected, and none verified', { rejected: 10 }, 10],
    ['rejected and parked, and none verified', { rejected: 6, parkedRefused: 4 }, 10],
    ['from addresses that are not allowed', { rejectedSource: 10 }, 10],
    ['rejected beside a verified one', { rejected: 500, accepted: 1 }, 0],
    ['verified', { accepted: 9 }, 0],
  ])('on all requests count those that are %s', (_, counts: Readonly<Record<string, number>>, value) => {
    const { Properties } = resource(
      templateFor(everything),
      'AWS::CloudWatch::Alarm',
      'IngestAllRequestsRejected',
    );
    const [{ Expression } = {}, ...terms] = z
      .array(z.looseObject({ Id: z.string(), Expression: z.string().optional() }))
      .parse(Properties.Metrics);
    // Metric math counts a missing value as 0 beside another one.
    const values = terms.map(({ Id }) => counts[Id] ?? 0);
    const [, condition, then, otherwise] = /^IF\((.+ < 1), (.+), (0)\)$/.exec(String(Expression)) ?? [];
    const computed = new Function(
      ...terms.map(({ Id }) => Id),
      `return ${condition} ? ${then} : ${otherwise}`,
    );
    expect(computed(...values)).toBe(value);
  });

  it("on 5xx of the stage see API Gateway's own failures, which may be in no access log", () => {
    const { Properties } = resource(pipeline, 'AWS::CloudWatch::Alarm', 'IngestApiServerErrors');
    expect(Properties).toMatchObject({ Namespace: 'AWS/ApiGateway', MetricName: '5xx', Threshold: 1 });
    const withoutLog = templateFor({ 'sms:accessLog': 'off' });
    expect(alarmsOf(withoutLog).filter(([id]) => id.startsWith('IngestApiServerErrors'))).toEqual([]);
  });

  it('watch the addresses of requests only when the settings restrict them', () => {
    expect(JSON.stringify(alarmsOf(pipeline))).not.toContain('"RejectedSource"');
  });

  it.each(
    contexts.flatMap((context) =>
      allOf(templateFor(context)).map(([id, alarm]) => [id, alarm, readSettings(context).stackName] as const),
    ),
  )(
    '%s describes severity, cause, impact, first step and an existing page of the runbook, and stays OK without data',
    (_, { Type, Properties }, stack) => {
      const description = longestOf(Properties.AlarmDescription, stack);
      expect(description.length).toBeLessThanOrEqual(maxCharacters);
      const [, name, anchor = anchors[runbookHeadings.indexOf(String(name))]] =
        /^SEVERITY: (?:page|ticket(?: \(\w+ pages\))?)\. CAUSE: .+\. IMPACT: .+\. FIRST: .+\. RUNBOOK: (?:docs\/operate\/alarms\.md, "(.+?)"\.|https:\/\/wiki\.test\/\S*#(\S+))(?: LOGS: \S+)?$/.exec(
          description,
        ) ?? [];
      expect(anchors).toContain(anchor);
      if (Type === 'AWS::CloudWatch::Alarm') expect(Properties.TreatMissingData).toBe('notBreaching');
    },
  );

  it('link to the log group of their function', () => {
    const template = templateFor(everything);
    for (const [id, { Properties }] of alarmsOf(template)) {
      const [, link = '', logGroup = ''] =
        / LOGS: (\S+log-group\/)(\S+)$/.exec(flattened(Properties.AlarmDescription)) ?? [];
      expect(link).toBe(
        'https://AWS::Region.console.aws.amazon.com/cloudwatch/home?region=AWS::Region#logsV2:log-groups/log-group/',
      );
      const [name] = functionNames.filter((one) => isBelow(id, constructOf[one].replace('Worker', '')));
      if (name === undefined) throw new Error(`no function of ${id}`);
      const { LoggingConfig } = functionNamed(template, name).Properties;
      expect(LoggingConfig).toMatchObject({ LogGroup: { Ref: logGroup } });
    }
  });

  it('have one row in docs/operate/alarms.md, in the list of their severity, and a section', () => {
    const app = buildApp(everything).app;
    const found = app.node
      .findAll()
      .filter((construct) => construct instanceof OperatorAlarm || construct instanceof IncidentAlarm);
    const ids = found.map(({ node }) => node.id);
    expect(ids).toEqual(expect.arrayContaining(['PublisherErrors', 'RejectedSource', 'EventsNotStored']));
    const rowsOf = (heading: string) =>
      (runbook.split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? '').match(/^- .+$/gm) ?? [];
    const pages = rowsOf('Pages');
    const tickets = rowsOf('Tickets');
    for (const alarm of found) {
      const { node, page } = alarm;
      const text = runbook.split(/^## /m).find((section) => section.startsWith(`${page}\n`));
      expect(text).toMatch(new RegExp(`\\b${node.id}\\b`));
      const anchor = anchors[runbookHeadings.indexOf(page)];
      const row = new RegExp(`^- \\[[^\\]]*\\b${node.id}\\b[^\\]]*\\]\\(#${anchor}\\)`);
      const rowsIn = (table: readonly string[]) => table.filter((line) => row.test(line)).length;
      const isPage = alarm instanceof IncidentAlarm || alarm.severity === 'page';
      expect([node.id, rowsIn(pages), rowsIn(tickets)]).toEqual([node.id, isPage ? 1 : 0, isPage ? 0 : 1]);
    }
  });

  const ticket = changedSettings['sms:alarmTopicArn'];
  const page = changedSettings['sms:pageTopicArn'];

  it('notify the topic of their severity when they begin and end, and have no action without a topic', () => {
    for (const [, { Properties }] of allOf(templateFor(everyFunction)))
      expect(Properties).not.toHaveProperty('AlarmActions');
    for (const [id, alarm] of allOf(templateFor(changedSettings))) {
      const { Properties } = alarm;
      const topic = flattened(Properties.AlarmDescription).startsWith('SEVERITY: page.') ? page : ticket;
      expect(Properties.AlarmActions).toEqual([topic]);
      // Between two attempts there is no data, which does not mean that the problem is over. It is the same for an incident with that member.
      const isOpenEnded = /MessagesFailingAlarm/.test(JSON.stringify(Properties.AlarmRule ?? id));
      expect(Properties.OKActions).toEqual(isOpenEnded ? undefined : [topic]);
    }
  });

  it('page to the topic of tickets where there is no other', () => {
    const alarms = allOf(templateFor({ 'sms:alarmTopicArn': ticket }));
    expect(new Set(alarms.map(([, { Properties }]) => String(Properties.AlarmActions)))).toEqual(
      new Set([ticket]),
    );
  });

  const always = [
    'AllRequestsRejected',
    'DeadLettersPresent',
    'EventsNotPublished',
    'EventsNotStored',
    'PublisherFailuresPresent',
    'RequestsNearThrottle',
    'RequestsNotAccepted',
  ];
  it.each([
    ['the default', {}, [...always, 'SetupErrors']],
    [
      'drift that is only reported',
      { 'sms:webhookDrift': 'report', ...withSources },
      [...always, 'SetupErrors', 'WebhookDrifted'].sort(),
    ],
    ['no registration', { 'sms:registration': 'off' }, [...always].sort()],
  ])('that page by themselves, and the members of an incident: %s', (_, context, pages) => {
    const template = templateFor(context);
    const idOf = (id: string) => /([A-Z][a-z]+[A-Z]\w+?)Alarm[0-9A-F]{8}$/.exec(id)?.[1] ?? id;
    const paging = allOf(template).filter(([, { Properties }]) =>
      flattened(Properties.AlarmDescription).startsWith('SEVERITY: page.'),
    );
    const named = paging.map(([id]) =>
      idOf(id).replace(/^(Receive|Registration|Publish)(Ingest|Setup|Publisher(?=Pub)|Events(?=Dead))?/, ''),
    );
    expect(named.sort()).toEqual(pages);
    // An incident pages for nothing while it is on: its members end with their cause, and no sender of requests sets them off.
    const incidents = incidentsOf(template).map(([, { Properties }]) => {
      expect(Properties).not.toHaveProperty('AlarmName');
      const rule = flattened(Properties.AlarmRule);
      expect(rule).toMatch(/^\(ALARM\("\w+"\)( OR ALARM\("\w+"\))*\)$/);
      return [...rule.matchAll(/ALARM\("(?:ReceiveEvents|PublishPublisher)(\w+?)Alarm\w+"\)/g)]
        .map(([, id]) => id)
        .sort();
    });
    expect(incidents).toEqual(
      expect.arrayContaining([
        ['ConsumerErrors', 'MessagesFailing', 'QueueBehind'],
        ['PublisherBehind', 'PublisherErrors'],
      ]),
    );
  });
});

/** A description with the longest names that its references can have. */
function longestOf(description: unknown, stack: string): string {
  return flattened(description)
    .replaceAll('AWS::Region', 'ap-northeast-1')
    .replaceAll(/(?<=log-group\/).+/g, (logicalId) => `${stack}-${logicalId}-${'x'.repeat(12)}`);
}
