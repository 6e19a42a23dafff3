// Made by tools/generate/write-generated.ts; do not edit.

/**
 * The status of a message changed, or a message was seen for the first time.
 */
interface SMSDeliveryStatusChanged {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * The source that it is of, if the pipeline has several; absent for `main`. Ids are unique within a source.
   */
  source?: string;
  /**
   * The service's id of the message.
   */
  messageId: string;
  /**
   * The bulk send of the message, if the service reports it.
   */
  sendId?: string;
  /**
   * The recipient's number, if the service reports it; E.164 if possible.
   */
  phone?: string;
  /**
   * The channel, such as `whatsapp`; absent for SMS.
   */
  channel?: string;
  /**
   * One of the canonical statuses, or the service's own word if the contract does not list it.
   */
  status: string;
  /**
   * The status of the last such event of the message; absent if there was none.
   */
  previousStatus?: string;
  /**
   * Whether no further report is to be expected.
   */
  final: boolean;
  /**
   * The meaning of the status: still under way, arrived, did not arrive, or not known.
   */
  outcome: 'open' | 'success' | 'failure' | 'unknown';
  /**
   * How many reports the pipeline has of the message. Of two such events of one message, the one with more reports is the newer.
   */
  reportCount: number;
  /**
   * Id of the report or reply within the delivery history.
   */
  historyEventId: string;
  /**
   * The service's word, if it differs from `status`.
   */
  word?: string;
  /**
   * The service's error code, if it reports one.
   */
  errorCode?: string;
  /**
   * What the error code means, if the contract lists it.
   */
  errorReason?:
    | 'invalid_number'
    | 'unreachable'
    | 'landline'
    | 'blocked'
    | 'opted_out'
    | 'spam'
    | 'content_rejected'
    | 'carrier_rejected'
    | 'unregistered_sender'
    | 'no_route'
    | 'expired'
    | 'throttled'
    | 'insufficient_funds'
    | 'service_error'
    | 'unknown';
  /**
   * The service's words for the error, cut after 1,000 characters.
   */
  errorText?: string;
  /**
   * Present if the report is the answer of a lookup at the service, or a row of an import; absent if the webhook received it.
   */
  origin?: 'lookup' | 'import';
  /**
   * The part of the message that the report is about, if the service gives each part an id.
   */
  partId?: string;
  /**
   * Present if `occurredAt` is not exact. `received`: the service sent no time, or one more than a day after the receipt. `assumed`: the zone of its time is not certain. A time without a zone is read as UTC.
   */
  timeIs?: 'received' | 'assumed';
  /**
   * When the webhook received it; ISO 8601 in UTC, to the millisecond.
   */
  receivedAt: string;
  /**
   * When the status came about; ISO 8601 in UTC, to the millisecond.
   */
  occurredAt: string;
  /**
   * Whether one report says that the message arrived and another that it did not.
   */
  conflict: boolean;
  /**
   * What the message cost, as far as it is known by now: a decimal number as text.
   */
  price?: string;
  /**
   * The currency of `price`, ISO 4217.
   */
  currency?: string;
  /**
   * The number of parts in which it was sent.
   */
  segments?: number;
  /**
   * The recipient's network: its mobile country code and mobile network code.
   */
  network?: string;
  /**
   * The name of the recipient's network, as the service writes it.
   */
  carrier?: string;
}

/**
 * A delivery report was stored, whether or not it changed the status. Off by default.
 */
interface SMSDeliveryEvent {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * The source that it is of, if the pipeline has several; absent for `main`. Ids are unique within a source.
   */
  source?: string;
  /**
   * The service's id of the message.
   */
  messageId: string;
  /**
   * The bulk send of the message, if the service reports it.
   */
  sendId?: string;
  /**
   * The recipient's number, if the service reports it; E.164 if possible.
   */
  phone?: string;
  /**
   * The channel, such as `whatsapp`; absent for SMS.
   */
  channel?: string;
  /**
   * One of the canonical statuses, or the service's own word if the contract does not list it.
   */
  status: string;
  /**
   * Id of the report or reply within the delivery history.
   */
  historyEventId: string;
  /**
   * The service's word, if it differs from `status`.
   */
  word?: string;
  /**
   * The service's error code, if it reports one.
   */
  errorCode?: string;
  /**
   * What the error code means, if the contract lists it.
   */
  errorReason?:
    | 'invalid_number'
    | 'unreachable'
    | 'landline'
    | 'blocked'
    | 'opted_out'
    | 'spam'
    | 'content_rejected'
    | 'carrier_rejected'
    | 'unregistered_sender'
    | 'no_route'
    | 'expired'
    | 'throttled'
    | 'insufficient_funds'
    | 'service_error'
    | 'unknown';
  /**
   * The service's words for the error, cut after 1,000 characters.
   */
  errorText?: string;
  /**
   * Present if the report is the answer of a lookup at the service, or a row of an import; absent if the webhook received it.
   */
  origin?: 'lookup' | 'import';
  /**
   * The part of the message that the report is about, if the service gives each part an id.
   */
  partId?: string;
  /**
   * Present if `occurredAt` is not exact. `received`: the service sent no time, or one more than a day after the receipt. `assumed`: the zone of its time is not certain. A time without a zone is read as UTC.
   */
  timeIs?: 'received' | 'assumed';
  /**
   * When the webhook received it; ISO 8601 in UTC, to the millisecond.
   */
  receivedAt: string;
  /**
   * When it happened; ISO 8601 in UTC, to the millisecond.
   */
  occurredAt: string;
  /**
   * What the message cost, as far as it is known by now: a decimal number as text.
   */
  price?: string;
  /**
   * The currency of `price`, ISO 4217.
   */
  currency?: string;
  /**
   * The number of parts in which it was sent.
   */
  segments?: number;
  /**
   * The recipient's network: its mobile country code and mobile network code.
   */
  network?: string;
  /**
   * The name of the recipient's network, as the service writes it.
   */
  carrier?: string;
}

/**
 * One report says that the message arrived, and another that it did not.
 */
interface SMSDeliveryConflict {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * The source that it is of, if the pipeline has several; absent for `main`. Ids are unique within a source.
   */
  source?: string;
  /**
   * The service's id of the message.
   */
  messageId: string;
  /**
   * The bulk send of the message, if the service reports it.
   */
  sendId?: string;
  /**
   * The recipient's number, if the service reports it; E.164 if possible.
   */
  phone?: string;
  /**
   * The channel, such as `whatsapp`; absent for SMS.
   */
  channel?: string;
  /**
   * The status of the message at that moment; where it changed, `SMS Delivery Status Changed` is published too.
   */
  status: string;
  /**
   * The status of the report that says that the message arrived.
   */
  successStatus: string;
  /**
   * When that status came about; ISO 8601 in UTC, to the millisecond.
   */
  successAt: string;
  /**
   * The status of the report that says that the message did not arrive.
   */
  failureStatus: string;
  /**
   * When that status came about; ISO 8601 in UTC, to the millisecond.
   */
  failureAt: string;
  /**
   * The service's error code, if it reports one.
   */
  errorCode?: string;
  /**
   * What the error code means, if the contract lists it.
   */
  errorReason?:
    | 'invalid_number'
    | 'unreachable'
    | 'landline'
    | 'blocked'
    | 'opted_out'
    | 'spam'
    | 'content_rejected'
    | 'carrier_rejected'
    | 'unregistered_sender'
    | 'no_route'
    | 'expired'
    | 'throttled'
    | 'insufficient_funds'
    | 'service_error'
    | 'unknown';
  /**
   * The service's words for the error, cut after 1,000 characters.
   */
  errorText?: string;
}

/**
 * A recipient replied, or the service sent a reply again with other content.
 */
interface SMSReplyReceived {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * Id of the report or reply within the delivery history.
   */
  historyEventId: string;
  /**
   * The source that it is of, if the pipeline has several; absent for `main`. Ids are unique within a source.
   */
  source?: string;
  /**
   * The service's id of the reply.
   */
  replyId: string;
  /**
   * The message it answers, if the service reports it.
   */
  messageId?: string;
  /**
   * Who replied: E.164 if it could be read as such.
   */
  from: string;
  /**
   * The number that was written to, if the service reports it.
   */
  to?: string;
  /**
   * What was written, cut after 10,000 characters; the history has it whole.
   */
  text: string;
  /**
   * Whether `text` was cut.
   */
  isTextCut: boolean;
  /**
   * What the reply asks for, if it is nothing but a keyword.
   */
  keyword?: 'stop' | 'start' | 'help';
  /**
   * Whether it reads like a wish for no more messages without being the keyword: for a person to decide.
   */
  mayMeanStop: boolean;
  /**
   * The channel, such as `whatsapp`; absent for SMS.
   */
  channel?: string;
  /**
   * The addresses of its pictures and other media.
   */
  media?: string[];
  /**
   * Present for a reply that the service sent in parts. Each part that arrives gives an event.
   */
  parts?: {
    /**
     * The number of parts of the reply.
     */
    total: number;
    /**
     * How many of them were received.
     */
    received: number;
    /**
     * Whether `text` is the whole text. If not, a later event may have more of it.
     */
    isWhole: boolean;
  };
  /**
   * When it was sent; ISO 8601 in UTC, to the millisecond.
   */
  occurredAt: string;
  /**
   * Present if `occurredAt` is not exact. `received`: the service sent no time, or one more than a day after the receipt. `assumed`: the zone of its time is not certain. A time without a zone is read as UTC.
   */
  timeIs?: 'received' | 'assumed';
  /**
   * When the webhook received it; ISO 8601 in UTC, to the millisecond.
   */
  receivedAt: string;
}

/**
 * A number wants no more messages.
 */
interface SMSOptOut {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * The number: E.164 if it could be read as such, else as the service wrote it.
   */
  phone: string;
  /**
   * Who said it: the person by a reply, an operator by `sms opt-out`, or the provider, which did not deliver a message because the number opted out there.
   */
  by: 'person' | 'operator' | 'provider';
  /**
   * The source of the reply or the message, if the pipeline has several; absent for `main`.
   */
  source?: string;
  /**
   * It is about messages of this source only (`optOutsBySource`); absent if it is about all messages.
   */
  onlySource?: true;
  /**
   * The reply with the keyword; only of a person.
   */
  replyId?: string;
  /**
   * The id of the operator's entry; only of an operator.
   */
  entryId?: string;
  /**
   * The message that failed; only of the provider.
   */
  messageId?: string;
  /**
   * When the person said it, or the message failed. An opt-out that counts again has the time of the opt-in that was corrected. The newest statement of a number counts, and of two at the same time the opt-out; ISO 8601 in UTC, to the millisecond.
   */
  occurredAt: string;
}

/**
 * A number wants messages again.
 */
interface SMSOptIn {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * The number: E.164 if it could be read as such, else as the service wrote it.
   */
  phone: string;
  /**
   * Who said it: the person by a reply, an operator by `sms opt-out`, or the provider, which did not deliver a message because the number opted out there.
   */
  by: 'person' | 'operator' | 'provider';
  /**
   * The source of the reply or the message, if the pipeline has several; absent for `main`.
   */
  source?: string;
  /**
   * It is about messages of this source only (`optOutsBySource`); absent if it is about all messages.
   */
  onlySource?: true;
  /**
   * The reply with the keyword; only of a person.
   */
  replyId?: string;
  /**
   * The id of the operator's entry; only of an operator.
   */
  entryId?: string;
  /**
   * The message that failed; only of the provider.
   */
  messageId?: string;
  /**
   * When the person said it, or the message failed. An opt-out that counts again has the time of the opt-in that was corrected. The newest statement of a number counts, and of two at the same time the opt-out; ISO 8601 in UTC, to the millisecond.
   */
  occurredAt: string;
}

/**
 * A reply is nothing but the help keyword.
 */
interface SMSHelpRequested {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * The number: E.164 if it could be read as such, else as the service wrote it.
   */
  phone: string;
  /**
   * The source that it is of, if the pipeline has several; absent for `main`. Ids are unique within a source.
   */
  source?: string;
  /**
   * The reply that asks for help.
   */
  replyId: string;
  /**
   * Id of the report or reply within the delivery history.
   */
  historyEventId: string;
  /**
   * The service's id of the message.
   */
  messageId?: string;
  /**
   * When it was asked; ISO 8601 in UTC, to the millisecond.
   */
  occurredAt: string;
}

/**
 * A message has waited too long for a final report.
 */
interface SMSDeliveryStale {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * The source that it is of, if the pipeline has several; absent for `main`. Ids are unique within a source.
   */
  source?: string;
  /**
   * The service's id of the message.
   */
  messageId: string;
  /**
   * The bulk send of the message, if the service reports it.
   */
  sendId?: string;
  /**
   * The recipient's number, if the service reports it; E.164 if possible.
   */
  phone?: string;
  /**
   * The channel, such as `whatsapp`; absent for SMS.
   */
  channel?: string;
  /**
   * When the first report of the message was received; ISO 8601 in UTC, to the millisecond.
   */
  firstSeenAt: string;
  /**
   * The last status the service reported.
   */
  lastStatus?: string;
  /**
   * When the wait for a final report ended; ISO 8601 in UTC, to the millisecond.
   */
  staleAt: string;
}

/**
 * The default card of the SMS service expires soon, has expired, or there is none.
 */
interface SMSBillingCardExpiring {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * The default card expires soon, has expired, or no saved card is the default.
   */
  state: 'expiring' | 'expired' | 'no-default-card';
  /**
   * The service's id of the card; absent if there is no default card.
   */
  cardId?: string;
  /**
   * The end of the month the card is valid to; ISO 8601 in UTC, to the millisecond.
   */
  expiresAt?: string;
}

/**
 * The webhook at the SMS service was changed outside the pipeline.
 */
interface SMSWebhookDrifted {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * The source whose webhook it is, if the pipeline has several; absent for `main`.
   */
  source?: string;
  /**
   * The change at the SMS service that the pipeline did not make.
   */
  kind: 'url-changed' | 'deactivated' | 'settings-changed' | 'secret-rotated';
  /**
   * Whether the pipeline has repaired it.
   */
  isRepaired: boolean;
  /**
   * When it was found; ISO 8601 in UTC, to the millisecond.
   */
  foundAt: string;
}

/**
 * Events differ from the contract and its samples in a way that is new on that day.
 */
interface SMSContractDrifted {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * The source whose events differ, if the pipeline has several; absent for `main`.
   */
  source?: string;
  /**
   * A word for a status or a kind that the contract does not know, a field that is missing, one of another format, or a value that could not be read and was kept as received (`unread`).
   */
  kind: 'status' | 'kind' | 'field-missing' | 'format' | 'unread';
  /**
   * The place in the contract that it is about, for example events.status.recipient.
   */
  field: string;
  /**
   * What the contract or its samples say.
   */
  expected: string;
  /**
   * The type of the JSON value in the event, or nothing; with `unread`, why it could not be read.
   */
  found: string;
  /**
   * The service's word for the status or kind, if it is nothing but a word.
   */
  word?: string;
  /**
   * What a value looks like that was kept as received, masked.
   */
  example?: string;
  /**
   * JSON: the keys of the event that showed it, with the types of their values; never a value.
   */
  shape: string;
  /**
   * When it was found first on that day; ISO 8601 in UTC, to the millisecond.
   */
  foundAt: string;
}

/**
 * Fewer messages than usual are delivered, they take longer, or more fail for one reason.
 */
interface SMSDeliveryDegraded {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * What it is about: all messages, those to a country, the failures for one reason among all messages, or one send, which has no recovery.
   */
  subject: 'all' | 'country' | 'reason' | 'send';
  /**
   * The country, ISO 3166-1, or ZZ for numbers without one; only of a country.
   */
  country?: string;
  /**
   * The error reason; only of a reason.
   */
  errorReason?: string;
  /**
   * The source of the send, if the pipeline has several; absent for `main`.
   */
  source?: string;
  /**
   * The send; only of a send.
   */
  sendId?: string;
  /**
   * The start of the quarter hour that was found degraded; the same in both events of an incident; ISO 8601 in UTC, to the millisecond.
   */
  since: string;
  /**
   * When the change was found; ISO 8601 in UTC, to the millisecond.
   */
  foundAt: string;
  /**
   * The signals that are out of their limits; after a recovery the last figures, empty after a day with too few messages.
   */
  figures: {
    /**
     * The share delivered, the median time to delivery, the share that failed for the reason, or of the messages that did not fail the share that was not delivered within five minutes.
     */
    signal: 'delivery-rate' | 'time-to-delivery' | 'failure-share' | 'slow-share';
    /**
     * A share from 0 to 1, or milliseconds.
     */
    value: number;
    /**
     * The usual value of this hour of the week; absent if a slow share has too little history.
     */
    usual?: number;
    /**
     * The limit of a slow share; only of this signal.
     */
    limit?: number;
    /**
     * The messages that the value was computed from.
     */
    messages: number;
    /**
     * The start of the quarter hour in which these messages were first reported; ISO 8601 in UTC, to the millisecond.
     */
    from: string;
    /**
     * Its end; ISO 8601 in UTC, to the millisecond.
     */
    until: string;
    /**
     * The same hours of the last four weeks, or of the last six days, or the limit.
     */
    comparedWith: 'weeks' | 'days' | 'limit';
    /**
     * The quarter hours that the usual value was computed from; 0 if it is absent.
     */
    quarterHours: number;
  }[];
  /**
   * At most five messages that failed in the quarter hour, or were delivered late; none after a recovery.
   */
  examples: {
    /**
     * The source that it is of, if the pipeline has several; absent for `main`. Ids are unique within a source.
     */
    source?: string;
    /**
     * The service's id of the message.
     */
    messageId: string;
    /**
     * The bulk send of the message, if the service reports it.
     */
    sendId?: string;
  }[];
}

/**
 * Delivery is as usual again.
 */
interface SMSDeliveryRecovered {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * What it is about: all messages, those to a country, the failures for one reason among all messages, or one send, which has no recovery.
   */
  subject: 'all' | 'country' | 'reason' | 'send';
  /**
   * The country, ISO 3166-1, or ZZ for numbers without one; only of a country.
   */
  country?: string;
  /**
   * The error reason; only of a reason.
   */
  errorReason?: string;
  /**
   * The source of the send, if the pipeline has several; absent for `main`.
   */
  source?: string;
  /**
   * The send; only of a send.
   */
  sendId?: string;
  /**
   * The start of the quarter hour that was found degraded; the same in both events of an incident; ISO 8601 in UTC, to the millisecond.
   */
  since: string;
  /**
   * When the change was found; ISO 8601 in UTC, to the millisecond.
   */
  foundAt: string;
  /**
   * The signals that are out of their limits; after a recovery the last figures, empty after a day with too few messages.
   */
  figures: {
    /**
     * The share delivered, the median time to delivery, the share that failed for the reason, or of the messages that did not fail the share that was not delivered within five minutes.
     */
    signal: 'delivery-rate' | 'time-to-delivery' | 'failure-share' | 'slow-share';
    /**
     * A share from 0 to 1, or milliseconds.
     */
    value: number;
    /**
     * The usual value of this hour of the week; absent if a slow share has too little history.
     */
    usual?: number;
    /**
     * The limit of a slow share; only of this signal.
     */
    limit?: number;
    /**
     * The messages that the value was computed from.
     */
    messages: number;
    /**
     * The start of the quarter hour in which these messages were first reported; ISO 8601 in UTC, to the millisecond.
     */
    from: string;
    /**
     * Its end; ISO 8601 in UTC, to the millisecond.
     */
    until: string;
    /**
     * The same hours of the last four weeks, or of the last six days, or the limit.
     */
    comparedWith: 'weeks' | 'days' | 'limit';
    /**
     * The quarter hours that the usual value was computed from; 0 if it is absent.
     */
    quarterHours: number;
  }[];
  /**
   * At most five messages that failed in the quarter hour, or were delivered late; none after a recovery.
   */
  examples: {
    /**
     * The source that it is of, if the pipeline has several; absent for `main`. Ids are unique within a source.
     */
    source?: string;
    /**
     * The service's id of the message.
     */
    messageId: string;
    /**
     * The bulk send of the message, if the service reports it.
     */
    sendId?: string;
  }[];
}

/**
 * Fewer messages of one of several sources than usual are delivered, they take longer, or too many are slow.
 */
interface SMSProviderDegraded {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * The source that it is about; `main` has its name here.
   */
  source: string;
  /**
   * The start of the quarter hour that was found degraded; the same in both events of an incident; ISO 8601 in UTC, to the millisecond.
   */
  since: string;
  /**
   * When the change was found; ISO 8601 in UTC, to the millisecond.
   */
  foundAt: string;
  /**
   * The signals that are out of their limits; after a recovery the last figures, empty after a day with too few messages.
   */
  figures: {
    /**
     * The share delivered, the median time to delivery, the share that failed for the reason, or of the messages that did not fail the share that was not delivered within five minutes.
     */
    signal: 'delivery-rate' | 'time-to-delivery' | 'failure-share' | 'slow-share';
    /**
     * A share from 0 to 1, or milliseconds.
     */
    value: number;
    /**
     * The usual value of this hour of the week; absent if a slow share has too little history.
     */
    usual?: number;
    /**
     * The limit of a slow share; only of this signal.
     */
    limit?: number;
    /**
     * The messages that the value was computed from.
     */
    messages: number;
    /**
     * The start of the quarter hour in which these messages were first reported; ISO 8601 in UTC, to the millisecond.
     */
    from: string;
    /**
     * Its end; ISO 8601 in UTC, to the millisecond.
     */
    until: string;
    /**
     * The same hours of the last four weeks, or of the last six days, or the limit.
     */
    comparedWith: 'weeks' | 'days' | 'limit';
    /**
     * The quarter hours that the usual value was computed from; 0 if it is absent.
     */
    quarterHours: number;
  }[];
  /**
   * What the other sources had in the quarter hour of the first figure, to choose another one by; a source without messages is absent.
   */
  otherSources: {
    /**
     * The source; `main` has its name here.
     */
    source: string;
    /**
     * Its messages, which may be few.
     */
    messages: number;
    /**
     * The share delivered, within the time that also the source of the event has.
     */
    deliveryRate: number;
    /**
     * Of the messages that did not fail, the share that was not delivered within five minutes; absent while some are younger.
     */
    slowShare?: number;
    /**
     * The median time to delivery, milliseconds; absent without deliveries.
     */
    medianDeliveryMs?: number;
  }[];
  /**
   * At most five messages that failed in the quarter hour, or were delivered late; none after a recovery.
   */
  examples: {
    /**
     * The source that it is of, if the pipeline has several; absent for `main`. Ids are unique within a source.
     */
    source?: string;
    /**
     * The service's id of the message.
     */
    messageId: string;
    /**
     * The bulk send of the message, if the service reports it.
     */
    sendId?: string;
  }[];
}

/**
 * Delivery of the source is as usual again.
 */
interface SMSProviderRecovered {
  /**
   * The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.
   */
  pipeline: string;
  /**
   * Version of this detail type.
   */
  version: 1;
  /**
   * The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.
   */
  eventId: string;
  /**
   * The source that it is about; `main` has its name here.
   */
  source: string;
  /**
   * The start of the quarter hour that was found degraded; the same in both events of an incident; ISO 8601 in UTC, to the millisecond.
   */
  since: string;
  /**
   * When the change was found; ISO 8601 in UTC, to the millisecond.
   */
  foundAt: string;
  /**
   * The signals that are out of their limits; after a recovery the last figures, empty after a day with too few messages.
   */
  figures: {
    /**
     * The share delivered, the median time to delivery, the share that failed for the reason, or of the messages that did not fail the share that was not delivered within five minutes.
     */
    signal: 'delivery-rate' | 'time-to-delivery' | 'failure-share' | 'slow-share';
    /**
     * A share from 0 to 1, or milliseconds.
     */
    value: number;
    /**
     * The usual value of this hour of the week; absent if a slow share has too little history.
     */
    usual?: number;
    /**
     * The limit of a slow share; only of this signal.
     */
    limit?: number;
    /**
     * The messages that the value was computed from.
     */
    messages: number;
    /**
     * The start of the quarter hour in which these messages were first reported; ISO 8601 in UTC, to the millisecond.
     */
    from: string;
    /**
     * Its end; ISO 8601 in UTC, to the millisecond.
     */
    until: string;
    /**
     * The same hours of the last four weeks, or of the last six days, or the limit.
     */
    comparedWith: 'weeks' | 'days' | 'limit';
    /**
     * The quarter hours that the usual value was computed from; 0 if it is absent.
     */
    quarterHours: number;
  }[];
  /**
   * What the other sources had in the quarter hour of the first figure, to choose another one by; a source without messages is absent.
   */
  otherSources: {
    /**
     * The source; `main` has its name here.
     */
    source: string;
    /**
     * Its messages, which may be few.
     */
    messages: number;
    /**
     * The share delivered, within the time that also the source of the event has.
     */
    deliveryRate: number;
    /**
     * Of the messages that did not fail, the share that was not delivered within five minutes; absent while some are younger.
     */
    slowShare?: number;
    /**
     * The median time to delivery, milliseconds; absent without deliveries.
     */
    medianDeliveryMs?: number;
  }[];
  /**
   * At most five messages that failed in the quarter hour, or were delivered late; none after a recovery.
   */
  examples: {
    /**
     * The source that it is of, if the pipeline has several; absent for `main`. Ids are unique within a source.
     */
    source?: string;
    /**
     * The service's id of the message.
     */
    messageId: string;
    /**
     * The bulk send of the message, if the service reports it.
     */
    sendId?: string;
  }[];
}

/** The detail of each event, by its `detail-type`. */
export interface Details {
  'SMS Delivery Status Changed': SMSDeliveryStatusChanged;
  'SMS Delivery Event': SMSDeliveryEvent;
  'SMS Delivery Conflict': SMSDeliveryConflict;
  'SMS Reply Received': SMSReplyReceived;
  'SMS Opt-Out': SMSOptOut;
  'SMS Opt-In': SMSOptIn;
  'SMS Help Requested': SMSHelpRequested;
  'SMS Delivery Stale': SMSDeliveryStale;
  'SMS Billing Card Expiring': SMSBillingCardExpiring;
  'SMS Webhook Drifted': SMSWebhookDrifted;
  'SMS Contract Drifted': SMSContractDrifted;
  'SMS Delivery Degraded': SMSDeliveryDegraded;
  'SMS Delivery Recovered': SMSDeliveryRecovered;
  'SMS Provider Degraded': SMSProviderDegraded;
  'SMS Provider Recovered': SMSProviderRecovered;
}

/** An event as EventBridge delivers it to a target. */
export type SmsEvent<T extends keyof Details = keyof Details> = {
  [K in T]: {
    version: string;
    id: string;
    source: 'sms.pipeline';
    account: string;
    /** When it was published. */
    time: string;
    region: string;
    resources: string[];
    'detail-type': K;
    detail: Details[K];
  };
}[T];
