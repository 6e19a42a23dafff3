import type { RunningService } from '../definition/define-service.ts';

/** One machine measures no metrics, so it has no alarms, and none is on. */
export function startCloudWatch(): RunningService {
  return {
    operations: new Map([
      ['GraniteServiceVersion20100801.DescribeAlarms', () => ({ MetricAlarms: [], CompositeAlarms: [] })],
    ]),
    inertTypes: ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm', 'AWS::CloudWatch::Dashboard'],
  };
}
