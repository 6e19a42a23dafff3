import { Annotations, Stack } from 'aws-cdk-lib';
import { EventBus, type IEventBusRef, type IRuleTarget } from 'aws-cdk-lib/aws-events';
import { EventBus as ToEventBus } from 'aws-cdk-lib/aws-events-targets';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { detailTypes } from '../../functions/publish/shapes.ts';
import type { AlarmRecipients } from '../options/alarm-recipients.ts';
import type {
  DeliveryStatusOptions,
  EventOptions,
  ProviderOptions,
  ReplyOptions,
  SubscribeOptions,
} from '../props/subscribe-options.ts';
import { type BusOwner, busOwner, refusalOf } from '../subscribe/bus-owner.ts';
import {
  defaultPatternLength,
  eventPattern,
  excludedAbsences,
  problemsWithLength,
  selectsLocalNumbers,
  shorterPattern,
} from '../subscribe/event-filter.ts';
import { malformedArguments, malformedEventOptions, readOptions } from '../subscribe/subscribe-options.ts';
import { SubscriptionError } from '../subscribe/subscription-error.ts';
import { Subscription } from './subscription.ts';
import { Target } from './target.ts';

/** What the subscriptions of a pipeline have in common. @internal */
export interface _SubscriptionContext {
  readonly bus: IEventBusRef;
  /** Undefined for every pipeline on the bus. */
  readonly pipeline: string | undefined;
  readonly alarms: AlarmRecipients | false;
  readonly encryptionKey: IKey | undefined;
}

/**
 * Subscribes targets to delivery reports and replies. Each subscription is a rule on the pipeline's bus with one target. EventBridge
 * retries for 24 hours, then keeps the event in a dead-letter queue with an alarm, unless {@link SubscribeOptions} say otherwise.
 *
 * ```ts
 * sms.events.onDeliveryFailed(Target.lambda(openTicket));
 * sms.events.onReply(Target.stepFunctions(confirm), { text: Match.equalsIgnoreCase('yes') });
 * ```
 */
export class SmsEvents extends Construct {
  /** @internal */
  static _of(scope: Construct, context: _SubscriptionContext): SmsEvents {
    return new SmsEvents(scope, context);
  }

  /** @internal */
  readonly _subscriptions: Subscription[] = [];
  private readonly bus: IEventBusRef;
  private readonly pipeline: string | undefined;
  private readonly owner: BusOwner;
  private readonly alarms: AlarmRecipients | false;
  private readonly encryptionKey: IKey | undefined;

  private constructor(scope: Construct, context: _SubscriptionContext) {
    super(scope, 'Events');
    const { bus, alarms, encryptionKey } = context;
    this.encryptionKey = encryptionKey;
    this.pipeline = context.pipeline;
    this.owner = busOwner(bus, Stack.of(this));
    // A rule finds the bus of another account by its ARN, and CDK would give it the name only.
    this.bus =
      this.owner.kind === 'other' ? EventBus.fromEventBusName(this, 'PipelineBus', this.owner.busArn) : bus;
    this.alarms = alarms;
  }

  /** Subscribes to changes of a message's status. */
  onDeliveryStatus(target: IRuleTarget, options?: DeliveryStatusOptions): Subscription {
    return this.subscribe('DeliveryStatus', [detailTypes.statusChanged], target, options);
  }

  /** Subscribes to messages that fail: `failed`, `undelivered`, `rejected` and `expired`. {@link onDeliveryStatus} selects some of them. */
  onDeliveryFailed(target: IRuleTarget, options?: SubscribeOptions): Subscription {
    const failed = { ...options, outcome: ['failure'] };
    return this.subscribe('DeliveryFailed', [detailTypes.statusChanged], target, failed);
  }

  /** Subscribes to conflicts: one report says that a message arrived and another that it did not. Each message has at most one. */
  onConflict(target: IRuleTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('Conflict', [detailTypes.conflict], target, options);
  }

  /** Subscribes to replies. */
  onReply(target: IRuleTarget, options?: ReplyOptions): Subscription {
    return this.subscribe('Reply', [detailTypes.replyReceived], target, options);
  }

  /** Subscribes to numbers that opt out. */
  onOptOut(target: IRuleTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('OptOut', [detailTypes.optOut], target, options);
  }

  /** Subscribes to numbers that opt in, again or for the first time. */
  onOptIn(target: IRuleTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('OptIn', [detailTypes.optIn], target, options);
  }

  /** Subscribes to replies that ask for help. */
  onHelp(target: IRuleTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('Help', [detailTypes.helpRequested], target, options);
  }

  /**
   * Subscribes to sources that become worse: the delivery watch publishes it for a pipeline with several sources. Without a source in the filter
   * it is about all of them.
   */
  onProviderDegraded(target: IRuleTarget, options?: ProviderOptions): Subscription {
    return this.subscribe('ProviderDegraded', [detailTypes.providerDegraded], target, options);
  }

  /** Subscribes to sources that are as usual again after {@link onProviderDegraded}. */
  onProviderRecovered(target: IRuleTarget, options?: ProviderOptions): Subscription {
    return this.subscribe('ProviderRecovered', [detailTypes.providerRecovered], target, options);
  }

  /** Subscribes to any other selection of events. */
  onEvent(target: IRuleTarget, options: EventOptions): Subscription {
    this.refuse('Event', malformedEventOptions(options));
    const { detailTypes: types, detail, ...others } = options;
    return this.subscribe('Event', types, target, { ...detail, ...others });
  }

  private subscribe(kind: string, types: string[], target: IRuleTarget, options: object = {}): Subscription {
    this.refuse(kind, malformedArguments(target, options));
    const { delivery, filter, problems: wrong } = readOptions(options);
    const known =
      target instanceof Target ? target : { id: 'Target', isEventBus: target instanceof ToEventBus };
    const { id = known.id } = delivery;
    const isReached = known.isEventBus && this.owner.kind !== 'elsewhere';
    const refusal = isReached ? undefined : refusalOf(this.owner);
    if (refusal !== undefined) throw new SubscriptionError(`${this.node.path}: ${refusal}`);
    const stack = Stack.of(this);
    const { pattern, problems } = eventPattern(this.pipeline, types, filter, (value: unknown) =>
      stack.resolve(value),
    );
    this.refuse(kind, [...wrong, ...problems]);
    const { length } = JSON.stringify(stack.resolve(pattern));
    this.refuse(kind, problemsWithLength(length));
    const name = `On${kind}${id}`;
    if (this.node.tryFindChild(name) !== undefined)
      throw new SubscriptionError(
        `${this.node.path}: there is an on${kind} subscription "${id}" already; give this one a permanent name: on${kind}(..., { id: '...' })`,
      );
    const subscription = Subscription._of(this, name, {
      bus: this.bus,
      description: `SMS events: ${kind} to ${id}`,
      pattern,
      target,
      targetName: known.id,
      delivery,
      alarms: this.alarms,
      encryptionKey: this.encryptionKey,
    });
    if (length > defaultPatternLength)
      Annotations.of(subscription).addWarningV2(
        'sms-pipeline:long-pattern',
        `The pattern of the subscription has ${length} characters, and an account may have ${defaultPatternLength} unless AWS has raised its quota "Event pattern size". Otherwise the deployment fails: ${shorterPattern}`,
      );
    if (selectsLocalNumbers(stack.resolve(pattern)))
      Annotations.of(subscription).addWarningV2(
        'sms-pipeline:local-number',
        'The subscription selects by a phone that does not begin with + and the code of a country, and events have numbers as E.164, for example +12025550123: the target may receive none.',
      );
    const absent = excludedAbsences(stack.resolve(pattern));
    if (absent.length > 0)
      Annotations.of(subscription).addWarningV2(
        'sms-pipeline:absent-field',
        `The subscription excludes values of ${absent.join(', ')} by Match.anythingBut, which matches no event without the field. If you want these events too, give Match.anyOf(Match.anythingBut(...), Match.doesNotExist()).`,
      );
    this._subscriptions.push(subscription);
    return subscription;
  }

  private refuse(kind: string, problems: readonly string[]): void {
    if (problems.length > 0)
      throw new SubscriptionError([`${this.node.path}: on${kind} is wrong:`, ...problems].join('\n  '));
  }
}
