import { posix } from 'node:path';
import { Duration, Validations } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { visibilityTimeoutSeconds } from '../settings/queue-timing.ts';
import { LambdaFunction, type LambdaFunctionProps } from './lambda-function.ts';
import { type AlarmTexts, OperatorAlarm } from './operator-alarm.ts';
import { addQueueSource, DeadLetterQueue, durableQueueProps } from './queues.ts';

export interface QueueConsumerProps {
  readonly consumer: LambdaFunctionProps;
  readonly batchSize: number;
  readonly batchWindowSeconds: number;
  readonly maximumConcurrency: number;
  /** How often a message is received before it goes to the dead letter queue. */
  readonly maxReceiveCount: number;
  /** The age of the oldest message at which the function has fallen behind; five minutes, if not given. */
  readonly behindAfter?: Duration;
  /** How long a message may have been failing; five minutes, if not given. */
  readonly failingAfter?: Duration;
  readonly texts: QueueConsumerTexts;
  readonly alarmTopic: ITopic | undefined;
}

/** What the alarms say of this function and its messages. */
export interface QueueConsumerTexts {
  readonly deadLetters: AlarmTexts;
  readonly behind: AlarmTexts;
  readonly failing: AlarmTexts;
  readonly errors: AlarmTexts;
}

/** A queue with its dead letter queue, the function that reads it in batches, and the alarms on all three. */
export class QueueConsumer extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;
  readonly consumer: LambdaFunction;

  constructor(scope: Construct, id: string, props: QueueConsumerProps) {
    super(scope, id);
    this.deadLetterQueue = new DeadLetterQueue(this, 'DeadLetters');
    this.queue = new Queue(this, 'Queue', {
      ...durableQueueProps,
      visibilityTimeout: Duration.seconds(
        visibilityTimeoutSeconds(props.consumer.timeoutSeconds, props.batchWindowSeconds),
      ),
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: props.maxReceiveCount },
    });
    // By its own name, which an operator looks for in the console.
    this.consumer = new LambdaFunction(this, constructId(props.consumer.name), props.consumer);
    addQueueSource(this.consumer.function, this.queue, {
      batchSize: props.batchSize,
      maxBatchingWindow: Duration.seconds(props.batchWindowSeconds),
      maxConcurrency: props.maximumConcurrency,
      reportBatchItemFailures: true,
    });
    // A message that has to wait tells the queue for how long.
    this.queue.grant(this.consumer.function, 'sqs:ChangeMessageVisibility');
    this.addAlarms(props);
    this.acknowledgeFindings();
  }

  private addAlarms({
    texts,
    behindAfter = Duration.minutes(5),
    failingAfter = Duration.minutes(5),
    alarmTopic: topic,
  }: QueueConsumerProps): void {
    const period = Duration.minutes(1);
    new OperatorAlarm(this, 'DeadLettersPresent', {
      metric: this.deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      threshold: 1,
      evaluationPeriods: 1,
      ...texts.deadLetters,
      topic,
    });
    new OperatorAlarm(this, 'QueueBehind', {
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
      threshold: behindAfter.toSeconds(),
      evaluationPeriods: 3,
      ...texts.behind,
      topic,
    });
    // SQS leaves out of the age what was received three times: it tells of messages that nobody takes, not of those that fail.
    new OperatorAlarm(this, 'MessagesFailing', {
      metric: this.consumer.metricMeasured('FailingFor'),
      threshold: failingAfter.toMilliseconds(),
      evaluationPeriods: 1,
      ...texts.failing,
      isOverUnseen: true,
      topic,
    });
    new OperatorAlarm(this, 'ConsumerErrors', {
      metric: this.consumer.function.metricErrors({ period, statistic: 'Sum' }),
      threshold: 1,
      evaluationPeriods: 3,
      ...texts.errors,
      topic,
    });
  }

  private acknowledgeFindings(): void {
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

/** `automations/opt-out` becomes `OptOut`. */
function constructId(name: string): string {
  const words = posix.basename(name).split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
