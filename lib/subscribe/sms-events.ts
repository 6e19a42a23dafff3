import { Arn, ArnFormat, Stack, Token, TokenComparison } from 'aws-cdk-lib';
import { EventBus, type EventPattern, type IEventBusRef, type IRuleTarget } from 'aws-cdk-lib/aws-events';
import { EventBus as ToEventBus } from 'aws-cdk-lib/aws-events-targets';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { CfnTopic, type ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { detailTypes } from '../../functions/publish/shapes.ts';
import type { AlarmRecipients } from '../props/alarms.ts';
import {
  type DeliveryStatusFilter,
  type EventFilter,
  eventPattern,
  type ProviderFilter,
  type ReplyFilter,
  replyPattern,
} from './event-filter.ts';
import { Subscription } from './subscription.ts';
import { Target } from './target.ts';

/**
 * Explains why the alarms of a stack cannot notify a topic; empty if they can, or if what decides it is not known at synth. Call it at
 * synth: the key may be set after the topic is made.
 */
export function alarmTopicProblems(topic: ITopic, stack: Stack): string[] {
  const { path } = topic.node;
  const { region } = topic.env;
  const problems: string[] = [];
  // A message to a FIFO topic needs the id of a group ("Publish", SNS API Reference), and CloudWatch documents none for its alarms.
  if (topic.fifo) problems.push(`${path} is a FIFO topic, which no alarm can notify. Use a standard topic.`);
  // "PutMetricAlarm", CloudWatch API Reference.
  if (Token.compareStrings(region, stack.region) === TokenComparison.DIFFERENT)
    problems.push(
      `${path} is in ${region}, and alarms in ${stack.region} notify only topics there. Use a topic of ${stack.region}.`,
    );
  if (isUnderSnsKey(topic))
    problems.push(
      `${path} is encrypted with alias/aws/sns, which CloudWatch may not use: no alarm would notify it. Encrypt it with a key of your own whose policy allows cloudwatch.amazonaws.com kms:Decrypt and kms:GenerateDataKey*.`,
    );
  return problems;
}

/**
 * Returns whether a topic of the same app is encrypted with the key of SNS, `alias/aws/sns`. CloudWatch may not use it, and its policy cannot
 * be changed (https://repost.aws/knowledge-center/cloudwatch-configure-alarm-sns).
 */
function isUnderSnsKey(topic: ITopic): boolean {
  const { defaultChild } = topic.node;
  if (!(defaultChild instanceof CfnTopic)) return false;
  const key = JSON.stringify(Stack.of(topic).resolve(defaultChild.kmsMasterKeyId)) ?? '';
  return key.includes('alias/aws/sns"');
}

/** The account of a bus, seen from a stack that subscribes to it. */
export type BusOwner =
  | { readonly kind: 'own' }
  /** A rule in CloudFormation takes the account from the bus's ARN. */
  | { readonly kind: 'other'; readonly account: string; readonly busArn: string }
  /** The ARN has an account, and the stack is for any account. */
  | { readonly kind: 'undecided'; readonly account: string };

/**
 * Compares the account of a bus with that of the stack. A bus whose name or ARN is known at deployment only, for example a parameter of
 * the stack, counts as the stack's own, because synth cannot compare it.
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
  /**
   * Notified when a dead-letter queue receives an event, and when it is empty again. False makes no alarms.
   *
   * @default - alarms that notify no one
   */
  readonly alarmTopic?: ITopic | false | undefined;
  /**
   * Where your operators read docs/operate/alarms.md.
   *
   * @default - descriptions of alarms name the page, without a link
   */
  readonly runbookUrl?: string | undefined;
  /**
   * Encrypts the dead-letter queues of subscriptions. Its policy must let EventBridge use it (docs/start/own-app.md, "A key of your own").
   *
   * @default - a key that SQS owns
   */
  readonly encryptionKey?: IKey | undefined;
}

export interface SubscribeOptions {
  /** The subscription's name in logical ids; by default the construct id of the target, or `Target` for one that {@link Target} did not make. */
  readonly id?: string;
}

/**
 * Thrown if a second subscription would have the logical ids of another, or if EventBridge could not deliver to the target from the bus
 * of another account; the message says what to do.
 */
export class SubscriptionError extends Error {
  override readonly name = 'SubscriptionError';
}

/**
 * Subscribes targets to delivery reports and replies. Each subscription is a rule on the pipeline's bus with one target. EventBridge
 * retries for 24 hours, then keeps the event in a dead-letter queue with an alarm.
 *
 * ```ts
 * const pipeline = new SmsEvents(this, 'Sms', { bus });
 * pipeline.onDeliveryFailed(Target.lambda(openTicket));
 * pipeline.onReply({ textMatches: { equalsIgnoreCase: 'yes' } }, Target.stepFunctions(confirm));
 * ```
 */
export class SmsEvents extends Construct {
  private readonly bus: IEventBusRef;
  private readonly owner: BusOwner;
  private readonly alarms: AlarmRecipients | false;
  private readonly encryptionKey: IKey | undefined;

  constructor(scope: Construct, id: string, { bus, alarmTopic, runbookUrl, encryptionKey }: SmsEventsProps) {
    super(scope, id);
    this.encryptionKey = encryptionKey;
    this.owner = busOwner(bus, Stack.of(this));
    // A rule finds the bus of another account by its ARN, and CDK would give it the name only.
    this.bus =
      this.owner.kind === 'other' ? EventBus.fromEventBusName(this, 'PipelineBus', this.owner.busArn) : bus;
    this.alarms = alarmTopic !== false && { topic: alarmTopic, page: undefined, runbookUrl };
    if (alarmTopic)
      this.node.addValidation({ validate: () => alarmTopicProblems(alarmTopic, Stack.of(this)) });
  }

  /** @param busName the output `EventBusName` of the pipeline's stack for events; `EventBusArn` for another account's, with {@link Target.eventBus} only */
  static fromBusName(
    scope: Construct,
    id: string,
    busName: string,
    props: Omit<SmsEventsProps, 'bus'> = {},
  ): SmsEvents {
    return new SmsEvents(scope, id, { ...props, bus: EventBus.fromEventBusName(scope, `${id}Bus`, busName) });
  }

  /** Subscribes to changes of a message's status. */
  onDeliveryStatus(
    filter: DeliveryStatusFilter,
    target: IRuleTarget,
    options?: SubscribeOptions,
  ): Subscription {
    const pattern = eventPattern({ detailType: detailTypes.statusChanged, detail: filter });
    return this.subscribe('DeliveryStatus', pattern, target, options);
  }

  /** Subscribes to messages that fail: `failed`, `undelivered`, `rejected` and `expired`. {@link onDeliveryStatus} selects some of them. */
  onDeliveryFailed(target: IRuleTarget, options?: SubscribeOptions): Subscription {
    const detail = { outcome: 'failure' } as const;
    const pattern = eventPattern({ detailType: detailTypes.statusChanged, detail });
    return this.subscribe('DeliveryFailed', pattern, target, options);
  }

  /** Subscribes to conflicts: one report says that a message arrived and another that it did not. Each message has at most one. */
  onConflict(target: IRuleTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('Conflict', eventPattern({ detailType: detailTypes.conflict }), target, options);
  }

  /** Subscribes to replies. */
  onReply(filter: ReplyFilter, target: IRuleTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('Reply', replyPattern(filter), target, options);
  }

  /** Subscribes to numbers that opt out. */
  onOptOut(target: IRuleTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('OptOut', eventPattern({ detailType: detailTypes.optOut }), target, options);
  }

  /** Subscribes to numbers that opt in, again or for the first time. */
  onOptIn(target: IRuleTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('OptIn', eventPattern({ detailType: detailTypes.optIn }), target, options);
  }

  /** Subscribes to replies that ask for help. */
  onHelp(target: IRuleTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('Help', eventPattern({ detailType: detailTypes.helpRequested }), target, options);
  }

  /**
   * Subscribes to sources that become worse: the delivery watch publishes it for a pipeline with several sources. Without a source in the filter
   * it is about all of them.
   */
  onProviderDegraded(filter: ProviderFilter, target: IRuleTarget, options?: SubscribeOptions): Subscription {
    const pattern = eventPattern({ detailType: detailTypes.providerDegraded, detail: filter });
    return this.subscribe('ProviderDegraded', pattern, target, options);
  }

  /** Subscribes to sources that are as usual again after {@link onProviderDegraded}. */
  onProviderRecovered(filter: ProviderFilter, target: IRuleTarget, options?: SubscribeOptions): Subscription {
    const pattern = eventPattern({ detailType: detailTypes.providerRecovered, detail: filter });
    return this.subscribe('ProviderRecovered', pattern, target, options);
  }

  /** Subscribes to any other selection of events. */
  onEvent(filter: EventFilter, target: IRuleTarget, options?: SubscribeOptions): Subscription {
    return this.subscribe('Event', eventPattern(filter), target, options);
  }

  private subscribe(
    kind: string,
    pattern: EventPattern,
    target: IRuleTarget,
    options: SubscribeOptions = {},
  ): Subscription {
    const known =
      target instanceof Target ? target : { id: 'Target', isEventBus: target instanceof ToEventBus };
    const { id = known.id } = options;
    const refusal = known.isEventBus ? undefined : refusalOf(this.owner);
    if (refusal !== undefined) throw new SubscriptionError(`${this.node.path}: ${refusal}`);
    const name = `On${kind}${id}`;
    if (this.node.tryFindChild(name) !== undefined)
      throw new SubscriptionError(
        `${this.node.path}: there is an on${kind} subscription "${id}" already; give this one a permanent name: on${kind}(..., { id: '...' })`,
      );
    return new Subscription(this, name, {
      bus: this.bus,
      description: `SMS events: ${kind} to ${id}`,
      pattern,
      target,
      targetName: known.id,
      alarms: this.alarms,
      encryptionKey: this.encryptionKey,
    });
  }
}

/** Explains why a target other than a bus cannot be reached from a bus with this owner; undefined if it can. */
function refusalOf(owner: BusOwner): string | undefined {
  switch (owner.kind) {
    case 'own':
      return undefined;
    case 'other':
      return `the bus is in account ${owner.account}, and a rule there can deliver only to an event bus of this account. Add a bus to this stack, send events to it with Target.eventBus(bus), and subscribe this target with new SmsEvents(this, '...', { bus }): docs/reference/events.md, "Other accounts".`;
    case 'undecided':
      return `the bus is in account ${owner.account}, and the stack has no account. If it is for that one, give the name of the bus (output EventBusName) in place of its ARN. Otherwise give the stack its account (env) and subscribe from another account: docs/reference/events.md, "Other accounts".`;
  }
}
