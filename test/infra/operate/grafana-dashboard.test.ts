import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import dashboard from '../../../examples/grafana/sms-pipeline.json' with { type: 'json' };
import { metricCatalogue } from '../../../tools/generate/metrics-reference.ts';
import { everyFunction, resourcesOf, templateFor } from '../support/built-app.ts';
import { stackWith } from '../support/own-pipeline.ts';

const template = templateFor({
  ...everyFunction,
  'sms:console': 'on',
  'sms:sources': { backup: { contractFile: 'contract.json', apiKeySecretName: 'backup/key', lookups: 'on' } },
});

const resourcesIn = (type: string) =>
  Object.entries(resourcesOf(template, type)).map(([id, resource]) => ({
    ...resource,
    name: `SmsPipeline-${id}-AbCd12EfGh34`,
  }));

/** The names that CloudFormation gives to resources of a type: stack, logical id, and random characters. */
const namesOf = (type: string) => resourcesIn(type).map(({ name }) => name);

/** How Grafana writes a variable inside a text. */
const placeholder = (variable: string) => `\${${variable}}`;

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly regex?: string;
  readonly query: unknown;
}
const variables: readonly Variable[] = dashboard.templating.list;
const variable = (name: string) => {
  const found = variables.find((each) => each.name === name);
  if (found === undefined) throw new Error(`The dashboard has no variable ${name}.`);
  return found;
};

/** The names that a variable offers. @param prefix that ships, if none is given */
function chosenFrom(names: readonly string[], name: string, prefix = String(variable('prefix').query)) {
  const { regex = '' } = variable(name);
  const pattern = new RegExp(regex.slice(1, -1).replace(placeholder('prefix'), prefix));
  return names.filter((each) => pattern.test(each));
}
const chosenBy = (name: string, type: string) => chosenFrom(namesOf(type), name);

const queries = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map((target) => ({ ...target, title, dimensions: target.dimensions as Record<string, string> })),
);
type Query = (typeof queries)[number];
const isOwn = ({ namespace }: Query) => namespace === placeholder('namespace');

describe('the dashboard for Grafana', () => {
  it.each(queries.filter(isOwn))('shows $metricName, which $dimensions.service emits', (query) => {
    const { metricName, dimensions } = query;
    // The suffix of a further source is empty for `main`.
    const name = metricName.replace(placeholder('source'), '');
    if (Object.keys(dimensions).length === 0) {
      expect(JSON.stringify(resourcesIn('AWS::Logs::MetricFilter'))).toContain(`"MetricName":"${name}"`);
      return;
    }
    expect(Object.keys(dimensions)).toEqual(['service']);
    const service = dimensions.service?.replace(placeholder('source'), '');
    const emitted = metricCatalogue().find((metric) => metric.name === name);
    expect(emitted?.services.split(', ')).toContain(service);
  });

  it('adds the suffix of a source to the services that each source has, and to no other', () => {
    const functions = JSON.stringify(resourcesIn('AWS::Lambda::Function'));
    const isOfSource = (name: string) => functions.includes(`"POWERTOOLS_SERVICE_NAME":"${name}-backup"`);
    const shown = queries.filter(isOwn).flatMap(({ dimensions }) => dimensions.service ?? []);
    for (const service of new Set(shown))
      expect([service, service.endsWith(placeholder('source'))]).toEqual([
        service,
        isOfSource(service.replace(placeholder('source'), '')),
      ]);
  });

  /** The variable and the type of resource behind a dimension, for each metric of AWS ("CloudWatch metrics" of each service's documentation). */
  const ofAws: Readonly<Record<string, readonly [names: readonly string[], dimension: string]>> = {
    'AWS/ApiGateway': [['Count', '4xx', '5xx'], 'ApiId'],
    'AWS/Lambda': [['Errors', 'Throttles', 'IteratorAge'], 'FunctionName'],
    'AWS/SQS': [['ApproximateAgeOfOldestMessage', 'ApproximateNumberOfMessagesVisible'], 'QueueName'],
    'AWS/DynamoDB': [['WriteThrottleEvents', 'ConsumedWriteCapacityUnits'], 'TableName'],
  };

  it.each(queries.filter((query) => !isOwn(query)))('shows $metricName of $namespace', (query) => {
    const [names = [], dimension = ''] = ofAws[query.namespace] ?? [];
    expect(names).toContain(query.metricName);
    expect(Object.keys(query.dimensions)).toEqual([dimension]);
    expect(variables.map(({ name }) => `$${name}`)).toContain(query.dimensions[dimension]);
  });

  it.each(variables.filter(({ regex }) => regex?.startsWith('/')))('finds values of $name', ({ query }) => {
    const { namespace = '', metricName, dimensionKey } = query as Record<string, string>;
    const [names, dimension] = ofAws[namespace] ?? [];
    expect(names).toContain(metricName);
    expect(dimensionKey).toBe(dimension);
  });

  it('shows every function, in one variable each', () => {
    const shown = ['path_functions', 'service_functions', 'automation_functions'].flatMap((name) =>
      chosenBy(name, 'AWS::Lambda::Function'),
    );
    const others = namesOf('AWS::Lambda::Function').filter((name) => name.includes('-CustomCDK'));
    expect([...shown, ...others].sort()).toEqual(namesOf('AWS::Lambda::Function').sort());
    expect(chosenBy('path_functions', 'AWS::Lambda::Function')).toHaveLength(5);
  });

  it('shows every queue that has a reader, and every queue of what failed', () => {
    const shown = ['queues', 'dead_letter_queues', 'undelivered_queues'].flatMap((name) =>
      chosenBy(name, 'AWS::SQS::Queue'),
    );
    // The queue of doctor's test events, and the requests to setup for an early run.
    const others = namesOf('AWS::SQS::Queue').filter((name) => /Probe|Signals/.test(name));
    expect([...shown, ...others].sort()).toEqual(namesOf('AWS::SQS::Queue').sort());
    expect(chosenBy('queues', 'AWS::SQS::Queue').join()).not.toMatch(/DeadLetters|Failures|Undelivered/);
  });

  it('shows the history, and no other table', () => {
    const [only, ...others] = chosenBy('history_tables', 'AWS::DynamoDB::Table');
    expect(only).toContain('-History');
    expect(others).toEqual([]);
  });

  it('shows the resources of a construct, whose names begin with the stack and the id', () => {
    const { stack } = stackWith();
    const namesIn = (type: string) =>
      Object.keys(resourcesOf(Template.fromStack(stack), type)).map((id) => `Shop-${id}-AbCd12EfGh34`);
    const kinds = {
      path_functions: [namesIn('AWS::Lambda::Function'), 3],
      queues: [namesIn('AWS::SQS::Queue'), 1],
      dead_letter_queues: [namesIn('AWS::SQS::Queue'), 2],
      history_tables: [namesIn('AWS::DynamoDB::Table'), 1],
    } as const;
    for (const [name, [names, count]] of Object.entries(kinds))
      expect([name, chosenFrom(names, name, 'Shop-Sms').length]).toEqual([name, count]);
  });

  it('keeps each search within the 1,024 characters that CloudWatch accepts', () => {
    for (const { name, regex } of variables.filter(({ regex }) => regex?.startsWith('/'))) {
      const type = /Function/i.test(name)
        ? 'AWS::Lambda::Function'
        : /queue/.test(name)
          ? 'AWS::SQS::Queue'
          : 'AWS::DynamoDB::Table';
      const search = chosenBy(name, type)
        .map((each) => `"${each}"`)
        .join(' OR ');
      expect([regex, search.length <= 900]).toEqual([regex, true]);
    }
  });

  it('has panels with ids of their own', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
