import {
  type CloudWatchClient,
  DescribeAlarmHistoryCommand,
  paginateDescribeAlarms,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';

/** An alarm with the topics that it notifies. */
interface PipelineAlarm {
  readonly name: string;
  readonly topicArns: readonly string[];
}

/** What CloudWatch did at the end of an alarm's change of state. */
interface AlarmAction {
  /** CloudWatch's sentence, for example "Successfully executed action arn:aws:sns:...". */
  readonly summary: string;
  readonly hasSucceeded: boolean;
}

/** The alarms of a pipeline. */
export interface AlarmAccess {
  /** Lists the alarms of metrics that notify a topic. A composite alarm would keep a state that is set by hand. */
  list(namePrefix: string): Promise<readonly PipelineAlarm[]>;
  /** Sets an alarm off, as if its metric had. CloudWatch evaluates the metric within a minute, and ends it. */
  setOff(name: string, reason: string): Promise<void>;
  /** Returns what CloudWatch recorded of the alarm's actions. @param since milliseconds since the epoch */
  actions(name: string, since: number): Promise<readonly AlarmAction[]>;
}

export function createAlarmAccess(client: CloudWatchClient): AlarmAccess {
  return {
    async list(namePrefix) {
      const alarms: PipelineAlarm[] = [];
      for await (const { MetricAlarms = [] } of paginateDescribeAlarms(
        { client },
        { AlarmNamePrefix: namePrefix, AlarmTypes: ['MetricAlarm'] },
      ))
        for (const { AlarmName: name, AlarmActions: topicArns = [], ActionsEnabled } of MetricAlarms)
          if (name !== undefined && ActionsEnabled === true && topicArns.length > 0)
            alarms.push({ name, topicArns });
      return alarms;
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
