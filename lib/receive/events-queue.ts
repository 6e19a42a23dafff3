import { Token } from 'aws-cdk-lib';
import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import type { AlarmTexts } from '../building-blocks/alarm-description.ts';
import { ConsumedQueue, type ConsumedQueueTexts } from '../building-blocks/consumed-queue.ts';
import { allowOnSecret, allowOnTable } from '../building-blocks/grants.ts';
import { envNumber, type FunctionContext, onOrOff } from '../building-blocks/lambda-function.ts';
import { afterDeployment, OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import { queueRetentionDays } from '../options/queue-timing.ts';

export interface EventsQueueProps extends FunctionContext {
  readonly historyTable: Table;
  readonly quarantineTable: Table;
  readonly webhookSecret: ISecret;
  readonly webhookStateTable: Table;
}

const deadLetterTexts: AlarmTexts = {
  runbook: 'Events are not stored',
  cause:
    'A message failed in the function "worker" until its receives were used up, or a parked request could not be verified for that long.',
  impact: `Its events are kept for up to ${queueRetentionDays} days but are missing from history.`,
  firstStep:
    'Read the error in the log group of "worker" (WORKER-05 and WORKER-07 are about parked requests: check the alarms of "setup"), fix it, then redrive the dead-letter queue (SQS console, Start DLQ redrive).',
};

const texts: ConsumedQueueTexts = {
  behind: {
    runbook: 'Events are not stored',
    cause: 'The function "worker" is throttled, not started, or too slow for the incoming events.',
    impact: `History is late; events wait in the queue and are not lost for ${queueRetentionDays} days.`,
    firstStep:
      'Look at throttles and duration of "worker"; if it is healthy but busy, raise worker.maximumConcurrency (setting sms:workerMaximumConcurrency).',
  },
  failing: {
    runbook: 'Events are not stored',
    cause:
      'The function "worker" has failed to store events for 5 minutes: DynamoDB throttles, rejects or does not answer.',
    impact:
      'These events are missing from history, and go to the dead-letter queue after worker.maxReceiveCount (setting sms:maxReceiveCount) attempts.',
    firstStep:
      'Read the error in WORKER-04 in the log group of "worker". A return to OK only means that there was no recent attempt.',
  },
  errors: {
    runbook: 'Events are not stored',
    cause: 'The function "worker" crashes, times out or cannot start, so its whole batches are retried.',
    impact: 'Events reach history late, and end in the dead-letter queue if this continues.',
    firstStep: `Read the error in the log group of "worker". ${afterDeployment}`,
  },
};

/**
 * The events queue and its worker. The worker may add to the tables and neither read nor delete there. To verify parked
 * requests it may read the webhook secret, and read and write the webhook's state.
 */
export class EventsQueue extends ConsumedQueue {
  constructor(scope: Construct, id: string, props: EventsQueueProps) {
    const { options, historyTable, quarantineTable, webhookSecret, webhookStateTable } = props;
    const batchWindowSeconds = options.worker.batchWindow.toSeconds();
    super(scope, id, {
      consumer: {
        ...props,
        name: 'worker',
        description: 'Folds webhook events into the delivery history.',
        memoryMiB: 512,
        timeoutSeconds: options.worker.timeout.toSeconds(),
        environment: {
          HISTORY_TABLE_NAME: historyTable.tableName,
          QUARANTINE_TABLE_NAME: quarantineTable.tableName,
          WEBHOOK_SECRET_ID: webhookSecret.secretArn,
          WEBHOOK_STATE_TABLE_NAME: webhookStateTable.tableName,
          RETENTION_DAYS: envNumber(options.retention.toDays()),
          QUARANTINE_RETENTION_DAYS: envNumber(options.quarantineRetention.toDays()),
          LIST_SHARDS: envNumber(options.listShards),
          OPT_OUTS_BY_SOURCE: onOrOff(options.optOutsBySource),
          REGISTRATION: onOrOff(options.registration),
          SOURCE: options.source,
        },
      },
      batchSize: options.worker.batchSize,
      batchWindowSeconds,
      maximumConcurrency: options.worker.maximumConcurrency,
      maxReceiveCount: options.worker.maxReceiveCount,
      behindAfterSeconds: behindAfterSeconds(batchWindowSeconds),
      severity: 'EventsNotStored',
      texts,
    });
    const worker = this.consumer.function;
    worker.addEnvironment('EVENTS_QUEUE_URL', this.queue.queueUrl);
    allowOnTable(worker, historyTable, 'UpdateItem', 'PutItem');
    allowOnTable(worker, quarantineTable, 'PutItem');
    allowOnTable(worker, webhookStateTable, 'GetItem', 'UpdateItem');
    allowOnSecret(worker, webhookSecret.secretArn, 'GetSecretValue');
    this.alarmOnDeadLetters(this.deadLetterQueue.metricDeadLetters(), {
      ...deadLetterTexts,
      severity: 'page',
    });
    new OperatorAlarm(this, 'EventsQuarantined', {
      metric: this.consumer.metricCounted('EventsQuarantined'),
      runbook: 'EventsQuarantined',
      cause:
        'The worker received events that it could not read: the service sends something that the contract does not describe.',
      impact: 'These events are kept in the quarantine table and are missing from history.',
      firstStep:
        "Read the reason of today's items in the quarantine table, then correct the contract file and deploy.",
      logGroup: this.consumer.logGroup,
      alarms: options.alarms,
    });
  }
}

/** The age of the oldest event at which the worker has fallen behind. Batches that wait for as long as they may are no reason for an alarm. */
function behindAfterSeconds(batchWindowSeconds: number): number {
  const usually = 300;
  return Token.isUnresolved(batchWindowSeconds) ? usually : Math.max(usually, 2 * batchWindowSeconds);
}
