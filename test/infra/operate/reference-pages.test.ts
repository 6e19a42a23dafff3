import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { metricNames } from '../../../functions/base/metrics.ts';
import { outputMeanings } from '../../../lib/building-blocks/output-meanings.ts';
import { customDomain, everyFunction, newFolder, resourcesOf, templateFor } from '../support/built-app.ts';

/** The contract that ships, of a service with a setting for its retries. */
function contractWithRetries(): string {
  const file = join(newFolder(), 'contract.json');
  const retries = {
    hours: 0,
    describe: 'One retry.',
    urlSuffix: '#rc=5',
    source: 'https://service.example/',
  };
  const shipped = join(import.meta.dirname, '../../../contract.json');
  writeFileSync(file, JSON.stringify({ extends: shipped, webhook: { retries } }));
  return file;
}

/** Every output and every alarm of the stand-alone stack is there with these settings. */
const everything = {
  ...everyFunction,
  'sms:contractFile': contractWithRetries(),
  ...customDomain,
  'sms:encryptionKey': 'customer',
  'sms:allowedSourceIps': '192.0.2.0/24',
  'sms:console': 'on',
  'sms:consoleDomainName': 'console.pipeline.test',
  'sms:consoleCertificateArn':
    'arn:aws:acm:us-east-1:000000000000:certificate/0a1b2c3d-0000-0000-0000-000000000001',
  'sms:alarmTopicArn': 'arn:aws:sns:us-east-1:000000000000:ops',
  'sms:pageTopicArn': 'arn:aws:sns:us-east-1:000000000000:pages',
};

const page = (name: string) =>
  readFileSync(join(import.meta.dirname, `../../../docs/reference/${name}.md`), 'utf8');

it('docs/reference/outputs.md has the outputs of the stack, with the meaning that it shows', () => {
  const template = templateFor({
    ...everything,
    'sms:optOutsBySource': 'on',
    'sms:sources': { backup: { contractFile: 'contract.json', apiKeySecretName: 'backup/key' } },
  });
  const outputs = Object.entries<{ Description?: string }>(template.toJSON().Outputs);
  // The outputs of further sources begin with their names.
  const own = outputs.filter(([name]) => !/^Source[A-Z]/.test(name));
  const meanings = Object.assign({}, ...Object.values(outputMeanings));
  // Only the construct accepts a topic of an automation.
  const ofConstruct = Object.entries(meanings).filter(
    ([, meaning]) => meaning === 'Your own topic of notices',
  );
  const found = [
    ...own.map(([name, { Description }]) => [name, Description?.replace(/\.$/, '')]),
    ...ofConstruct,
  ];
  expect(Object.fromEntries(found)).toEqual(meanings);
});

const dimensions = z.array(z.object({ Name: z.string(), Value: z.unknown() })).default([]);
const metric = z.object({ MetricName: z.string(), Dimensions: dimensions });
const alarmMetrics = z.union([
  metric.transform((one) => [one]),
  z
    .object({ Metrics: z.array(z.object({ MetricStat: z.object({ Metric: metric }).optional() })) })
    .transform(({ Metrics }) => Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? [])),
]);

/** The metrics of all alarms, each with the service of its dimensions. */
const ofAlarms = [everything, { ...everything, 'sms:accessLog': 'off' }]
  .flatMap((context) => Object.values(resourcesOf(templateFor(context), 'AWS::CloudWatch::Alarm')))
  .flatMap(({ Properties }) => alarmMetrics.parse(Properties))
  .map(({ MetricName, Dimensions }) => ({
    name: MetricName,
    service: Dimensions.find(({ Name }) => Name === 'service')?.Value,
  }));

/** The rows of the page that are about a metric, and the functions above each. */
function linesAbout(name: string) {
  const [, ...sections] = page('metrics').split(/^##+ /m);
  return sections.flatMap((section) => {
    const [heading = '', ...lines] = section.split('\n');
    const about = lines.filter((line) => line.startsWith('| ') && line.includes(`\`${name}\``));
    return about.map((line) => ({ functions: heading.split(', '), line }));
  });
}

it.each([...new Set(ofAlarms.map(({ name }) => name))])(
  'docs/reference/metrics.md has %s, which an alarm uses, once and below the functions that emit it',
  (name) => {
    const found = linesAbout(name);
    expect(found).toHaveLength(1);
    const services = ofAlarms.filter((used) => used.name === name).flatMap(({ service }) => service ?? []);
    expect(found[0]?.functions).toEqual(expect.arrayContaining(services));
    expect(Object.values<string>(metricNames).includes(name)).toBe(services.length > 0);
  },
);

it('alarms use metrics of the functions, of the access log and of AWS', () => {
  const names = ofAlarms.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['FailingFor', 'WebhookServerErrors', 'Errors', '5xx']));
});
