import {
  type CloudWatchClient,
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';

/** An alarm with the topics that it notifies. */
interface PipelineAlarm {
  readonly name: string;
  readonly topicArns: readonly string[];
  /** An alarm that is on does nothing when it is set off. */
  readonly isOn: boolean;
}

/** What CloudWatch did at the end of an alarm's change of state. */
interface AlarmAction {
  /** CloudWatch's sentence, for example "Successfully executed action arn:aws:sns:...". */
  readonly summary: string;
  readonly hasSucceeded: boolean;
}

/** The alarms of a pipeline. */
export interface AlarmAccess {
  /** Reads alarms of metrics that notify topics, and do nothing else. A composite alarm would keep a state that is set by hand. */
  read(names: readonly string[]): Promise<readonly PipelineAlarm[]>;
  /** Sets an alarm off, as if its metric had. CloudWatch evaluates the metric within a minute, and ends it. */
  setOff(name: string, reason: string): Promise<void>;
  /** Returns what CloudWatch recorded of the alarm's actions, the newest first. @param since milliseconds since the epoch */
  actions(name: string, since: number): Promise<readonly AlarmAction[]>;
}

const snsTopic = /^arn:[\w-]+:sns:/;

export function createAlarmAccess(client: CloudWatchClient): AlarmAccess {
  return {
    async read(names) {
      const { MetricAlarms = [] } = await client.send(
        new DescribeAlarmsCommand({ AlarmNames: [...names], AlarmTypes: ['MetricAlarm'] }),
      );
      return MetricAlarms.flatMap(
        ({ AlarmName: name, AlarmActions: topicArns = [], ActionsEnabled, StateValue }) =>
          name !== undefined && ActionsEnabled === true && topicArns.every((arn) => snsTopic.test(arn))
            ? [{ name, topicArns, isOn: StateValue === 'ALARM' }]
            : [],
      );
    },

    async setOff(name, reason) {
      await client.send(
        new SetAlarmStateCommand({ AlarmName: name, StateValue: 'ALARM', StateReason: reason }),
      );
    },

    async actions(name, since) {
      const { AlarmHistoryItems = [] } = await client.send(
        new DescribeAlarmHistoryCommand({
          AlarmName: name,
          HistoryItemType: 'Action',
          ScanBy: 'TimestampDescending',
          StartDate: new Date(since),
        }),
      );
      return AlarmHistoryItems.map(({ HistorySummary: summary = '' }) => ({
        summary,
        hasSucceeded: summary.startsWith('Successfully'),
      }));
    },
  };
}
