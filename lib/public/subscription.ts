import { Duration } from 'aws-cdk-lib';
import {
  type EventPattern,
  type IEventBusRef,
  type IRuleTarget,
  Rule,
  type RuleTargetConfig,
} from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { omitUndefined } from '../../functions/base/basics.ts';
import { encryptBelow } from '../building-blocks/customer-key.ts';
import { OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import { DeadLetterQueue } from '../building-blocks/queues.ts';
import type { AlarmRecipients } from '../props/alarm-recipients.ts';
import { queueRetentionDays } from '../props/queue-timing.ts';

/** The maximum of EventBridge: about a day with exponential backoff, whichever ends first. */
const maxEventAge = Duration.hours(24);
const retryPolicy = { maximumEventAgeInSeconds: maxEventAge.toSeconds(), maximumRetryAttempts: 185 };

/** What a subscription is made from. @internal */
export interface _SubscriptionProps {
  readonly bus: IEventBusRef;
  readonly description: string;
  readonly pattern: EventPattern;
  readonly target: IRuleTarget;
  /** Names the target in texts for operators. */
  readonly targetName: string;
  readonly alarms: AlarmRecipients | false;
  readonly encryptionKey: IKey | undefined;
}

/** A rule with one target and its own dead-letter queue, so that a replay can be limited to it. */
export class Subscription extends Construct {
  /** @internal */
  static _of(scope: Construct, id: string, props: _SubscriptionProps): Subscription {
    return new Subscription(scope, id, props);
  }

  /** The rule on the pipeline's bus. */
  readonly rule: Rule;
  /** Keeps what the target did not process. */
  readonly deadLetterQueue: Queue;
  /** @internal */
  readonly _pattern: EventPattern;

  private constructor(
    scope: Construct,
    id: string,
    { bus, description, pattern, target, targetName, alarms, encryptionKey }: _SubscriptionProps,
  ) {
    super(scope, id);
    this._pattern = pattern;
    const deadLetterQueue = new DeadLetterQueue(this, 'DeadLetters');
    this.deadLetterQueue = deadLetterQueue;
    this.rule = new Rule(this, 'Rule', { eventBus: bus, description, eventPattern: pattern });
    this.rule.addTarget({ bind: (rule, targetId) => this.withDelivery(target.bind(rule, targetId)) });
    if (encryptionKey !== undefined) encryptBelow(this, encryptionKey);
    new OperatorAlarm(this, 'DeadLettersPresent', {
      metric: deadLetterQueue.metricDeadLetters(),
      runbook: 'An automation fails',
      cause: `The target "${targetName}" of the subscription "${id}" rejected or failed on an event, or could not be reached for ${maxEventAge.toHours()} hours.`,
      impact: `The target has not processed the events in the queue; they are kept for ${queueRetentionDays} days.`,
      firstStep:
        'Read ERROR_CODE and ERROR_MESSAGE among the attributes of a message in the queue (requestContext and responsePayload in its body, where a function failed), fix the target, then send the events again: docs/reference/events.md, "Dead letters".',
      alarms,
    });
  }

  /** Adds the retries and the dead-letter queue, unless the target has its own. */
  private withDelivery(config: RuleTargetConfig): RuleTargetConfig {
    if (config.deadLetterConfig === undefined)
      this.deadLetterQueue.addToResourcePolicy(
        new PolicyStatement({
          principals: [new ServicePrincipal('events.amazonaws.com')],
          actions: ['sqs:SendMessage'],
          resources: [this.deadLetterQueue.queueArn],
          conditions: { ArnEquals: { 'aws:SourceArn': this.rule.ruleArn } },
        }),
      );
    const delivery = { deadLetterConfig: { arn: this.deadLetterQueue.queueArn }, retryPolicy };
    return { ...delivery, ...omitUndefined(config) };
  }
}
