import type { Duration } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';

/** How a target is subscribed. */
export interface SubscribeOptions {
  /**
   * The subscription's name in logical ids.
   *
   * @default - the construct id of the target, or `Target` for one that {@link Target} did not make
   */
  readonly id?: string;
  /**
   * Retries of EventBridge, 0 to 185, if the target cannot be reached or throttles. A function that fails is retried by Lambda: its asynchronous
   * configuration says how.
   *
   * @default 185
   */
  readonly retryAttempts?: number;
  /**
   * EventBridge retries for this long, in whole seconds from one minute to a day.
   *
   * @default Duration.hours(24)
   */
  readonly maxEventAge?: Duration;
  /**
   * A queue of yours for what the target did not process; a standard one. The subscription then makes no alarm, because several subscriptions may
   * share the queue: watch it yourself.
   *
   * @default - a queue of the subscription, with an alarm
   */
  readonly deadLetterQueue?: IQueue;
}

/**
 * Selects changes of a message's status, and says how they are delivered; without fields it selects all of them. An event must match every given field, by any of its values. In place of
 * values, a field takes a matcher of aws-cdk-lib/aws-events: `{ phone: Match.prefix('+49') }`, `Match.anyOf(...)` for several.
 */
export interface DeliveryStatusOptions extends SubscribeOptions {
  /**
   * Names of sources; `main` is the source of the pipeline's own props.
   *
   * @default - every source
   */
  readonly source?: string[];
  /**
   * The service's ids of messages.
   *
   * @default - every message
   */
  readonly messageId?: string[];
  /**
   * Bulk sends, if the service reports them.
   *
   * @default - every message
   */
  readonly sendId?: string[];
  /**
   * Numbers of recipients, E.164.
   *
   * @default - every recipient
   */
  readonly phone?: string[];
  /**
   * Channels: `whatsapp`, `rcs`. `Match.doesNotExist()` selects SMS.
   *
   * @default - every channel
   */
  readonly channel?: string[];
  /**
   * Statuses: `sent`, `delivered`, `failed` and so on, as docs/reference/events.md lists them. A word of the service that the contract does not
   * list is `word:on-hold`.
   *
   * @default - every status
   */
  readonly status?: string[];
  /**
   * The status of the last such event of the message.
   *
   * @default - every status
   */
  readonly previousStatus?: string[];
  /**
   * Whether no further report is to be expected.
   *
   * @default - both
   */
  readonly final?: boolean;
  /**
   * `open`, `success`, `failure` or `unknown`.
   *
   * @default - every outcome
   */
  readonly outcome?: string[];
  /**
   * The service's words for statuses, where they differ from the status.
   *
   * @default - every word
   */
  readonly word?: string[];
  /**
   * The service's error codes.
   *
   * @default - every code, and none
   */
  readonly errorCode?: string[];
  /**
   * What the error code means, as docs/reference/events.md lists it.
   *
   * @default - every reason, and none
   */
  readonly errorReason?: string[];
  /**
   * The service's words for the error.
   *
   * @default - every text, and none
   */
  readonly errorText?: string[];
  /**
   * `lookup` or `import`. `Match.doesNotExist()` selects what the webhook received.
   *
   * @default - every origin
   */
  readonly origin?: string[];
  /**
   * Whether one report says that the message arrived and another that it did not.
   *
   * @default - both
   */
  readonly conflict?: boolean;
  /**
   * The currency of the price, ISO 4217.
   *
   * @default - every currency, and none
   */
  readonly currency?: string[];
  /**
   * The recipient's network: its mobile country code and mobile network code.
   *
   * @default - every network, and none
   */
  readonly network?: string[];
  /**
   * The name of the recipient's network.
   *
   * @default - every carrier, and none
   */
  readonly carrier?: string[];
}

/** Selects replies; without fields it selects all of them. Values are as in {@link DeliveryStatusOptions}. */
export interface ReplyOptions extends SubscribeOptions {
  /**
   * Names of sources; `main` is the source of the pipeline's own props.
   *
   * @default - every source
   */
  readonly source?: string[];
  /**
   * The service's ids of replies.
   *
   * @default - every reply
   */
  readonly replyId?: string[];
  /**
   * The messages that are answered, if the service reports them.
   *
   * @default - every reply
   */
  readonly messageId?: string[];
  /**
   * Numbers of the people who replied, E.164.
   *
   * @default - every number
   */
  readonly from?: string[];
  /**
   * The numbers that were written to.
   *
   * @default - every number
   */
  readonly to?: string[];
  /**
   * Channels: `whatsapp`, `rcs`. `Match.doesNotExist()` selects SMS.
   *
   * @default - every channel
   */
  readonly channel?: string[];
  /**
   * What was written: `Match.equalsIgnoreCase('yes')`, `Match.prefix('Order ')`. Texts are compared after a cut to 10,000 characters, and case
   * matters.
   *
   * @default - every text
   */
  readonly text?: string[];
  /**
   * Whether the text was cut.
   *
   * @default - both
   */
  readonly isTextCut?: boolean;
  /**
   * What a reply asks for that is nothing but a keyword: `stop`, `start` or `help`.
   *
   * @default - every reply
   */
  readonly keyword?: string[];
  /**
   * Whether it reads like a wish for no more messages without being the keyword.
   *
   * @default - both
   */
  readonly mayMeanStop?: boolean;
}

/** Selects events about a source that is degraded or has recovered; without fields it selects those of all sources. */
export interface ProviderOptions extends SubscribeOptions {
  /**
   * Names of sources; `main` is the source of the pipeline's own props.
   *
   * @default - every source
   */
  readonly source?: string[];
}

/** Selects events of one or several types. */
export interface EventOptions extends SubscribeOptions {
  /** The types of the events, each one of {@link DetailType}. */
  readonly detailTypes: string[];
  /**
   * Fields of the events' detail, each with a list of values or a matcher of aws-cdk-lib/aws-events, for example
   * `{ segments: Match.greaterThan(1) }`. All of the types must have them.
   *
   * @default - every event of the types
   */
  readonly detail?: { [field: string]: unknown };
}
