import { type Table, TableGrants } from 'aws-cdk-lib/aws-dynamodb';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { allowOnSecret } from '../building-blocks/grants.ts';
import type { FunctionDefaults } from '../building-blocks/lambda-function.ts';
import { afterDeployment, OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import { QueueConsumer, type QueueConsumerTexts } from '../building-blocks/queue-consumer.ts';
import { queueRetentionDays } from '../settings/queue-timing.ts';
import type { Settings } from '../settings/read-settings.ts';

export interface EventsConsumerProps {
  readonly defaults: FunctionDefaults;
  readonly settings: Settings;
  readonly historyTable: Table;
  readonly quarantineTable: Table;
  readonly webhookSecret: ISecret;
  readonly webhookStateTable: Table;
  readonly alarmTopic: ITopic | undefined;
}

const texts: QueueConsumerTexts = {
  deadLetters: {
    runbook: 'Events are not stored',
    cause:
      'The function "worker" failed on a message as often as it may be received, or could not tell for so long whether a parked request is genuine.',
    impact: `The events in it are kept for up to ${queueRetentionDays} days but are missing from history.`,
    firstStep:
      'Read the error in the log group of "worker" (WORKER-05 and WORKER-07 are about parked requests: see to the alarms of "setup"), mend it, then redrive the dead letter queue (SQS console, Start DLQ redrive).',
  },
  behind: {
    runbook: 'Events are not stored',
    cause: 'The function "worker" is throttled, not started, or cannot keep up with what arrives.',
    impact: `History is at least 5 minutes late; events wait in the queue and are not lost for ${queueRetentionDays} days.`,
    firstStep:
      'Look at throttles and duration of "worker"; if it is healthy but busy, raise sms:workerMaximumConcurrency.',
  },
  failing: {
    runbook: 'Events are not stored',
    cause:
      'The function "worker" has been failing to store events for 5 minutes: DynamoDB throttles, refuses or does not answer.',
    impact:
      'These events are missing from history, and go to the dead letter queue after sms:maxReceiveCount tries.',
    firstStep:
      'Read the error in WORKER-04 in the log group of "worker". Back in OK says only that nothing was tried just now.',
  },
  errors: {
    runbook: 'Events are not stored',
    cause: 'The function "worker" crashes, times out or cannot start, so its whole batches are tried again.',
    impact: 'Events reach history late, and end in the dead letter queue if this goes on.',
    firstStep: `Read the error in the log group of "worker". ${afterDeployment}`,
  },
};

/**
 * The events queue and its worker, which may add to the tables and neither read nor delete there. To verify what was parked
 * it may read the webhook secret, and read and write the webhook's state.
 */
export class EventsConsumer extends QueueConsumer {
  constructor(scope: Construct, id: string, props: EventsConsumerProps) {
    const { defaults, settings, alarmTopic } = props;
    const { historyTable, quarantineTable, webhookSecret, webhookStateTable } = props;
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
          WEBHOOK_SECRET_ID: webhookSecret.secretArn,
          WEBHOOK_STATE_TABLE_NAME: webhookStateTable.tableName,
          RETENTION_DAYS: String(settings.retentionDays),
          QUARANTINE_RETENTION_DAYS: String(settings.quarantineRetentionDays),
          WORKLIST_SHARDS: String(settings.worklistShards),
          REGISTRATION: settings.registration,
        },
      },
      batchSize: settings.workerBatchSize,
      batchWindowSeconds: settings.workerBatchWindowSeconds,
      maximumConcurrency: settings.workerMaximumConcurrency,
      maxReceiveCount: settings.maxReceiveCount,
      texts,
      alarmTopic,
    });
    const worker = this.consumer.function;
    worker.addEnvironment('EVENTS_QUEUE_URL', this.queue.queueUrl);
    // Not historyTable.grants: that adds every index of the table, which the worker never reads.
    new TableGrants({ table: historyTable, hasIndex: false }).actions(
      worker,
      'dynamodb:UpdateItem',
      'dynamodb:PutItem',
    );
    quarantineTable.grants.actions(worker, 'dynamodb:PutItem');
    webhookStateTable.grants.actions(worker, 'dynamodb:GetItem', 'dynamodb:UpdateItem');
    allowOnSecret(worker, webhookSecret.secretArn, 'GetSecretValue');
    this.addQuarantineAlarms(alarmTopic);
  }

  private addQuarantineAlarms(topic: ITopic | undefined): void {
    new OperatorAlarm(this, 'EventsQuarantined', {
      metric: this.consumer.metricCounted('EventsQuarantined'),
      threshold: 1,
      evaluationPeriods: 1,
      runbook: 'EventsQuarantined',
      cause:
        'The worker met events it could not read: the service sends something the contract does not describe.',
      impact: 'These events are kept in the quarantine table and are missing from history.',
      firstStep:
        "Read the reason of today's items in the quarantine table, then correct the contract file and deploy.",
      topic,
    });
    new OperatorAlarm(this, 'ParkedRefused', {
      metric: this.consumer.metricCounted('ParkedRefused'),
      threshold: 10,
      evaluationPeriods: 1,
      runbook: 'ParkedRefused',
      cause:
        'Requests that were parked unverified fit none of the secrets of the SMS service: somebody forges events, or signed with a secret that nobody learned.',
      impact:
        'They are kept in the quarantine table, reason signature-mismatch, and are missing from history; genuine ones among them would be missing delivery reports.',
      firstStep:
        'Run "npm run -s sms -- webhook status" to see whether the secret was rotated lately, and go on as docs/runbook.md says about mismatches.',
      topic,
    });
  }
}
