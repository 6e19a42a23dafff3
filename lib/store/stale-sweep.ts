import { Duration } from 'aws-cdk-lib';
import { type Table, TableGrants } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { allowQueryOn } from '../building-blocks/grants.ts';
import type { FunctionDefaults } from '../building-blocks/lambda-function.ts';
import { ScheduledFunction } from '../building-blocks/scheduled-function.ts';
import type { Settings } from '../settings/read-settings.ts';

export interface StaleSweepProps {
  readonly defaults: FunctionDefaults;
  readonly settings: Settings;
  readonly historyTable: Table;
  readonly alarmTopic: ITopic | undefined;
}

/**
 * Marks messages that have had no final report for long as unknown, every hour. The function may look up pending messages,
 * read them and write to them.
 */
export class StaleSweep extends ScheduledFunction {
  constructor(scope: Construct, id: string, props: StaleSweepProps) {
    const { settings, historyTable } = props;
    super(scope, id, {
      ...props.defaults,
      name: 'sweep',
      description: 'Marks messages without a final report as unknown.',
      memoryMiB: 256,
      timeoutSeconds: 300,
      every: Duration.hours(1),
      environment: {
        HISTORY_TABLE_NAME: historyTable.tableName,
        RETENTION_DAYS: String(settings.retentionDays),
        WORKLIST_SHARDS: String(settings.worklistShards),
        STALE_AFTER_HOURS: String(settings.staleAfterHours),
      },
    });
    allowQueryOn(this.function, historyTable, ['byWorklist']);
    // Not historyTable.grants: that adds every index of the table.
    new TableGrants({ table: historyTable, hasIndex: false }).actions(
      this.function,
      'dynamodb:BatchGetItem',
      'dynamodb:UpdateItem',
    );
    this.alarmWhenRepeated('SweepErrors', this.function.metricErrors(), {
      runbook: 'SweepErrors, SweepUnfinished',
      cause:
        'More than once in three hours the function "sweep" failed: DynamoDB failed or refused a write, or it crashed, timed out or could not start.',
      impact: `Messages without a final report for more than ${settings.staleAfterHours} hours stay pending; nothing is lost.`,
      firstStep:
        'Read SWEEP-03 or the error in the log group of "sweep", mend it and deploy; the next run goes on where the last one ended.',
      topic: props.alarmTopic,
    });
    this.alarmWhenRepeated('SweepUnfinished', this.metricCounted('SweepsUnfinished'), {
      runbook: 'SweepErrors, SweepUnfinished',
      cause:
        'More than once in three hours the function "sweep" ran out of time or was throttled before all stale messages were marked.',
      impact: `Messages without a final report for more than ${settings.staleAfterHours} hours stay pending, the oldest longest; nothing is lost.`,
      firstStep:
        'Read SWEEP-02 in the log group of "sweep" and look at throttled writes of the history table; the next run goes on.',
      topic: props.alarmTopic,
    });
  }
}
