import { Stack } from 'aws-cdk-lib';
import { EventBus, type EventPattern, type IEventBusRef } from 'aws-cdk-lib/aws-events';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { detailTypes } from '../../functions/core/bus/detail-types.ts';
import { alarmTopicProblems } from './alarm-topic.ts';
import { type BusOwner, busOwner } from './bus-owner.ts';
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

/**
 * Thrown where a second subscription would have the logical ids of another, or where EventBridge could not deliver to the target from
 * the bus of another account; the message says what to do.
 */
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
  private readonly owner: BusOwner;
  private readonly alarmTopic: ITopic | undefined;

  constructor(scope: Construct, id: string, { bus, alarmTopic }: SmsEventsProps) {
    super(scope, id);
    this.owner = busOwner(bus, Stack.of(this));
    // A rule finds the bus of another account by its ARN, and CDK would give it the name alone.
    this.bus =
      this.owner.kind === 'other' ? EventBus.fromEventBusName(this, 'PipelineBus', this.owner.busArn) : bus;
    this.alarmTopic = alarmTopic;
    if (alarmTopic !== undefined) this.node.addValidation({ validate: () => alarmTopicProblems(alarmTopic) });
  }

  /** @param busName the output `EventBusName` of the pipeline's stack for events; `EventBusArn` where it is another account's, for {@link eventBus} alone */
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
    const refusal = target.isEventBus === true ? undefined : refusalOf(this.owner);
    if (refusal !== undefined) throw new SubscriptionError(`${this.node.path}: ${refusal}`);
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

/** Why a target that is no bus cannot be reached from a bus with this owner; undefined where it can. */
function refusalOf(owner: BusOwner): string | undefined {
  switch (owner.kind) {
    case 'own':
      return undefined;
    case 'other':
      return `the bus is in account ${owner.account}, and a rule there can deliver only to an event bus of yours. Make a bus in this stack, lead events to it with eventBus(bus), and subscribe this target with new SmsEvents(this, '...', { bus }): docs/events.md, Other accounts.`;
    case 'undecided':
      return `the bus is in account ${owner.account}, and the stack does not say which account it is for. If it is for that one, give the name of the bus (output EventBusName) in place of its ARN. Otherwise give the stack its account (env) and subscribe as docs/events.md says, Other accounts.`;
  }
}
