import { describe, expect, it } from 'vitest';
import { metricNames } from '../../../functions/base/metrics.ts';
import { functionNames } from '../../../lib/bundling/function-code.ts';
import { flattened } from '../support/allowed-actions.ts';
import { resource, resourcesOf, templateFor } from '../support/built-app.ts';

const pipeline = templateFor();

type Row = readonly (string | Readonly<Record<string, unknown>>)[];
interface Widget {
  readonly type: string;
  readonly properties: {
    readonly title: string;
    readonly metrics?: readonly Row[];
    readonly alarms?: readonly string[];
  };
}

const body = resource(pipeline, 'AWS::CloudWatch::Dashboard').Properties.DashboardBody;
const { widgets }: { widgets: readonly Widget[] } = JSON.parse(flattened(body));

interface Shown {
  readonly namespace: string;
  readonly name: string;
  /** By name. */
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: unknown;
}

const shown: readonly Shown[] = widgets
  .flatMap(({ properties }) => properties.metrics ?? [])
  .map((row) => {
    const [namespace = '', name = '', ...dimensions] = row.filter((part) => typeof part === 'string');
    const pairs = dimensions.flatMap((part, index) =>
      index % 2 === 0 ? [[part, dimensions[index + 1] ?? '']] : [],
    );
    const options = row.find((part) => typeof part === 'object');
    return { namespace, name, dimensions: Object.fromEntries(pairs), statistic: options?.stat };
  });

/** The names of the dimensions under which AWS has a metric ("CloudWatch metrics" of each service's documentation). */
const dimensionsOf: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'AWS/ApiGateway': { Count: ['ApiId', 'Stage'] },
  'AWS/DynamoDB': { WriteThrottleEvents: ['TableName'] },
  'AWS/Lambda': { Errors: ['FunctionName'], IteratorAge: ['FunctionName'], Throttles: ['FunctionName'] },
  'AWS/SQS': {
    ApproximateAgeOfOldestMessage: ['QueueName'],
    ApproximateNumberOfMessagesVisible: ['QueueName'],
  },
};

describe('the dashboard', () => {
  const own = shown.filter(({ namespace }) => namespace === 'SmsPipeline');
  const filtered = own.filter(({ dimensions }) => Object.keys(dimensions).length === 0);

  it('shows the throttled requests that a metric filter counts', () => {
    const filters = Object.values(resourcesOf(pipeline, 'AWS::Logs::MetricFilter'));
    expect(JSON.stringify(filters)).toContain('"MetricName":"RequestsThrottled"');
    expect(filtered).toMatchObject([{ name: 'RequestsThrottled', statistic: 'Sum' }]);
  });

  it.each(own.filter((metric) => !filtered.includes(metric)))(
    'shows the metric $name of $dimensions.service',
    ({ name, dimensions }) => {
      expect(Object.keys(dimensions)).toEqual(['service']);
      expect(functionNames).toContain(dimensions.service);
      expect(Object.values<string>(metricNames)).toContain(name);
    },
  );

  it.each(shown.filter(({ namespace }) => namespace !== 'SmsPipeline'))(
    'shows the metric $name of $namespace',
    ({ namespace, name, dimensions }) => {
      expect(Object.keys(dimensions)).toEqual(dimensionsOf[namespace]?.[name]);
      const resources = Object.keys(pipeline.toJSON().Resources);
      for (const value of Object.values(dimensions).filter((each) => each !== '$default'))
        expect(resources.filter((id) => value.includes(id))).not.toEqual([]);
    },
  );

  it('shows every alarm, and at most the free number of metrics', () => {
    const alarms = widgets.flatMap(({ properties }) => properties.alarms ?? []);
    expect([...alarms].sort()).toEqual(
      [
        ...Object.keys(resourcesOf(pipeline, 'AWS::CloudWatch::Alarm')),
        ...Object.keys(resourcesOf(pipeline, 'AWS::CloudWatch::CompositeAlarm')),
      ].sort(),
    );
    expect(shown.length).toBeLessThanOrEqual(50);
  });

  it('is absent when the setting is off', () => {
    templateFor({ 'sms:dashboard': 'off' }).resourceCountIs('AWS::CloudWatch::Dashboard', 0);
  });
});
