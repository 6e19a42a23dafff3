import { expect, it } from 'vitest';
import { metricLine } from '../../../../functions/runtime/handler-settings.ts';

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
