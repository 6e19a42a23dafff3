import { Duration, Validations } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { countedPrefixes } from '../../functions/insights/index.ts';
import { allowOnTable, allowStream } from '../building-blocks/grants.ts';
import { envNumber, type FunctionContext, LambdaFunction } from '../building-blocks/lambda-function.ts';
import type { InsightsOptions } from '../options/options.ts';

export interface InsightsFunctionProps extends FunctionContext {
  readonly insights: InsightsOptions;
  /** A table with a stream of new and old images. */
  readonly historyTable: Table;
  readonly insightsTable: Table;
}

/** Selects new and changed messages and replies: deletions by erasure and age do not count down. */
const countedChanges = {
  eventName: ['INSERT', 'MODIFY'],
  dynamodb: { Keys: { pk: { S: countedPrefixes.map((prefix) => ({ prefix })) } } },
};

const everyFiveMinutes = { period: Duration.minutes(5), statistic: 'Sum' };

/** Counters that are this late for 15 minutes are worth a ticket. */
const behindAfter = Duration.minutes(5);

/**
 * Counts changes of the history table. The function may read the stream, read messages, and write counters and the position of each shard in one
 * transaction. A batch that fails is retried until the stream drops it.
 */
export class InsightsFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: InsightsFunctionProps) {
    const { insights, historyTable, insightsTable } = props;
    super(scope, id, {
      ...props,
      name: 'insights',
      description: 'Counts messages by send, hour, day and country.',
      memoryMiB: 512,
      timeoutSeconds: 60,
      environment: {
        INSIGHTS_TABLE: insightsTable.tableName,
        HISTORY_TABLE_NAME: historyTable.tableName,
        RETENTION_DAYS: envNumber(insights.retention.toDays()),
        HOUR_RETENTION_DAYS: envNumber(insights.hourRetention.toDays()),
      },
    });
    allowOnTable(this.function, historyTable, 'BatchGetItem', 'ConditionCheckItem');
    allowOnTable(this.function, insightsTable, 'BatchGetItem', 'DeleteItem', 'UpdateItem');
    this.readStream(historyTable);
    Validations.of(this.function).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason:
        'Invoked by a stream only, which is synchronous: a batch is retried for as long as the stream keeps it.',
    });
    this.addBehindAlarm();
  }

  private readStream(historyTable: Table): void {
    const mapping = this.function.addEventSourceMapping('Changes', {
      eventSourceArn: allowStream(this, this.function, historyTable),
      startingPosition: StartingPosition.TRIM_HORIZON,
      // Large batches share the writes of a transaction: docs/adr/0021.
      batchSize: 1000,
      maxBatchingWindow: Duration.seconds(15),
      // Without a tumbling window the event does not name its shard. The state that it carries is not used.
      tumblingWindow: Duration.minutes(15),
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      filters: [FilterCriteria.filter(countedChanges)],
    });
    Validations.of(mapping).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason: 'A batch is retried until the stream drops it, and InsightsBehind reports that long before.',
    });
  }

  /** A function that crashes falls behind as well, because the stream waits for it: one alarm is enough. */
  private addBehindAlarm(): void {
    const impact =
      'Figures of sends, hours and days are late. After 24 hours changes are missing in them, though never in history.';
    this.addAlarm('InsightsBehind', {
      metric: this.function.metric('IteratorAge', { ...everyFiveMinutes, statistic: 'Maximum' }),
      threshold: behindAfter.toMilliseconds(),
      evaluationPeriods: 3,
      severity: 'ticket',
      runbook: 'InsightsBehind',
      cause:
        'Changes of history wait to be counted: transactions on the table of counters fail or are throttled, or the function "insights" crashes, times out, cannot start or is too slow.',
      impact,
      firstStep:
        'Read INSIGHTS-01 or the error in the log group of "insights", and look at throttled requests of the table of counters.',
    });
  }
}
