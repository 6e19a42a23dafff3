import { EventBus, type EventPattern, type IEventBusRef } from 'aws-cdk-lib/aws-events';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { detailTypes } from '../../functions/core/bus/detail-types.ts';
import { eventPattern, replyPattern } from './event-pattern.ts';
import type { DeliveryStatusFilter, EventFilter, ReplyFilter } from './filters.ts';
import { Subscription, type SubscriptionTarget } from './subscription.ts';

export interface SmsEventsProps {
  /** The pipeline's bus. */
  readonly bus: IEventBusRef;
  /** Told when a dead letter queue has something in it, and when it is empty again. */
  readonly alarmTopic?: ITopic;
}

export interface SubscribeOptions {
  /** Names the subscription in logical ids, in place of the target's construct id. */
  readonly id?: string;
}

/** Thrown where a second subscription would have the logical ids of another; the message says what to do. */
export class SubscriptionError extends Error {
  override readonly name = 'SubscriptionError';
}

/**
 * What follows from delivery reports and replies. Each subscription is a rule on the pipeline's bus with one target, tried for 24
 * hours, then kept in a dead letter queue with an alarm.
 *
 * ```ts
 * const pipeline = new SmsEvents(this, 'Sms', { bus });
 * pipeline.onDeliveryStatus({ status: ['failed', 'undelivered'] }, lambda(openTicket));
 * pipeline.onReply({ textMatches: { equalsIgnoreCase: 'yes' } }, stepFunctions(confirm));
 * ```
 */
export class SmsEvents extends Construct {
  private readonly bus: IEventBusRef;
  private readonly alarmTopic: ITopic | undefined;

  constructor(scope: Construct, id: string, { bus, alarmTopic }: SmsEventsProps) {
    super(scope, id);
    this.bus = bus;
    this.alarmTopic = alarmTopic;
  }

  /** @param busName the output `EventBusName` of the pipeline's stack for events; `EventBusArn` where it is another account's */
  static fromBusName(
    scope: Construct,
    id: string,
    busName: string,
    props: Omit<SmsEventsProps, 'bus'> = {},
  ): SmsEvents {
    return new SmsEvents(scope, id, { ...props, bus: EventBus.fromEventBusName(scope, `${id}Bus`, busName) });
  }

  /** When a message's status changes. */
  onDeliveryStatus(
    filter: DeliveryStatusFilter,
    target: SubscriptionTarget,
    options?: SubscribeOptions,
  ): Subscription {
    const pattern = eventPattern({ detailType: detailTypes.statusChanged, detail: filter });
    return this.subscribe('DeliveryStatus', pattern, target, options);
  }

  /** When one report says that a message arrived and another that it did not; once for each message. */
  onConflict(target: SubscriptionTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('Conflict', eventPattern({ detailType: detailTypes.conflict }), target, options);
  }

  /** When a reply arrives. */
  onReply(filter: ReplyFilter, target: SubscriptionTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('Reply', replyPattern(filter), target, options);
  }

  /** When a number wants no more messages. */
  onOptOut(target: SubscriptionTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('OptOut', eventPattern({ detailType: detailTypes.optOut }), target, options);
  }

  /** When a number wants messages, again or for the first time. */
  onOptIn(target: SubscriptionTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('OptIn', eventPattern({ detailType: detailTypes.optIn }), target, options);
  }

  /** When a reply asks for help. */
  onHelp(target: SubscriptionTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('Help', eventPattern({ detailType: detailTypes.helpRequested }), target, options);
  }

  /** Any other choice of events. */
  onEvent(filter: EventFilter, target: SubscriptionTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('Event', eventPattern(filter), target, options);
  }

  private subscribe(
    kind: string,
    pattern: EventPattern,
    target: SubscriptionTarget,
    { id = target.id }: SubscribeOptions = {},
  ): Subscription {
    const name = `On${kind}${id}`;
    if (this.node.tryFindChild(name) !== undefined)
      throw new SubscriptionError(
        `${this.node.path}: there is an on${kind} subscription "${id}" already; give this one a name that stays: on${kind}(..., { id: '...' })`,
      );
    return new Subscription(this, name, {
      bus: this.bus,
      description: `SMS events: ${kind} to ${id}`,
      pattern,
      target,
      alarmTopic: this.alarmTopic,
    });
  }
}
