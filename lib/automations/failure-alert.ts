import { Duration } from 'aws-cdk-lib';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { detailTypes } from '../../functions/publish/shapes.ts';
import { allowPublish } from '../building-blocks/grants.ts';
import { envNumber } from '../building-blocks/lambda-function.ts';
import { OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import { DeadLetterQueue, durableQueueProps } from '../building-blocks/queues.ts';
import { ScheduledFunction } from '../building-blocks/scheduled-function.ts';
import type { AutomationOptions } from '../options/options.ts';
import { queueRetentionDays } from '../options/queue-timing.ts';
import {
  type AutomationProps,
  abandoned,
  EventRules,
  undeliveredCause,
  undeliveredStep,
} from './event-automation.ts';

export interface FailureAlertProps extends AutomationProps {
  readonly config: NonNullable<AutomationOptions['failureAlert']>;
  readonly notices: ITopic;
}

const timeoutSeconds = 120;

/** Longer than a run and shorter than the shortest period: messages that one run did not delete are visible for the next one. */
const visibilityTimeout = Duration.seconds(240);

/** While SNS does not accept its notice, a failed message is retried for this long: over a long weekend. */
const retriedFor = Duration.days(3);

/** The minimum for a period of a day: one or two bad rounds abandon nothing. */
const minRounds = 5;

/** A round receives each message once. This stays below SQS's maximum of 1000 and the queue's retention for every period. */
function maxRounds(period: Duration): number {
  return Math.max(minRounds, Math.ceil(retriedFor.toMinutes() / period.toMinutes()));
}

/**
 * Sends notices about failed messages, grouped, once a period. Events wait in a queue until then; the function may receive and
 * delete them, and publish notices.
 */
export class FailureAlertAutomation extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: DeadLetterQueue;
  readonly alert: ScheduledFunction;

  constructor(scope: Construct, id: string, props: FailureAlertProps) {
    super(scope, id);
    const { config, notices, eventBus } = props;
    this.deadLetterQueue = new DeadLetterQueue(this, 'DeadLetters');
    this.queue = new Queue(this, 'Queue', {
      ...durableQueueProps,
      visibilityTimeout,
      deadLetterQueue: {
        queue: this.deadLetterQueue,
        maxReceiveCount: maxRounds(config.period),
      },
    });
    const { undelivered } = new EventRules(this, 'Rules', {
      pipeline: props.options.name,
      automation: 'failure-alert',
      eventBus,
      queue: this.queue,
      patterns: {
        Failures: { detailType: [detailTypes.statusChanged], detail: { outcome: ['failure'] } },
      },
    });
    this.alert = new ScheduledFunction(this, 'FailureAlert', {
      ...props,
      name: 'automations/failure-alert',
      description: 'Sends notices about failed messages, grouped.',
      memoryMiB: 256,
      timeoutSeconds,
      every: config.period,
      environment: {
        QUEUE_URL: this.queue.queueUrl,
        NOTICES_TOPIC_ARN: notices.topicArn,
        ALERT_PERIOD_MINUTES: envNumber(config.period.toMinutes()),
      },
    });
    this.queue.grant(this.alert.function, 'sqs:ReceiveMessage', 'sqs:DeleteMessage');
    allowPublish(this.alert.function, notices);
    this.addAlarms(props, undelivered);
  }

  private addAlarms({ options, config }: FailureAlertProps, undelivered: DeadLetterQueue): void {
    const runbook = 'An automation fails';
    const { logGroup } = this.alert;
    const { alarms } = options;
    const automation = this.node.id;
    this.alert.alarmWhenRepeated('AlertErrors', this.alert.function.metricErrors(), {
      runbook,
      cause:
        'In two of three periods the function "failure-alert" failed: SNS or SQS failed or rejected a call, its queue holds a message that is no event of the pipeline (ALERT-02), or the function crashed, timed out or could not start.',
      impact: 'There are no notices about failed messages; their events wait in its queue.',
      firstStep:
        'Read ALERT-04 or the error in the log group of "failure-alert", fix it and deploy; the next run continues.',
    });
    new OperatorAlarm(this, 'DeadLettersPresent', {
      metric: abandoned(this.deadLetterQueue, undelivered),
      runbook,
      cause: `The automation "failure-alert" could not send a notice about a failed message for ${retriedFor.toDays()} days or more; or ${undeliveredCause}`,
      impact: `There is no notice about it; its queues keep the event for up to ${queueRetentionDays} days.`,
      firstStep: `Read ALERT-02 and ALERT-04 in the log group of "failure-alert" for the reason, fix it, then redrive the dead-letter queue with "sms dead-letter redrive". ${undeliveredStep}`,
      logGroup,
      automation,
      alarms,
    });
    const lateMinutes = 3 * config.period.toMinutes();
    new OperatorAlarm(this, 'QueueBehind', {
      metric: this.queue.metricApproximateAgeOfOldestMessage({
        period: Duration.minutes(1),
        statistic: 'Maximum',
      }),
      threshold: Duration.minutes(lateMinutes).toSeconds(),
      evaluationPeriods: 3,
      runbook,
      cause: 'The automation "failure-alert" is throttled, not started, or too slow for the failures.',
      impact: `Notices about failed messages are more than ${lateMinutes} minutes late; the events wait in its queue.`,
      firstStep:
        'Look at throttles of "failure-alert" and at its schedule, and read ALERT-03 in its log group; the next run continues.',
      logGroup,
      automation,
      alarms,
    });
  }
}
