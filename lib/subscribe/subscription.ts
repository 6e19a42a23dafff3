import { Duration } from 'aws-cdk-lib';
import { type EventPattern, type IEventBusRef, type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import type { TargetBaseProps } from 'aws-cdk-lib/aws-events-targets';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { encryptBelow } from '../building-blocks/customer-key.ts';
import { OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import { DeadLetterQueue } from '../building-blocks/queues.ts';
import type { AlarmRecipients } from '../props/alarms.ts';
import { queueRetentionDays } from '../props/queue-timing.ts';

/** The retry policy of EventBridge, and the queue for events that it could not deliver. */
type Delivery = Required<Pick<TargetBaseProps, 'maxEventAge' | 'retryAttempts'>> & {
  readonly deadLetterQueue: IQueue;
};

/** A target of events; the functions of targets.ts make it. */
export interface SubscriptionTarget {
  /** Names the target in logical ids. */
  readonly id: string;
  /** Whether the target is an event bus, the only kind that a rule on the bus of another account reaches. */
  readonly isEventBus?: boolean;
  /** @param scope the scope of the target's own constructs */
  bind(scope: Construct, delivery: Delivery): IRuleTarget;
}

export interface SubscriptionProps {
  readonly bus: IEventBusRef;
  readonly description: string;
  readonly pattern: EventPattern;
  readonly target: SubscriptionTarget;
  readonly alarms: AlarmRecipients | false;
  readonly encryptionKey: IKey | undefined;
}

/** The maximum of EventBridge: about a day with exponential backoff, whichever ends first. */
const retryPolicy = { maxEventAge: Duration.hours(24), retryAttempts: 185 };

/** A rule with one target and its own dead-letter queue, so that a replay can be limited to it. */
export class Subscription extends Construct {
  readonly rule: Rule;
  readonly deadLetterQueue: DeadLetterQueue;

  constructor(
    scope: Construct,
    id: string,
    { bus, description, pattern, target, alarms, encryptionKey }: SubscriptionProps,
  ) {
    super(scope, id);
    this.deadLetterQueue = new DeadLetterQueue(this, 'DeadLetters');
    this.rule = new Rule(this, 'Rule', { eventBus: bus, description, eventPattern: pattern });
    this.rule.addTarget(target.bind(this, { ...retryPolicy, deadLetterQueue: this.deadLetterQueue }));
    if (encryptionKey !== undefined) encryptBelow(this, encryptionKey);
    new OperatorAlarm(this, 'DeadLettersPresent', {
      metric: this.deadLetterQueue.metricDeadLetters(),
      runbook: 'An automation fails',
      cause: `The target "${target.id}" of the subscription "${id}" rejected or failed on an event, or could not be reached for ${retryPolicy.maxEventAge.toHours()} hours.`,
      impact: `The target has not processed the events in the queue; they are kept for ${queueRetentionDays} days.`,
      firstStep:
        'Read ERROR_CODE and ERROR_MESSAGE among the attributes of a message in the queue (requestContext and responsePayload in its body, where a function failed), fix the target, then send the events again: docs/reference/events.md, "Dead letters".',
      alarms,
    });
  }
}
