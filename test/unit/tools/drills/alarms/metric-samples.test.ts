import { expect, it } from 'vitest';
import { samplesOfLog, seriesKey } from '../../../../../tools/drills/alarms/metric-samples.ts';

const line = (values: object, dimensions = [['service']], names = Object.keys(values)) =>
  JSON.stringify({
    _aws: {
      Timestamp: 1_700_000_000_000,
      CloudWatchMetrics: [
        {
          Namespace: 'SmsPipeline',
          Dimensions: dimensions,
          Metrics: names.map((Name) => ({ Name, Unit: 'Count' })),
        },
      ],
    },
    service: 'worker',
    ...values,
  });

it('the metrics in a log are its lines in the embedded metric format, each value under its name and dimensions', () => {
  const log = ['START', line({ EventsStored: [2, 5], ParkedRefused: 1 }), '{"code":"WORKER-02"}', ''];
  const [stored, refused] = ['EventsStored', 'ParkedRefused'].map((name) => ({
    series: `SmsPipeline/${name}/service=worker`,
    at: 1_700_000_000_000,
  }));
  expect(samplesOfLog(log.join('\n'))).toEqual([
    { ...stored, value: 2 },
    { ...stored, value: 5 },
    { ...refused, value: 1 },
  ]);
});

it('a value that is not declared a metric, and a line that broke off, have no metrics', () => {
  const undeclared = line({ EventsStored: 1, Other: 7 }, [['service']], ['EventsStored']);
  expect(samplesOfLog(undeclared)).toHaveLength(1);
  expect(samplesOfLog(undeclared.slice(0, -2))).toEqual([]);
});

it('a metric is another with other dimensions, whatever their order', () => {
  expect(seriesKey('A', 'M', { b: '1', a: '2' })).toBe(seriesKey('A', 'M', { a: '2', b: '1' }));
  expect(seriesKey('A', 'M', { a: '2' })).not.toBe(seriesKey('A', 'M', {}));
  expect(seriesKey('A', 'M', { a: '2' })).not.toBe(seriesKey('A', 'M', { a: '3' }));
});
