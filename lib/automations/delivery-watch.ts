import { Duration } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { metricNames } from '../../functions/base/metrics.ts';
import { sendTimeIndex } from '../../functions/insights/index.ts';
import { allowOnTable, allowPutEvents, allowQueryOn } from '../building-blocks/grants.ts';
import { envNumber } from '../building-blocks/lambda-function.ts';
import { ScheduledFunction } from '../building-blocks/scheduled-function.ts';
import type { AutomationProps } from './event-automation.ts';

interface DeliveryWatchProps extends AutomationProps {
  readonly historyTable: Table;
  readonly insightsTable: Table;
}

/**
 * Compares the delivery of each quarter hour with the same hours of the weeks before. Most runs find no quarter hour that is due, and
 * read one item. The function may read counters, failed messages and those of sends, keep one item of its own beside the counters, and put events on the bus.
 */
export class DeliveryWatchFunction extends ScheduledFunction {
  constructor(scope: Construct, id: string, props: DeliveryWatchProps) {
    const { options, eventBus, historyTable, insightsTable } = props;
    super(scope, id, {
      ...props,
      name: 'automations/delivery-watch',
      description: 'Publishes an event when delivery is worse than usual, and when it is as usual again.',
      memoryMiB: 512,
      timeoutSeconds: 60,
      every: Duration.minutes(2),
      environment: {
        EVENT_BUS_NAME: eventBus.eventBusName,
        PIPELINE_NAME: options.name,
        HISTORY_TABLE_NAME: historyTable.tableName,
        INSIGHTS_TABLE: insightsTable.tableName,
        LIST_SHARDS: envNumber(options.listShards),
      },
    });
    allowOnTable(this.function, insightsTable, 'BatchGetItem', 'GetItem', 'PutItem', 'Query');
    allowQueryOn(this.function, insightsTable, [sendTimeIndex]);
    allowQueryOn(this.function, historyTable, ['bySend', 'byList']);
    allowOnTable(this.function, historyTable, 'BatchGetItem');
    allowPutEvents(this.function, eventBus);
    this.addAlarm('DeliveryDegraded', {
      metric: this.metricCounted(metricNames.subjectsDegraded),
      // Each run counts what is degraded, and a run may fail.
      evaluationPeriods: 3,
      datapointsToAlarm: 1,
      runbook: 'DeliveryDegraded',
      cause:
        'Fewer messages than usual are delivered, they take longer, or more fail for one reason, in all, in one country or at one source: a carrier or an SMS service has a problem, or several sends have bad lists of numbers.',
      impact: 'Messages do not arrive, or arrive late. The pipeline itself works.',
      firstStep:
        'Read WATCH-01 in the log group of "delivery-watch" for the country, the reason or the source, then "sms insights --since 7d --by country".',
    });
    this.alarmWhenRepeated('DeliveryWatchErrors', this.function.metricErrors(), {
      runbook: 'An automation fails',
      cause:
        'In two of three periods of two minutes the function "delivery-watch" failed: counters could not be read, or an event could not be published.',
      impact: 'There is no event, and no alarm, when delivery becomes worse.',
      firstStep: 'Read WATCH-03 or the error in the log group of "delivery-watch".',
    });
  }
}
