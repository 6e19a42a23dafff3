import { describe, expect, it } from 'vitest';
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

describe('the metrics in a log', () => {
  it('are the lines in the embedded metric format, each value under its name and dimensions', () => {
    const log = ['START', line({ EventsStored: 3, ParkedRefused: 1 }), '{"code":"WORKER-02"}', ''].join('\n');
    const at = 1_700_000_000_000;
    expect(samplesOfLog(log)).toEqual([
      { series: 'SmsPipeline/EventsStored/service=worker', at, value: 3 },
      { series: 'SmsPipeline/ParkedRefused/service=worker', at, value: 1 },
    ]);
  });

  it('count each value of a list', () => {
    expect(samplesOfLog(line({ EventsStored: [2, 5] })).map(({ value }) => value)).toEqual([2, 5]);
  });

  it('are not what stands in a line without being declared a metric', () => {
    expect(samplesOfLog(line({ EventsStored: 1, Other: 7 }, [['service']], ['EventsStored']))).toHaveLength(
      1,
    );
  });

  it('are none in a line that broke off', () => {
    expect(samplesOfLog(line({ EventsStored: 1 }).slice(0, -2))).toEqual([]);
  });
});

describe('a metric', () => {
  it('is another with other dimensions, whatever their order', () => {
    expect(seriesKey('A', 'M', { b: '1', a: '2' })).toBe(seriesKey('A', 'M', { a: '2', b: '1' }));
    expect(seriesKey('A', 'M', { a: '2' })).not.toBe(seriesKey('A', 'M', {}));
    expect(seriesKey('A', 'M', { a: '2' })).not.toBe(seriesKey('A', 'M', { a: '3' }));
  });
});
