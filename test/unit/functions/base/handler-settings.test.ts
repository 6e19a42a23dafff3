import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  createMetricBuffer,
  EnvironmentError,
  metricLine,
  readEnvironment,
} from '../../../../functions/base/handler-settings.ts';
import { lagMetrics, type MetricName, metricNames } from '../../../../functions/base/metrics.ts';
import { assertProperty } from '../../../support/property.ts';

const shape = { QUEUE_URL: 'url', TABLE: 'text', DAYS: 'integer', MODE: ['calm', 'bold'] } as const;

it('readEnvironment reads each variable as its kind', () => {
  const source = { QUEUE_URL: 'https://sqs.example/q', TABLE: 't', DAYS: '30', MODE: 'bold' };
  const environment = readEnvironment(shape, source);
  expect(environment).toEqual({ ...source, DAYS: 30 });
  const mode: 'calm' | 'bold' = environment.MODE;
  expect(mode).toBe('bold');
});

it('readEnvironment names every missing or bad variable at once, and quotes no value', () => {
  expect(() => readEnvironment(shape, { QUEUE_URL: 'ftp://secret', DAYS: '-1', MODE: 'secret' })).toThrow(
    new EnvironmentError([
      'QUEUE_URL is not a URL',
      'TABLE is missing',
      'DAYS is not a whole number',
      'MODE must be one of: calm, bold',
    ]),
  );
  expect(() => readEnvironment(shape, { QUEUE_URL: '', TABLE: '', DAYS: '', MODE: '' })).toThrow(
    'Environment: QUEUE_URL is missing; TABLE is missing; DAYS is missing; MODE is missing',
  );
});

it('readEnvironment accepts an empty optional variable', () => {
  expect(readEnvironment({ UNTIL: 'optional' }, { UNTIL: '' })).toEqual({ UNTIL: '' });
  expect(readEnvironment({ UNTIL: 'optional' }, { UNTIL: 'noon' })).toEqual({ UNTIL: 'noon' });
  expect(() => readEnvironment({ UNTIL: 'optional' }, {})).toThrow('UNTIL is missing');
});

it('readEnvironment reads the environment of the process by default', () => {
  expect(readEnvironment({ PATH: 'text' }).PATH).toBe(process.env.PATH);
});

const everyMetric = Object.keys(metricNames) as MetricName[];

it('the tally is empty after its values were read, and has no lag below zero', () => {
  const buffer = createMetricBuffer();
  buffer.add('lagToPublished', 5);
  buffer.take();
  expect(buffer.take()).toEqual([]);
  buffer.add('lagToPublished', -3000);
  expect(buffer.take()).toEqual([['lagToPublished', 0]]);
});

it('the tally has one value for each metric, for any number of counts: fewer than the hundred that fit into one line of EMF', () => {
  expect(everyMetric.length).toBeLessThan(100);
  const counted = fc.tuple(fc.constantFrom(...everyMetric), fc.nat(100_000));
  assertProperty(
    fc.property(fc.array(counted, { maxLength: 500 }), (all) => {
      const buffer = createMetricBuffer();
      for (const [metric, value] of all) buffer.add(metric, value);
      const taken = buffer.take();
      expect(new Set(taken.map(([metric]) => metric)).size).toBe(taken.length);
      for (const [metric, value] of taken) {
        const values = all.filter(([name]) => name === metric).map(([, each]) => each);
        const sum = values.reduce((total, each) => total + each, 0);
        expect(value).toBe(lagMetrics.includes(metric) ? Math.max(...values) : sum);
      }
    }),
  );
});

const source = { namespace: 'SmsPipeline', service: 'worker' };

it('a metric line has the embedded metric format, as CloudWatch and the alarms expect it', () => {
  const line = metricLine(
    source,
    [
      ['stored', 2],
      ['lagToStored', 0],
      ['failingFor', 600_000],
    ],
    1_795_293_667_340,
  );
  // Written by Powertools 2.35, which made these lines before.
  expect(line).toBe(
    '{"_aws":{"Timestamp":1795293667340,"CloudWatchMetrics":[{"Namespace":"SmsPipeline","Dimensions":[["service"]],"Metrics":[{"Name":"EventsStored","Unit":"Count"},{"Name":"LagToStored","Unit":"Milliseconds"},{"Name":"FailingFor","Unit":"Milliseconds"}]}]},"service":"worker","EventsStored":2,"LagToStored":0,"FailingFor":600000}',
  );
});
