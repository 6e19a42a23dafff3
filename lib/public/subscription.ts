import { Annotations } from 'aws-cdk-lib';
import {
  type EventPattern,
  type IEventBusRef,
  type IRuleTarget,
  Rule,
  type RuleTargetConfig,
} from 'aws-cdk-lib/aws-events';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { type IQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IConstruct } from 'constructs';
import { omitUndefined } from '../../functions/base/basics.ts';
import { encryptBelow } from '../building-blocks/encryption-key.ts';
import { keyOfAws, letUseKey, unusableKey } from '../building-blocks/handed-keys.ts';
import { OperatorAlarm } from '../building-blocks/operator-alarm.ts';
import { DeadLetterQueue } from '../building-blocks/queues.ts';
import type { AlarmRecipients } from '../options/alarm-recipients.ts';
import { queueRetentionDays } from '../options/queue-timing.ts';
import { type Delivery, retriesText } from '../subscribe/subscribe-options.ts';
import { SubscriptionError } from '../subscribe/subscription-error.ts';
import { isQueueOrTopic, problemsWithEnds } from '../subscribe/target-problems.ts';

/** What a subscription is made from. @internal */
export interface _SubscriptionProps {
  readonly bus: IEventBusRef;
  readonly description: string;
  readonly pattern: EventPattern;
  readonly target: IRuleTarget;
  /** Names the target in texts for operators. */
  readonly targetName: string;
  readonly delivery: Delivery;
  readonly alarms: AlarmRecipients | false;
  readonly encryptionKey: IKey | undefined;
}

/** A rule with one target and its own dead-letter queue, unless the caller or the target has another, so that a replay can be limited to it. */
export class Subscription extends Construct {
  /** @internal */
  static _of(scope: Construct, id: string, props: _SubscriptionProps): Subscription {
    return new Subscription(scope, id, props);
  }

  /** The rule on the pipeline's bus. */
  readonly rule: Rule;
  /** Keeps what the target did not process. */
  readonly deadLetterQueue: IQueue;
  /** @internal */
  readonly _pattern: EventPattern;

  private constructor(
    scope: Construct,
    id: string,
    { bus, description, pattern, target, targetName, delivery, alarms, encryptionKey }: _SubscriptionProps,
  ) {
    super(scope, id);
    this._pattern = pattern;
    this.rule = new Rule(this, 'Rule', { eventBus: bus, description, eventPattern: pattern });
    // The id that Rule.addTarget gives to the first target.
    const config = target.bind(this.rule, 'Target0');
    const targetsQueueArn = config.deadLetterConfig?.arn;
    const isOwn = delivery.deadLetterQueue === undefined && targetsQueueArn === undefined;
    const ownQueue = isOwn ? new DeadLetterQueue(this, 'DeadLetters') : undefined;
    this.deadLetterQueue =
      delivery.deadLetterQueue ??
      (ownQueue as IQueue | undefined) ??
      queueOf(this, targetsQueueArn ?? '') ??
      Queue.fromQueueArn(this, 'DeadLettersOfTarget', targetsQueueArn ?? '');
    const problems = problemsWithEnds(this, { bus, target: config, deadLetterQueue: this.deadLetterQueue });
    if (problems.length > 0)
      throw new SubscriptionError([`${this.node.path} is wrong:`, ...problems].join('\n  '));
    this.rule.addTarget({ bind: () => this.withDelivery(config, delivery) });
    this.checkTarget(config);
    if (encryptionKey !== undefined) encryptBelow(this, encryptionKey);
    // Several subscriptions may share a queue of the caller, or one that a target brings. The caller watches it.
    if (ownQueue === undefined) return;
    new OperatorAlarm(this, 'DeadLettersPresent', {
      metric: ownQueue.metricDeadLetters(),
      runbook: 'An automation fails',
      cause: `The target "${targetName}" of the subscription "${id}" rejected or failed on an event, or could not be reached for ${retriesText(delivery)}.`,
      impact: `The target has not processed the events in the queue; they are kept for ${queueRetentionDays} days.`,
      firstStep:
        'Read ERROR_CODE and ERROR_MESSAGE among the attributes of a message in the queue (requestContext and responsePayload in its body, where a function failed), fix the target, then send the events again: docs/reference/events.md, "Dead letters".',
      alarms,
    });
  }

  /** Adds the retries and the dead-letter queue. Those of the target come before the defaults, and the options of the subscription before both. */
  private withDelivery(config: RuleTargetConfig, delivery: Delivery): RuleTargetConfig {
    const isTargetsQueue = config.deadLetterConfig !== undefined && delivery.deadLetterQueue === undefined;
    if (!isTargetsQueue) this.allowDeadLetters();
    letUseKey(this, 'events', { resource: this.deadLetterQueue, name: 'deadLetterQueue' });
    const deadLetterConfig = { arn: this.deadLetterQueue.queueArn };
    const retryPolicy = {
      maximumEventAgeInSeconds: delivery.maxEventAgeSeconds,
      maximumRetryAttempts: delivery.retryAttempts,
    };
    return {
      deadLetterConfig,
      retryPolicy,
      ...omitUndefined(config),
      ...(delivery.deadLetterQueue === undefined ? {} : { deadLetterConfig }),
      ...(delivery.hasOwnRetries ? { retryPolicy } : {}),
    };
  }

  /** Refuses queues and topics that EventBridge may not send to. */
  private checkTarget({ targetResource, role }: RuleTargetConfig): void {
    const target = [targetResource].filter((one): one is IQueue | ITopic => isQueueOrTopic(one));
    // With a role, EventBridge uses the rights of that, which the CDK gives it.
    if (role === undefined)
      for (const resource of target) {
        letUseKey(this, 'events', { resource, name: 'the target' });
        // An imported queue or topic has no resource, and its policy is elsewhere.
        if (resource.node.defaultChild === undefined) this.warnOfPolicy('the target', resource);
      }
    this.node.addValidation({
      validate: () =>
        [...target, this.deadLetterQueue].flatMap((resource) => {
          const alias = keyOfAws(resource);
          return alias === undefined
            ? unusableKey(resource, 'every event would be lost.')
            : [
                `${resource.node.path} is encrypted with ${alias}, which EventBridge may not use: every event would be lost. Encrypt it with a key of your own${alias === 'alias/aws/sqs' ? ', or with QueueEncryption.SQS_MANAGED' : ''}.`,
              ];
        }),
    });
  }

  private allowDeadLetters(): void {
    const { statementAdded } = this.deadLetterQueue.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('events.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [this.deadLetterQueue.queueArn],
        conditions: { ArnEquals: { 'aws:SourceArn': this.rule.ruleArn } },
      }),
    );
    if (!statementAdded) this.warnOfPolicy('deadLetterQueue', this.deadLetterQueue);
  }

  /** Warns of a policy that the app cannot change. */
  private warnOfPolicy(name: 'the target' | 'deadLetterQueue', resource: IQueue | ITopic): void {
    const [kind, action] = 'queueArn' in resource ? ['queue', 'sqs:SendMessage'] : ['topic', 'sns:Publish'];
    const [id, loss] =
      name === 'deadLetterQueue'
        ? ['dead-letter-policy', 'failed events are lost']
        : ['target-policy', 'every event goes to the dead-letter queue'];
    Annotations.of(this).addWarningV2(
      `sms-pipeline:${id}`,
      `The policy of ${name} cannot be changed, because the ${kind} is imported: it must allow events.amazonaws.com ${action}, or ${loss}. Add the statement { Effect: Allow, Principal: { Service: events.amazonaws.com }, Action: ${action}, Resource: the ARN of the ${kind}, Condition: { ArnEquals: { aws:SourceArn: the ARN of the rule } } }.`,
    );
  }
}

/** Finds the queue of the app with this ARN: it knows its key. */
function queueOf(scope: IConstruct, arn: string): IQueue | undefined {
  return scope.node.root.node
    .findAll()
    .filter(isQueueOrTopic)
    .find((one): one is IQueue => 'queueArn' in one && one.queueArn === arn);
}
