import { type Table, TableGrants } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Settings } from '../config.ts';
import type { FunctionDefaults } from './lambda-function.ts';
import { OperatorAlarm } from './operator-alarm.ts';
import { QueueConsumer } from './queue-consumer.ts';

export interface EventStoreProps {
  readonly defaults: FunctionDefaults;
  readonly settings: Settings;
  readonly historyTable: Table;
  readonly quarantineTable: Table;
  readonly alarmTopic: ITopic | undefined;
}

/** The events queue and its worker, which may add to the tables and neither read nor delete there. */
export class EventStore extends QueueConsumer {
  constructor(scope: Construct, id: string, props: EventStoreProps) {
    const { defaults, settings, historyTable, quarantineTable, alarmTopic } = props;
    super(scope, id, {
      consumer: {
        ...defaults,
        name: 'worker',
        description: 'Folds webhook events into the delivery history.',
        memoryMiB: 512,
        timeoutSeconds: settings.workerTimeoutSeconds,
        environment: {
          HISTORY_TABLE_NAME: historyTable.tableName,
          QUARANTINE_TABLE_NAME: quarantineTable.tableName,
          RETENTION_DAYS: String(settings.retentionDays),
          QUARANTINE_RETENTION_DAYS: String(settings.quarantineRetentionDays),
          WORKLIST_SHARDS: String(settings.worklistShards),
        },
      },
      batchSize: settings.workerBatchSize,
      batchWindowSeconds: settings.workerBatchWindowSeconds,
      maximumConcurrency: settings.workerMaximumConcurrency,
      maxReceiveCount: settings.maxReceiveCount,
      alarmTopic,
    });
    const worker = this.consumer.function;
    // Not historyTable.grants: that adds every index of the table, which the worker never reads.
    new TableGrants({ table: historyTable, hasIndex: false }).actions(
      worker,
      'dynamodb:UpdateItem',
      'dynamodb:PutItem',
    );
    quarantineTable.grants.actions(worker, 'dynamodb:PutItem');
    new OperatorAlarm(this, 'EventsQuarantined', {
      metric: this.consumer.metricCounted('EventsQuarantined'),
      threshold: 1,
      evaluationPeriods: 1,
      cause:
        'The worker met events it could not read: the service sends something the contract does not describe.',
      impact: 'These events are kept in the quarantine table and are missing from history.',
      firstStep:
        "Read the reason of today's items in the quarantine table, then correct the contract file and deploy.",
      topic: alarmTopic,
    });
  }
}
