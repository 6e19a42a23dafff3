import { Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { allowOnTable, allowQueryOn } from '../building-blocks/grants.ts';
import { envNumber, type FunctionContext } from '../building-blocks/lambda-function.ts';
import { sumOf } from '../building-blocks/operator-alarm.ts';
import { ScheduledFunction } from '../building-blocks/scheduled-function.ts';

export interface StaleSweepProps extends FunctionContext {
  readonly historyTable: Table;
}

/**
 * Marks messages without a final report as unknown, every hour. The function may look up pending messages, read
 * them and write to them.
 */
export class StaleSweepFunction extends ScheduledFunction {
  constructor(scope: Construct, id: string, props: StaleSweepProps) {
    const { options, historyTable } = props;
    super(scope, id, {
      ...props,
      name: 'sweep',
      description: 'Marks messages that have waited too long for a final report as unknown.',
      memoryMiB: 1024,
      timeoutSeconds: 300,
      every: Duration.hours(1),
      environment: {
        HISTORY_TABLE_NAME: historyTable.tableName,
        RETENTION_DAYS: envNumber(options.retention.toDays()),
        LIST_SHARDS: envNumber(options.listShards),
        STALE_AFTER_HOURS: envNumber(options.staleAfter.toHours()),
      },
    });
    allowQueryOn(this.function, historyTable, ['byList']);
    allowOnTable(this.function, historyTable, 'BatchGetItem', 'PutItem');
    const metrics = {
      errors: this.function.metricErrors(),
      unfinished: this.metricCounted('SweepsUnfinished'),
    };
    this.alarmWhenRepeated('SweepErrors', sumOf(metrics, Duration.hours(1)), {
      runbook: 'SweepErrors',
      cause:
        'More than once in three hours the function "sweep" failed (Errors: DynamoDB failed or rejected a write, or it crashed, timed out or could not start), or ended before it had marked all stale messages (SweepsUnfinished: out of time, or throttled).',
      impact:
        'Messages without a final report stay pending for longer than sms:staleAfterHours, the oldest for the longest time; nothing is lost.',
      firstStep:
        'Read SWEEP-03, SWEEP-02 or the error in the log group of "sweep", and look at throttled writes of the history table; the next run continues where the last one ended.',
    });
  }
}
