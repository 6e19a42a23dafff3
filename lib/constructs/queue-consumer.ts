import { Duration, Validations } from 'aws-cdk-lib';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { queueRetentionDays, visibilityTimeoutSeconds } from '../queue-timing.ts';
import { LambdaFunction, type LambdaFunctionProps } from './lambda-function.ts';
import { afterDeployment, OperatorAlarm } from './operator-alarm.ts';

export interface QueueConsumerProps {
  readonly consumer: LambdaFunctionProps;
  readonly batchSize: number;
  readonly batchWindowSeconds: number;
  readonly maximumConcurrency: number;
  /** How often a message is received before it goes to the dead letter queue. */
  readonly maxReceiveCount: number;
  readonly alarmTopic: ITopic | undefined;
}

/** SQS's largest message; a 256 KiB body in base64 with its headers needs more than the old limit of 256 KiB. */
const maxMessageSizeBytes = 1024 * 1024;

/** The age of the oldest message at which a consumer has fallen behind. */
const behindAfter = Duration.minutes(5);

/** A queue with its dead letter queue, the function that reads it in batches, and the alarms on all three. */
export class QueueConsumer extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;
  readonly consumer: LambdaFunction;

  constructor(scope: Construct, id: string, props: QueueConsumerProps) {
    super(scope, id);
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(queueRetentionDays),
      maxMessageSizeBytes,
    };
    this.deadLetterQueue = new Queue(this, 'DeadLetters', common);
    this.queue = new Queue(this, 'Queue', {
      ...common,
      visibilityTimeout: Duration.seconds(
        visibilityTimeoutSeconds(props.consumer.timeoutSeconds, props.batchWindowSeconds),
      ),
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: props.maxReceiveCount },
    });
    // By its own name, which an operator looks for in the console.
    const { name } = props.consumer;
    this.consumer = new LambdaFunction(this, name.charAt(0).toUpperCase() + name.slice(1), props.consumer);
    this.consumer.function.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: props.batchSize,
        maxBatchingWindow: Duration.seconds(props.batchWindowSeconds),
        maxConcurrency: props.maximumConcurrency,
        reportBatchItemFailures: true,
      }),
    );
    this.addAlarms(props.consumer.name, props.alarmTopic);
    this.acknowledgeFindings();
  }

  private addAlarms(name: string, topic: ITopic | undefined): void {
    const period = Duration.minutes(1);
    new OperatorAlarm(this, 'DeadLettersPresent', {
      metric: this.deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      threshold: 1,
      evaluationPeriods: 1,
      cause: `The function "${name}" failed on a message as often as it may be received, or could not tell for so long whether a parked request is genuine.`,
      impact: `The events in it are kept for up to ${queueRetentionDays} days but are missing from history.`,
      firstStep: `Read the error in the log group of "${name}" (WORKER-05 and WORKER-07 are about parked requests: see to the alarms of "setup"), mend it, then redrive the dead letter queue (SQS console, Start DLQ redrive).`,
      topic,
    });
    new OperatorAlarm(this, 'QueueBehind', {
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
      threshold: behindAfter.toSeconds(),
      evaluationPeriods: 3,
      cause: `The function "${name}" fails, is throttled or cannot keep up with what arrives.`,
      impact: `History is at least ${behindAfter.toMinutes()} minutes late; events wait in the queue and are not lost for ${queueRetentionDays} days.`,
      firstStep: `Look at errors, throttles and duration of "${name}" and at throttling of its tables; if it is healthy but busy, raise sms:workerMaximumConcurrency.`,
      topic,
    });
    new OperatorAlarm(this, 'ConsumerErrors', {
      metric: this.consumer.function.metricErrors({ period, statistic: 'Sum' }),
      threshold: 1,
      evaluationPeriods: 3,
      cause: `The function "${name}" crashes, times out or cannot start, so its whole batches are tried again.`,
      impact: 'Events reach history late, and end in the dead letter queue if this goes on.',
      firstStep: `Read the error in the log group of "${name}". ${afterDeployment}`,
      topic,
    });
  }

  private acknowledgeFindings(): void {
    Validations.of(this.deadLetterQueue).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'This is the dead letter queue: an alarm watches it, and it has no further queue to give to.',
    });
    Validations.of(this.consumer.function).acknowledge(
      {
        id: 'Serverless-LambdaDLQ',
        reason:
          'Invoked by an SQS event source mapping only, which is synchronous: failed messages go to the dead letter queue of the queue.',
      },
      {
        id: 'Serverless-LambdaEventSourceMappingDestination',
        reason:
          'Lambda offers no failure destination for SQS sources: the redrive policy of the queue takes its place.',
      },
    );
  }
}
