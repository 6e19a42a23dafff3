import { Duration } from 'aws-cdk-lib';
import { type EventPattern, type IEventBusRef, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import type { TargetBaseProps } from 'aws-cdk-lib/aws-events-targets';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import { DeadLetterQueue } from '../building-blocks/queues.ts';
import { queueRetentionDays } from '../settings/queue-timing.ts';

/** How long EventBridge keeps trying, and what it does with what it could not deliver. */
type Delivery = Required<Pick<TargetBaseProps, 'maxEventAge' | 'retryAttempts'>> & {
  readonly deadLetterQueue: IQueue;
};

/** Where events go; made by the functions of targets.ts. */
export interface SubscriptionTarget {
  /** Names the target in logical ids. */
  readonly id: string;
  /** Whether it is an event bus: the only target that a rule on the bus of another account reaches. */
  readonly isEventBus?: boolean;
  /** @param scope for what the target needs of its own */
  bind(scope: Construct, delivery: Delivery): IRuleTarget;
}

export interface SubscriptionProps {
  readonly bus: IEventBusRef;
  readonly description: string;
  readonly pattern: EventPattern;
  readonly target: SubscriptionTarget;
  readonly alarmTopic: ITopic | undefined;
}

/** EventBridge's most: about a day with exponential backoff, whichever ends first. */
const persistence = { maxEventAge: Duration.hours(24), retryAttempts: 185 };

/** A rule with one target and a dead letter queue of its own, so that a replay can be told to go to it alone. */
export class Subscription extends Construct {
  readonly rule: Rule;
  readonly deadLetterQueue: DeadLetterQueue;

  constructor(
    scope: Construct,
    id: string,
    { bus, description, pattern, target, alarmTopic }: SubscriptionProps,
  ) {
    super(scope, id);
    this.deadLetterQueue = new DeadLetterQueue(this, 'DeadLetters');
    this.rule = new Rule(this, 'Rule', { eventBus: bus, description, eventPattern: pattern });
    this.rule.addTarget(target.bind(this, { ...persistence, deadLetterQueue: this.deadLetterQueue }));
    new OperatorAlarm(this, 'DeadLettersPresent', {
      metric: this.deadLetterQueue.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(1),
        statistic: 'Maximum',
      }),
      threshold: 1,
      evaluationPeriods: 1,
      runbook: 'An automation fails',
      cause: `The target "${target.id}" of the subscription "${id}" refused or failed on an event, or could not be reached for ${persistence.maxEventAge.toHours()} hours.`,
      impact: `What should follow from the events in the queue has not happened; they are kept for ${queueRetentionDays} days.`,
      firstStep:
        'Read ERROR_CODE and ERROR_MESSAGE among the attributes of a message in the queue (requestContext and responsePayload in its body, where a function failed), mend the target, then send the events again: docs/events.md, Dead letters.',
      topic: alarmTopic,
    });
  }
}
