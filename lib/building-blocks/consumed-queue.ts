import { posix } from 'node:path';
import { Duration, Validations } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { visibilityTimeoutSeconds } from '../options/queue-timing.ts';
import type { AlarmTexts } from './alarm-description.ts';
import { LambdaFunction, type LambdaFunctionProps } from './lambda-function.ts';
import { OperatorAlarm, type OperatorAlarmProps } from './operator-alarm.ts';
import { addQueueSource, DeadLetterQueue, durableQueueProps } from './queues.ts';

export interface ConsumedQueueProps {
  readonly consumer: LambdaFunctionProps;
  readonly batchSize: number;
  readonly batchWindowSeconds: number;
  readonly maximumConcurrency: number;
  /** A message goes to the dead-letter queue after this many receives. */
  readonly maxReceiveCount: number;
  /** The age in seconds of the oldest message at which the function has fallen behind. */
  readonly behindAfterSeconds: number;
  /** The time for which a message may be failing; five minutes by default. */
  readonly failingAfter?: Duration;
  readonly texts: ConsumedQueueTexts;
  /** The severity of the alarms on the queue. */
  readonly severity: NonNullable<OperatorAlarmProps['severity']>;
  /** The automation that reads the queue. */
  readonly automation?: string;
}

/** The texts of the alarms on the queue and its function, without that on dead letters. */
export interface ConsumedQueueTexts {
  readonly behind: AlarmTexts;
  readonly failing: AlarmTexts;
  readonly errors: AlarmTexts;
}

/** A queue with its dead-letter queue, the function that reads it in batches, and the alarms on all three. */
export class ConsumedQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: DeadLetterQueue;
  readonly consumer: LambdaFunction;
  private readonly alarmDefaults: Required<
    Pick<OperatorAlarmProps, 'severity' | 'automation' | 'logGroup' | 'alarms'>
  >;

  constructor(scope: Construct, id: string, props: ConsumedQueueProps) {
    super(scope, id);
    this.deadLetterQueue = new DeadLetterQueue(this, 'DeadLetters');
    this.queue = new Queue(this, 'Queue', {
      ...durableQueueProps,
      visibilityTimeout: Duration.seconds(
        visibilityTimeoutSeconds(props.consumer.timeoutSeconds, props.batchWindowSeconds),
      ),
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: props.maxReceiveCount },
    });
    // The id is the function's own name, which an operator looks for in the console.
    this.consumer = new LambdaFunction(this, constructId(props.consumer.name), props.consumer);
    addQueueSource(this.consumer.function, this.queue, {
      batchSize: props.batchSize,
      maxBatchingWindow: Duration.seconds(props.batchWindowSeconds),
      maxConcurrency: props.maximumConcurrency,
      reportBatchItemFailures: true,
    });
    // The function sets the delay of a message that has to wait.
    this.queue.grant(this.consumer.function, 'sqs:ChangeMessageVisibility');
    this.alarmDefaults = {
      severity: props.severity,
      automation: props.automation,
      logGroup: this.consumer.logGroup,
      alarms: props.consumer.options.alarms,
    };
    this.addAlarms(props);
    this.acknowledgeFindings();
  }

  /**
   * Adds the alarm on messages that were given up.
   *
   * @param metric of the dead-letter queue, and of other queues that hold such messages
   */
  protected alarmOnDeadLetters(
    metric: IMetric,
    texts: AlarmTexts & Pick<OperatorAlarmProps, 'severity'>,
  ): void {
    new OperatorAlarm(this, 'DeadLettersPresent', { metric, ...this.alarmDefaults, ...texts });
  }

  private addAlarms({
    texts,
    behindAfterSeconds,
    failingAfter = Duration.minutes(5),
  }: ConsumedQueueProps): void {
    const period = Duration.minutes(1);
    new OperatorAlarm(this, 'QueueBehind', {
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
      threshold: behindAfterSeconds,
      evaluationPeriods: 3,
      ...texts.behind,
      ...this.alarmDefaults,
    });
    // The age above leaves out messages that were received three times: it shows messages that wait, not those that fail.
    new OperatorAlarm(this, 'MessagesFailing', {
      metric: this.consumer.metricMeasured('FailingFor'),
      threshold: failingAfter.toMilliseconds(),
      ...texts.failing,
      suppressOkAction: true,
      ...this.alarmDefaults,
    });
    new OperatorAlarm(this, 'ConsumerErrors', {
      metric: this.consumer.function.metricErrors({ period, statistic: 'Sum' }),
      evaluationPeriods: 3,
      ...texts.errors,
      ...this.alarmDefaults,
    });
  }

  private acknowledgeFindings(): void {
    Validations.of(this.consumer.function).acknowledge(
      {
        id: 'Serverless-LambdaDLQ',
        reason:
          'Invoked by an SQS event source mapping only, which is synchronous: failed messages go to the dead-letter queue of the queue.',
      },
      {
        id: 'Serverless-LambdaEventSourceMappingDestination',
        reason:
          'Lambda offers no failure destination for SQS sources: the redrive policy of the queue takes its place.',
      },
    );
  }
}

/** Turns `automations/opt-out` into `OptOut`. */
function constructId(name: string): string {
  const words = posix.basename(name).split('-');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
