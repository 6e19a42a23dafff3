import { Duration } from 'aws-cdk-lib';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { detailTypes } from '../../functions/bus/event-types.ts';
import { allowPublish } from '../building-blocks/grants.ts';
import { OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import { DeadLetterQueue, durableQueueProps } from '../building-blocks/queues.ts';
import { ScheduledFunction } from '../building-blocks/scheduled-function.ts';
import { queueRetentionDays } from '../settings/queue-timing.ts';
import { type AutomationProps, EventRules } from './event-automation.ts';

export interface FailureAlertProps extends AutomationProps {
  readonly notices: Topic;
}

const timeoutSeconds = 120;

/** Longer than a run, and shorter than the least period: what a run did not delete is there for the next one. */
const visibilityTimeout = Duration.seconds(240);

/** How long a failed message is told again while SNS does not take its notice: over a long weekend. */
const toldFor = Duration.days(3);

/** For a period of a day, so that one bad round or two give nothing up. */
const leastRounds = 5;

/** A round receives each message once. Less than SQS's most of 1000, and over before the queue forgets a message, for every period. */
function mostRounds(periodMinutes: number): number {
  return Math.max(leastRounds, Math.ceil(toldFor.toMinutes() / periodMinutes));
}

/**
 * Tells in notices which messages failed, grouped, once a period. Events wait in a queue until then; the function may receive
 * and delete them, and publish notices.
 */
export class FailureAlert extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: DeadLetterQueue;
  readonly alert: AlertFunction;

  constructor(scope: Construct, id: string, props: FailureAlertProps) {
    super(scope, id);
    this.deadLetterQueue = new DeadLetterQueue(this, 'DeadLetters');
    this.queue = new Queue(this, 'Queue', {
      ...durableQueueProps,
      visibilityTimeout,
      deadLetterQueue: {
        queue: this.deadLetterQueue,
        maxReceiveCount: mostRounds(props.settings.failureAlertMinutes),
      },
    });
    new EventRules(this, 'Rules', {
      automation: 'failure-alert',
      eventBus: props.eventBus,
      queue: this.queue,
      patterns: {
        Failures: { detailType: [detailTypes.statusChanged], detail: { outcome: ['failure'] } },
      },
      alarmTopic: props.alarmTopic,
    });
    this.alert = new AlertFunction(this, 'FailureAlert', props, this.queue);
    this.addAlarms(props);
  }

  private addAlarms({ settings, alarmTopic: topic }: FailureAlertProps): void {
    const period = Duration.minutes(1);
    new OperatorAlarm(this, 'DeadLettersPresent', {
      metric: this.deadLetterQueue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
      threshold: 1,
      evaluationPeriods: 1,
      runbook: 'An automation fails',
      cause: `The automation "failure-alert" could not tell of a failed message for ${toldFor.toDays()} days or more.`,
      impact: `No notice tells of it; the dead letter queue keeps its event for up to ${queueRetentionDays} days.`,
      firstStep:
        'Read ALERT-02 and ALERT-04 in the log group of "failure-alert" for the reason, mend it, then redrive the dead letter queue (SQS console, Start DLQ redrive).',
      topic,
    });
    new OperatorAlarm(this, 'QueueBehind', {
      metric: this.queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
      threshold: Duration.minutes(3 * settings.failureAlertMinutes).toSeconds(),
      evaluationPeriods: 3,
      runbook: 'An automation fails',
      cause: 'The automation "failure-alert" is throttled, not started, or cannot keep up with what fails.',
      impact: `Notices about failed messages are more than ${3 * settings.failureAlertMinutes} minutes late; the events wait in its queue.`,
      firstStep:
        'Look at throttles of "failure-alert" and at its schedule, and read ALERT-03 in its log group; the next run goes on.',
      topic,
    });
  }
}

class AlertFunction extends ScheduledFunction {
  constructor(scope: Construct, id: string, props: FailureAlertProps, queue: Queue) {
    const { settings, notices } = props;
    super(scope, id, {
      ...props.defaults,
      name: 'automations/failure-alert',
      description: 'Tells in notices which messages failed, grouped.',
      memoryMiB: 256,
      timeoutSeconds,
      every: Duration.minutes(settings.failureAlertMinutes),
      environment: {
        QUEUE_URL: queue.queueUrl,
        NOTICES_TOPIC_ARN: notices.topicArn,
        ALERT_PERIOD_MINUTES: String(settings.failureAlertMinutes),
      },
    });
    queue.grant(this.function, 'sqs:ReceiveMessage', 'sqs:DeleteMessage');
    allowPublish(this.function, notices);
    this.alarmWhenRepeated('AlertErrors', this.function.metricErrors(), {
      runbook: 'An automation fails',
      cause:
        'In two of three periods the function "failure-alert" failed: SNS or SQS failed or refused a call, a message of its queue is no event of ours (ALERT-02), or it crashed, timed out or could not start.',
      impact: 'Nobody is told of failed messages; their events wait in its queue.',
      firstStep:
        'Read ALERT-04 or the error in the log group of "failure-alert", mend it and deploy; the next run goes on.',
      topic: props.alarmTopic,
    });
  }
}
