import {
  type CloudWatchClient,
  DescribeAlarmsCommand,
  type DescribeAlarmsCommandOutput,
} from '@aws-sdk/client-cloudwatch';

/** An alarm that is on. */
export interface RingingAlarm {
  readonly name: string;
  /** ISO 8601; null if CloudWatch does not say it. */
  readonly since: string | null;
  readonly description: string | null;
}

/**
 * Reads the alarms of a stack that are on, composite ones too. CloudFormation names an alarm `<stack>-<logical id>-<random text>`, so alarms of the
 * stack Shop-Test are not taken for those of Shop.
 */
export async function readRingingAlarms(
  client: CloudWatchClient,
  stackName: string,
): Promise<readonly RingingAlarm[]> {
  const prefix = `${stackName}-`;
  const found: RingingAlarm[] = [];
  let next: string | undefined;
  do {
    const page: DescribeAlarmsCommandOutput = await client.send(
      new DescribeAlarmsCommand({
        AlarmNamePrefix: prefix,
        AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
        StateValue: 'ALARM',
        ...(next === undefined ? {} : { NextToken: next }),
      }),
    );
    for (const alarm of [...(page.CompositeAlarms ?? []), ...(page.MetricAlarms ?? [])]) {
      const { AlarmName: name = '' } = alarm;
      if (name.slice(prefix.length).split('-').length !== 2) continue;
      found.push({
        name,
        since: alarm.StateTransitionedTimestamp?.toISOString() ?? null,
        description: alarm.AlarmDescription ?? null,
      });
    }
    next = page.NextToken;
  } while (next !== undefined);
  return found;
}
