import { Duration } from 'aws-cdk-lib';
import { type EventBus, type EventPattern, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { eventSource } from '../../functions/core/bus/detail-types.ts';
import { queueRetentionDays } from '../queue-timing.ts';
import { DeadLetterQueue } from './dead-letter-queue.ts';
import { OperatorAlarm } from './operator-alarm.ts';

export interface EventRulesProps {
  /** What the events are for, for example "opt-out". */
  readonly automation: string;
  readonly eventBus: EventBus;
  readonly queue: Queue;
  /** Which events of the pipeline are wanted: a rule each, by id. */
  readonly patterns: Readonly<Record<string, Omit<EventPattern, 'source'>>>;
  readonly alarmTopic: ITopic | undefined;
}

/**
 * Rules that put events of the pipeline into a queue, whole. What EventBridge cannot hand over for 24 hours, or may not, goes to a dead letter
 * queue of the rules' targets.
 */
export class EventRules extends Construct {
  readonly undelivered: DeadLetterQueue;

  constructor(scope: Construct, id: string, props: EventRulesProps) {
    super(scope, id);
    const { automation, eventBus, queue, alarmTopic: topic } = props;
    this.undelivered = new DeadLetterQueue(this, 'Undelivered');
    for (const [name, pattern] of Object.entries(props.patterns))
      new Rule(this, name, {
        description: `Events for the automation "${automation}".`,
        eventBus,
        eventPattern: { source: [eventSource], ...pattern },
        targets: [new SqsQueue(queue, { deadLetterQueue: this.undelivered })],
      });
    new OperatorAlarm(this, 'UndeliveredPresent', {
      metric: this.undelivered.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(1),
        statistic: 'Maximum',
      }),
      threshold: 1,
      evaluationPeriods: 1,
      runbook: 'An automation fails',
      cause: `EventBridge could not put an event into the queue of the automation "${automation}": somebody changed the queue's policy, or SQS failed for a day.`,
      impact: `The automation does not hear of it; the queue of undelivered events keeps it for ${queueRetentionDays} days.`,
      firstStep:
        'Read the attribute ERROR_MESSAGE of a message there, deploy to put the policy right, have the archive deliver that time again with "npm run -s sms -- replay" (SQS redrives no queue that a rule has filled), then delete the messages.',
      topic,
    });
  }
}
