import { Arn, ArnFormat, Stack, Token, TokenComparison } from 'aws-cdk-lib';
import { EventBus, type EventPattern, type IEventBusRef } from 'aws-cdk-lib/aws-events';
import { CfnTopic, type ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { detailTypes } from '../../functions/bus/event-types.ts';
import {
  type DeliveryStatusFilter,
  type EventFilter,
  eventPattern,
  type ReplyFilter,
  replyPattern,
} from './event-filter.ts';
import { Subscription, type SubscriptionTarget } from './subscription.ts';

/**
 * Says why CloudWatch cannot notify a topic of the same app; empty where it can, or where the topic was imported.
 *
 * CloudWatch may not use the key of SNS, `alias/aws/sns`, and the policy of that key cannot be changed
 * (https://repost.aws/knowledge-center/cloudwatch-configure-alarm-sns). Call it at synth: the key may be set after the topic is made.
 */
function alarmTopicProblems(topic: ITopic): string[] {
  const { defaultChild } = topic.node;
  if (!(defaultChild instanceof CfnTopic)) return [];
  const key = JSON.stringify(Stack.of(topic).resolve(defaultChild.kmsMasterKeyId)) ?? '';
  if (!key.includes('alias/aws/sns"')) return [];
  return [
    `${topic.node.path} is encrypted with alias/aws/sns, which CloudWatch may not use: no alarm would notify it. Encrypt it with a key of your own whose policy allows cloudwatch.amazonaws.com kms:Decrypt and kms:GenerateDataKey*.`,
  ];
}

/** Whose account a bus is in, seen from a stack that subscribes to it. */
export type BusOwner =
  | { readonly kind: 'own' }
  /** By its ARN, from which a rule of CloudFormation knows the account. */
  | { readonly kind: 'other'; readonly account: string; readonly busArn: string }
  /** The ARN names an account, and the stack is for any account. */
  | { readonly kind: 'undecided'; readonly account: string };

/**
 * Compares the account of a bus with that of the stack. A bus whose name or ARN is known at deployment only, as a parameter of the
 * stack is, counts as the stack's own: nothing can be compared at synth.
 */
function busOwner(bus: IEventBusRef, stack: Stack): BusOwner {
  const { eventBusName, eventBusArn } = bus.eventBusRef;
  const busArn = [eventBusName, eventBusArn].find((text) => text.startsWith('arn:'));
  const account =
    busArn === undefined ? bus.env.account : (Arn.split(busArn, ArnFormat.SLASH_RESOURCE_NAME).account ?? '');
  switch (Token.compareStrings(account, stack.account)) {
    case TokenComparison.SAME:
    case TokenComparison.BOTH_UNRESOLVED:
      return { kind: 'own' };
    case TokenComparison.ONE_UNRESOLVED:
      return Token.isUnresolved(account) ? { kind: 'own' } : { kind: 'undecided', account };
    default:
      return { kind: 'other', account, busArn: busArn ?? eventBusArn };
  }
}

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
