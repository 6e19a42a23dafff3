// Made by @hey-api/openapi-ts (MIT) from docs/reference/openapi.json; do not edit.
// @ts-nocheck

export type ClientOptions = {
    baseUrl: 'https://{api}.execute-api.{region}.amazonaws.com' | 'http://127.0.0.1:4000' | (string & {});
};

/**
 * One message with its whole history.
 */
export type Message = {
    messageId: string;
    /**
     * The recipient, E.164 where it could be read as such; null where no report has it.
     */
    phone: string | null;
    sendId: string | null;
    /**
     * The canonical status, or the service's word where the contract does not list it.
     */
    status: string;
    /**
     * Whether no further report is expected.
     */
    final: boolean;
    /**
     * When the report that decided the status happened.
     */
    statusAt: string;
    firstSeenAt: string;
    /**
     * Whether one report says that the message arrived and another that it did not.
     */
    conflict: boolean;
    /**
     * Oldest first.
     */
    events: Array<StatusEvent>;
};

/**
 * One delivery report.
 */
export type StatusEvent = {
    eventId: string;
    /**
     * The canonical status, or the service's word where the contract does not list it.
     */
    status: string;
    /**
     * The service's word, where it differs from `status`.
     */
    word?: string;
    /**
     * When the service says it happened.
     */
    occurredAt: string;
    /**
     * When the webhook received it.
     */
    receivedAt: string;
    /**
     * The service's error code.
     */
    errorCode?: string;
    /**
     * What the error code means, in words that are the same for every service.
     */
    errorReason?: string;
    errorText?: string;
};

/**
 * Problem details (RFC 9457).
 */
export type Problem = {
    /**
     * Which problem it is; stays the same.
     */
    type: string;
    title: string;
    status: number;
    detail: string;
    /**
     * Every parameter that is wrong, and what was expected.
     */
    errors?: Array<{
        parameter: string;
        detail: string;
    }>;
};

export type MessagePage = {
    /**
     * Newest first. There may be fewer entries than requested, or none.
     */
    entries: Array<Message>;
    /**
     * The cursor of the next page; null at the end of the list.
     */
    next: string | null;
};

export type TimelinePage = {
    /**
     * Newest first. There may be fewer entries than requested, or none.
     */
    entries: Array<TimelineEntry>;
    /**
     * The cursor of the next page; null at the end of the list.
     */
    next: string | null;
};

/**
 * A message to a number, or a reply from it.
 */
export type TimelineEntry = ({
    kind: 'message';
} & TimelineMessage) | ({
    kind: 'reply';
} & TimelineReply);

export type TimelineMessage = {
    kind: 'message';
    messageId: string;
    /**
     * The recipient, E.164 where it could be read as such; null where no report has it.
     */
    phone: string | null;
    sendId: string | null;
    /**
     * The canonical status, or the service's word where the contract does not list it.
     */
    status: string;
    /**
     * Whether no further report is expected.
     */
    final: boolean;
    /**
     * When the report that decided the status happened.
     */
    statusAt: string;
    firstSeenAt: string;
    /**
     * Whether one report says that the message arrived and another that it did not.
     */
    conflict: boolean;
    /**
     * Oldest first.
     */
    events: Array<StatusEvent>;
};

export type TimelineReply = {
    kind: 'reply';
    replyId: string;
    /**
     * The message it answers, where the service reports it.
     */
    messageId?: string;
    from: string;
    to?: string;
    text: string;
    occurredAt: string;
    receivedAt: string;
};

/**
 * Everything that has exactly the number or id of a search.
 */
export type SearchResults = {
    results: Array<FoundNumber | FoundMessage | FoundReply | FoundSend>;
};

export type FoundNumber = {
    kind: 'number';
    /**
     * Its conversation; null where only the register of opt-outs has it.
     */
    of: string | null;
    number: string;
    optOut: OptOutState | null;
};

/**
 * Whether a number wants messages, and what it said.
 */
export type OptOutState = {
    /**
     * `out`: no more messages; `in`: messages again.
     */
    state: 'out' | 'in';
    /**
     * Newest first; the first one decides the state.
     */
    statements: Array<{
        /**
         * `out`: no more messages; `in`: messages again.
         */
        state: 'out' | 'in';
        /**
         * When the reply was sent, or an operator recorded it.
         */
        at: string;
        replyId: string;
        /**
         * Why an operator recorded it.
         */
        reason?: string;
    }>;
};

export type FoundMessage = {
    kind: 'message';
    messageId: string;
    of: string;
};

export type FoundReply = {
    kind: 'reply';
    replyId: string;
    of: string;
};

export type FoundSend = {
    kind: 'send';
    sendId: string;
};

/**
 * A number, and a page of the messages to it and replies from it.
 */
export type Conversation = {
    number: string;
    /**
     * Null where the number never said anything about messages.
     */
    optOut: OptOutState | null;
    /**
     * Newest first. There may be fewer entries than requested, or none.
     */
    entries: Array<TimelineEntry>;
    /**
     * The cursor of the next page; null at the end of the list.
     */
    next: string | null;
};

export type SendPage = {
    /**
     * Newest first. There may be fewer entries than requested, or none.
     */
    entries: Array<Message>;
    /**
     * The cursor of the next page; null at the end of the list.
     */
    next: string | null;
};

export type SendListPage = {
    /**
     * Newest first. There may be fewer entries than requested, or none.
     */
    entries: Array<SendFigures>;
    /**
     * The cursor of the next page; null at the end of the list.
     */
    next: string | null;
};

/**
 * How the messages of a send are doing now.
 */
export type SendFigures = {
    sendId: string;
    firstReportAt: string;
    /**
     * All messages. The counts by outcome and by status add up to it.
     */
    messages: number;
    delivered: number;
    failed: number;
    /**
     * Messages whose outcome is not known yet, or that the service does not know.
     */
    pending: number;
    replies: number;
    /**
     * Replies that are a keyword of stop.
     */
    optOuts: number;
    /**
     * From the first report to delivery, at most 2 % wrong; null where no time is known.
     */
    timeToDelivery: {
        /**
         * Delivered messages with an earlier report, which the times are of.
         */
        messages: number;
        /**
         * Milliseconds.
         */
        p50: number;
        /**
         * Milliseconds.
         */
        p95: number;
        /**
         * Milliseconds.
         */
        p99: number;
    } | null;
    /**
     * In the order of a delivery.
     */
    statuses: Array<StatusCount>;
    /**
     * The most frequent first.
     */
    failures: Array<ReasonCount>;
};

/**
 * Messages that are in one status now.
 */
export type StatusCount = {
    /**
     * A canonical status; `other` are words of the service that the contract does not list.
     */
    status: string;
    messages: number;
};

/**
 * Messages that failed for one reason, with one code.
 */
export type ReasonCount = {
    reason: string;
    /**
     * The service's code; null where it sent none, and `*` for codes that are not counted apart.
     */
    code: string | null;
    messages: number;
};

/**
 * How the messages of a send are doing now, with the histogram of their times.
 */
export type Send = {
    sendId: string;
    firstReportAt: string;
    /**
     * All messages. The counts by outcome and by status add up to it.
     */
    messages: number;
    delivered: number;
    failed: number;
    /**
     * Messages whose outcome is not known yet, or that the service does not know.
     */
    pending: number;
    replies: number;
    /**
     * Replies that are a keyword of stop.
     */
    optOuts: number;
    /**
     * From the first report to delivery, at most 2 % wrong; null where no time is known.
     */
    timeToDelivery: {
        /**
         * Delivered messages with an earlier report, which the times are of.
         */
        messages: number;
        /**
         * Milliseconds.
         */
        p50: number;
        /**
         * Milliseconds.
         */
        p95: number;
        /**
         * Milliseconds.
         */
        p99: number;
    } | null;
    /**
     * In the order of a delivery.
     */
    statuses: Array<StatusCount>;
    /**
     * The most frequent first.
     */
    failures: Array<ReasonCount>;
    /**
     * Delivered messages by time from the first report to delivery; rows without messages are included.
     */
    histogram: Array<{
        /**
         * The longest time in this row, milliseconds; null for all longer ones.
         */
        upTo: number | null;
        messages: number;
    }>;
};

/**
 * Messages by the time of their earliest report, and replies by their own, in hours or days (UTC).
 */
export type Insights = {
    /**
     * The beginning of the first period.
     */
    since: string;
    /**
     * The end of the last period, which may lie ahead.
     */
    until: string;
    interval: 'hour' | 'day';
    total: PeriodTotal;
    /**
     * Oldest first; periods without messages and replies are left out.
     */
    periods: Array<Period>;
};

/**
 * All periods together.
 */
export type PeriodTotal = {
    /**
     * All messages. The counts by outcome and by status add up to it.
     */
    messages: number;
    delivered: number;
    failed: number;
    /**
     * Messages whose outcome is not known yet, or that the service does not know.
     */
    pending: number;
    replies: number;
    /**
     * Replies that are a keyword of stop.
     */
    optOuts: number;
    /**
     * From the first report to delivery, at most 2 % wrong; null where no time is known.
     */
    timeToDelivery: {
        /**
         * Delivered messages with an earlier report, which the times are of.
         */
        messages: number;
        /**
         * Milliseconds.
         */
        p50: number;
        /**
         * Milliseconds.
         */
        p95: number;
        /**
         * Milliseconds.
         */
        p99: number;
    } | null;
    /**
     * With `by=country`: the most messages first.
     */
    countries?: Array<CountryFigures>;
    /**
     * With `by=status`: in the order of a delivery.
     */
    statuses?: Array<StatusCount>;
    /**
     * With `by=reason`: the most frequent first.
     */
    failures?: Array<ReasonCount>;
};

/**
 * The messages to the numbers of one country.
 */
export type CountryFigures = {
    /**
     * ISO 3166-1 alpha-2; ZZ where the number has none.
     */
    country: string;
    /**
     * All messages. The counts by outcome and by status add up to it.
     */
    messages: number;
    delivered: number;
    failed: number;
    /**
     * Messages whose outcome is not known yet, or that the service does not know.
     */
    pending: number;
    replies: number;
    /**
     * Replies that are a keyword of stop.
     */
    optOuts: number;
    /**
     * From the first report to delivery, at most 2 % wrong; null where no time is known.
     */
    timeToDelivery: {
        /**
         * Delivered messages with an earlier report, which the times are of.
         */
        messages: number;
        /**
         * Milliseconds.
         */
        p50: number;
        /**
         * Milliseconds.
         */
        p95: number;
        /**
         * Milliseconds.
         */
        p99: number;
    } | null;
};

/**
 * An hour or a day in UTC.
 */
export type Period = {
    start: string;
    /**
     * All messages. The counts by outcome and by status add up to it.
     */
    messages: number;
    delivered: number;
    failed: number;
    /**
     * Messages whose outcome is not known yet, or that the service does not know.
     */
    pending: number;
    replies: number;
    /**
     * Replies that are a keyword of stop.
     */
    optOuts: number;
    /**
     * From the first report to delivery, at most 2 % wrong; null where no time is known.
     */
    timeToDelivery: {
        /**
         * Delivered messages with an earlier report, which the times are of.
         */
        messages: number;
        /**
         * Milliseconds.
         */
        p50: number;
        /**
         * Milliseconds.
         */
        p95: number;
        /**
         * Milliseconds.
         */
        p99: number;
    } | null;
    /**
     * With `by=country`: the most messages first.
     */
    countries?: Array<CountryFigures>;
    /**
     * With `by=status`: in the order of a delivery.
     */
    statuses?: Array<StatusCount>;
    /**
     * With `by=reason`: the most frequent first.
     */
    failures?: Array<ReasonCount>;
};

export type ReplyPage = {
    /**
     * Newest first. There may be fewer entries than requested, or none.
     */
    entries: Array<Reply>;
    /**
     * The cursor of the next page; null at the end of the list.
     */
    next: string | null;
};

/**
 * The current version of a reply.
 */
export type Reply = {
    replyId: string;
    /**
     * The message it answers, where the service reports it.
     */
    messageId?: string;
    from: string;
    to?: string;
    text: string;
    occurredAt: string;
    receivedAt: string;
};

export type OptOutPage = {
    /**
     * Newest first. There may be fewer entries than requested, or none.
     */
    entries: Array<OptOut>;
    /**
     * The cursor of the next page; null at the end of the list.
     */
    next: string | null;
};

/**
 * A number that wants no more messages.
 */
export type OptOut = {
    phone: string;
    /**
     * When the reply was sent, or an operator recorded it.
     */
    since: string;
    /**
     * The reply with the keyword, or the id of an operator's entry, which begins with manual-.
     */
    replyId: string;
    /**
     * Why an operator recorded it; absent where a reply said so.
     */
    reason?: string;
};

export type QuarantinePage = {
    /**
     * Newest first. There may be fewer entries than requested, or none.
     */
    entries: Array<Quarantined>;
    /**
     * The cursor of the next page; null at the end of the list.
     */
    next: string | null;
};

/**
 * One entry of the quarantine, without the received bytes.
 */
export type Quarantined = {
    id: string;
    reason: string;
    /**
     * The field the reason is about.
     */
    field: string | null;
    receivedAt: string;
    requestId: string;
    /**
     * Position of the event in the body it came in; null where the whole body is kept.
     */
    index: number | null;
};

/**
 * One entry of the quarantine with the received bytes.
 */
export type QuarantineEntry = {
    id: string;
    reason: string;
    /**
     * The field the reason is about.
     */
    field: string | null;
    receivedAt: string;
    requestId: string;
    /**
     * Position of the event in the body it came in; null where the whole body is kept.
     */
    index: number | null;
    /**
     * The received event, or the whole body.
     */
    raw: string;
    /**
     * How to read `raw`: bytes that are no text are in base64.
     */
    encoding: 'utf8' | 'base64';
    /**
     * For an unverified request the headers that its signature scheme reads; for a captured request all headers, with credentials masked.
     */
    headers: {
        [key: string]: string;
    } | null;
    /**
     * The method of a captured request.
     */
    method?: string;
    /**
     * Hash of the contract it was received by.
     */
    contract?: string;
};

/**
 * The state of the pipeline. A part that could not be read is null, and a check says why.
 */
export type Health = {
    /**
     * When it was read; it is read again after half a minute.
     */
    checkedAt: string;
    /**
     * Whether no check failed.
     */
    healthy: boolean;
    checks: Array<{
        /**
         * Its name, which does not change.
         */
        check: string;
        state: 'ok' | 'warn' | 'failed' | 'skipped';
        found: string;
        /**
         * What to do next.
         */
        hint: string | null;
    }>;
    /**
     * The registration, the secret without its value, and the last verified request.
     */
    webhook: {
        webhookUrl: string;
        registeredUrl: string;
        state: 'registered' | 'elsewhere' | 'deactivated' | 'never-configured' | 'unknown' | 'by-hand';
        serviceFailure: string | null;
        wanted: 'registered' | 'deactivated' | null;
        secret: {
            stored: boolean;
            matchesService: boolean | null;
            since: string | null;
            previousValidUntil: string | null;
            rotating: {
                since: string;
                by: string;
            } | null;
        };
        drift: {
            kinds: Array<'url-changed' | 'deactivated' | 'secret-rotated'>;
            since: string;
        } | null;
        lastReconcile: {
            at: string;
            failure: string | null;
        } | null;
        lastVerifiedAt: string | null;
        mismatchesLastHour: number;
    } | null;
    queues: Array<{
        name: string;
        /**
         * Approximate, as SQS reports it.
         */
        waiting: number;
        /**
         * Approximate, as SQS reports it.
         */
        inFlight: number;
        /**
         * The age of the oldest message; null where no metric has it.
         */
        oldestSeconds: number | null;
    }> | null;
    deadLetters: Array<{
        name: string;
        /**
         * Approximate, as SQS reports it.
         */
        waiting: number;
        /**
         * Approximate, as SQS reports it.
         */
        inFlight: number;
        /**
         * When the oldest of some of its messages was sent.
         */
        oldestSeenAt: string | null;
    }> | null;
    /**
     * The alarms that are on; null on one machine, which has none.
     */
    alarms: Array<{
        name: string;
        since: string | null;
        description: string | null;
    }> | null;
    /**
     * How events of today differ from the contract.
     */
    contractDrift: {
        /**
         * Today, in UTC.
         */
        day: string;
        mismatches: Array<{
            kind: 'status' | 'kind' | 'field-missing' | 'format';
            field: string;
            expected: string;
            found: string;
            word?: string;
            foundAt: string;
        }>;
    } | null;
};

/**
 * What a replay did with one entry of the quarantine.
 */
export type Replayed = {
    /**
     * `sent`: the worker processes it within seconds. Otherwise the entry stays.
     */
    outcome: 'sent' | 'unreadable' | 'unverifiable' | 'unwrappable' | 'unidentifiable';
    /**
     * Why it stays.
     */
    why: string | null;
};

export type GetMessageData = {
    body?: never;
    path: {
        /**
         * The service's id of the message.
         */
        messageId: string;
    };
    query?: never;
    url: '/v1/messages/{messageId}';
};

export type GetMessageErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * There is no item with this id.
     */
    404: Problem;
    /**
     * The header Allow lists the methods that are answered.
     */
    405: Problem;
    /**
     * More questions than the API takes. API Gateway answers this itself.
     */
    429: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type GetMessageError = GetMessageErrors[keyof GetMessageErrors];

export type GetMessageResponses = {
    /**
     * Found.
     */
    200: Message;
};

export type GetMessageResponse = GetMessageResponses[keyof GetMessageResponses];

export type ListMessagesData = {
    body?: never;
    path?: never;
    query: {
        /**
         * Messages that failed, or those without a final status.
         */
        state: 'failed' | 'pending';
        /**
         * The oldest time, ISO 8601 with a zone (a "+" in it as %2B). Without it, of failed ones: a day before `until`; of pending ones: no limit.
         */
        since?: string;
        /**
         * The end of the times, which is not included. Without it, of failed ones: a day from now; of pending ones: no limit.
         */
        until?: string;
        /**
         * Only messages in one of these statuses, separated by commas. Of failed ones: expired, rejected, failed, undelivered; of pending ones: accepted, queued, sent.
         */
        status?: Array<'expired' | 'rejected' | 'failed' | 'undelivered' | 'accepted' | 'queued' | 'sent'>;
        /**
         * The maximum number of entries.
         */
        limit?: number;
        /**
         * The `next` of the previous page, with the same query.
         */
        cursor?: string;
    };
    url: '/v1/messages';
};

export type ListMessagesErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * The header Allow lists the methods that are answered.
     */
    405: Problem;
    /**
     * More questions than the API takes. API Gateway answers this itself.
     */
    429: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type ListMessagesError = ListMessagesErrors[keyof ListMessagesErrors];

export type ListMessagesResponses = {
    /**
     * A page of the list.
     */
    200: MessagePage;
};

export type ListMessagesResponse = ListMessagesResponses[keyof ListMessagesResponses];

export type GetTimelineData = {
    body?: never;
    path: {
        /**
         * The number in E.164, with its "+".
         */
        phone: string;
    };
    query?: {
        /**
         * The oldest time, ISO 8601 with a zone (a "+" in it as %2B).
         */
        since?: string;
        /**
         * The end of the times, which is not included.
         */
        until?: string;
        /**
         * Only messages in one of these statuses, separated by commas.
         */
        status?: Array<'accepted' | 'queued' | 'sent' | 'unknown' | 'expired' | 'rejected' | 'failed' | 'undelivered' | 'delivered' | 'read'>;
        /**
         * The maximum number of entries.
         */
        limit?: number;
        /**
         * The `next` of the previous page, with the same query.
         */
        cursor?: string;
    };
    url: '/v1/phones/{phone}/timeline';
};

export type GetTimelineErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * The header Allow lists the methods that are answered.
     */
    405: Problem;
    /**
     * More questions than the API takes. API Gateway answers this itself.
     */
    429: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type GetTimelineError = GetTimelineErrors[keyof GetTimelineErrors];

export type GetTimelineResponses = {
    /**
     * A page of the list.
     */
    200: TimelinePage;
};

export type GetTimelineResponse = GetTimelineResponses[keyof GetTimelineResponses];

export type SearchData = {
    body: {
        /**
         * A number with its country code, however it is written, or the whole id of a message, reply or bulk send.
         */
        q: string;
    };
    path?: never;
    query?: never;
    url: '/v1/search';
};

export type SearchErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * The header Allow lists the methods that are answered.
     */
    405: Problem;
    /**
     * More questions than the API takes. API Gateway answers this itself.
     */
    429: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type SearchError = SearchErrors[keyof SearchErrors];

export type SearchResponses = {
    /**
     * Found.
     */
    200: SearchResults;
};

export type SearchResponse = SearchResponses[keyof SearchResponses];

export type GetConversationData = {
    body?: never;
    path: {
        /**
         * Any message or reply of the number: `m~` and its message id, or `r~` and its reply id.
         */
        of: string;
    };
    query?: {
        /**
         * The oldest time, ISO 8601 with a zone (a "+" in it as %2B).
         */
        since?: string;
        /**
         * The end of the times, which is not included.
         */
        until?: string;
        /**
         * Only messages in one of these statuses, separated by commas.
         */
        status?: Array<'accepted' | 'queued' | 'sent' | 'unknown' | 'expired' | 'rejected' | 'failed' | 'undelivered' | 'delivered' | 'read'>;
        /**
         * The maximum number of entries.
         */
        limit?: number;
        /**
         * The `next` of the previous page, with the same query.
         */
        cursor?: string;
    };
    url: '/v1/conversations/{of}';
};

export type GetConversationErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * There is no item with this id.
     */
    404: Problem;
    /**
     * The header Allow lists the methods that are answered.
     */
    405: Problem;
    /**
     * More questions than the API takes. API Gateway answers this itself.
     */
    429: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type GetConversationError = GetConversationErrors[keyof GetConversationErrors];

export type GetConversationResponses = {
    /**
     * A page of the list.
     */
    200: Conversation;
};

export type GetConversationResponse = GetConversationResponses[keyof GetConversationResponses];

export type ListSendData = {
    body?: never;
    path: {
        /**
         * The service's id of the bulk send.
         */
        sendId: string;
    };
    query?: {
        /**
         * The oldest time, ISO 8601 with a zone (a "+" in it as %2B).
         */
        since?: string;
        /**
         * The end of the times, which is not included.
         */
        until?: string;
        /**
         * Only messages in one of these statuses, separated by commas.
         */
        status?: Array<'accepted' | 'queued' | 'sent' | 'unknown' | 'expired' | 'rejected' | 'failed' | 'undelivered' | 'delivered' | 'read'>;
        /**
         * The maximum number of entries.
         */
        limit?: number;
        /**
         * The `next` of the previous page, with the same query.
         */
        cursor?: string;
    };
    url: '/v1/sends/{sendId}/messages';
};

export type ListSendErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * The header Allow lists the methods that are answered.
     */
    405: Problem;
    /**
     * More questions than the API takes. API Gateway answers this itself.
     */
    429: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type ListSendError = ListSendErrors[keyof ListSendErrors];

export type ListSendResponses = {
    /**
     * A page of the list.
     */
    200: SendPage;
};

export type ListSendResponse = ListSendResponses[keyof ListSendResponses];

export type ListSendCsvData = {
    body?: never;
    path: {
        /**
         * The service's id of the bulk send.
         */
        sendId: string;
    };
    query?: {
        /**
         * The oldest time, ISO 8601 with a zone (a "+" in it as %2B).
         */
        since?: string;
        /**
         * The end of the times, which is not included.
         */
        until?: string;
        /**
         * Only messages in one of these statuses, separated by commas.
         */
        status?: Array<'accepted' | 'queued' | 'sent' | 'unknown' | 'expired' | 'rejected' | 'failed' | 'undelivered' | 'delivered' | 'read'>;
        /**
         * The maximum number of entries.
         */
        limit?: number;
        /**
         * The `next` of the previous page, with the same query.
         */
        cursor?: string;
    };
    url: '/v1/sends/{sendId}/messages.csv';
};

export type ListSendCsvErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * The header Allow lists the methods that are answered.
     */
    405: Problem;
    /**
     * More questions than the API takes. API Gateway answers this itself.
     */
    429: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type ListSendCsvError = ListSendCsvErrors[keyof ListSendCsvErrors];

export type ListSendCsvResponses = {
    /**
     * A row of names, and a row for each message.
     */
    200: string;
};

export type ListSendCsvResponse = ListSendCsvResponses[keyof ListSendCsvResponses];

export type ListSendsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The oldest time, ISO 8601 with a zone (a "+" in it as %2B).
         */
        since?: string;
        /**
         * The end of the times, which is not included.
         */
        until?: string;
        /**
         * The maximum number of entries.
         */
        limit?: number;
        /**
         * The `next` of the previous page, with the same query.
         */
        cursor?: string;
    };
    url: '/v1/sends';
};

export type ListSendsErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * The header Allow lists the methods that are answered.
     */
    405: Problem;
    /**
     * More questions than the API takes. API Gateway answers this itself.
     */
    429: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type ListSendsError = ListSendsErrors[keyof ListSendsErrors];

export type ListSendsResponses = {
    /**
     * A page of the list.
     */
    200: SendListPage;
};

export type ListSendsResponse = ListSendsResponses[keyof ListSendsResponses];

export type GetSendData = {
    body?: never;
    path: {
        /**
         * The service's id of the bulk send.
         */
        sendId: string;
    };
    query?: never;
    url: '/v1/sends/{sendId}';
};

export type GetSendErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * There is no item with this id.
     */
    404: Problem;
    /**
     * The header Allow lists the methods that are answered.
     */
    405: Problem;
    /**
     * More questions than the API takes. API Gateway answers this itself.
     */
    429: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type GetSendError = GetSendErrors[keyof GetSendErrors];

export type GetSendResponses = {
    /**
     * Found.
     */
    200: Send;
};

export type GetSendResponse = GetSendResponses[keyof GetSendResponses];

export type GetInsightsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The oldest time, ISO 8601 with a zone (a "+" in it as %2B). Without it: a day before `until` for hours, 30 days for days.
         */
        since?: string;
        /**
         * The end of the times, which is not included. Without it: now.
         */
        until?: string;
        /**
         * Hours of at most 8 days, or days of at most 400, in UTC. The range is widened to whole ones. Hours are kept for `sms:insightsHourRetentionDays`.
         */
        interval?: 'hour' | 'day';
        /**
         * What to divide the figures by, separated by commas.
         */
        by?: Array<'country' | 'status' | 'reason'>;
    };
    url: '/v1/insights';
};

export type GetInsightsErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * There is no item with this id.
     */
    404: Problem;
    /**
     * The header Allow lists the methods that are answered.
     */
    405: Problem;
    /**
     * More questions than the API takes. API Gateway answers this itself.
     */
    429: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type GetInsightsError = GetInsightsErrors[keyof GetInsightsErrors];

export type GetInsightsResponses = {
    /**
     * Found.
     */
    200: Insights;
};

export type GetInsightsResponse = GetInsightsResponses[keyof GetInsightsResponses];

export type ListRepliesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The oldest time, ISO 8601 with a zone (a "+" in it as %2B). Without it: a day before `until`.
         */
        since?: string;
        /**
         * The end of the times, which is not included. Without it: a day from now, and `since` a day before now.
         */
        until?: string;
        /**
         * The maximum number of entries.
         */
        limit?: number;
        /**
         * The `next` of the previous page, with the same query.
         */
        cursor?: string;
    };
    url: '/v1/replies';
};

export type ListRepliesErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * The header Allow lists the methods that are answered.
     */
    405: Problem;
    /**
     * More questions than the API takes. API Gateway answers this itself.
     */
    429: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type ListRepliesError = ListRepliesErrors[keyof ListRepliesErrors];

export type ListRepliesResponses = {
    /**
     * A page of the list.
     */
    200: ReplyPage;
};

export type ListRepliesResponse = ListRepliesResponses[keyof ListRepliesResponses];

export type ListOptOutsData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The oldest time, ISO 8601 with a zone (a "+" in it as %2B).
         */
        since?: string;
        /**
         * The end of the times, which is not included.
         */
        until?: string;
        /**
         * The maximum number of entries.
         */
        limit?: number;
        /**
         * The `next` of the previous page, with the same query.
         */
        cursor?: string;
    };
    url: '/v1/opt-outs';
};

export type ListOptOutsErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * The header Allow lists the methods that are answered.
     */
    405: Problem;
    /**
     * More questions than the API takes. API Gateway answers this itself.
     */
    429: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type ListOptOutsError = ListOptOutsErrors[keyof ListOptOutsErrors];

export type ListOptOutsResponses = {
    /**
     * A page of the list.
     */
    200: OptOutPage;
};

export type ListOptOutsResponse = ListOptOutsResponses[keyof ListOptOutsResponses];

export type ListQuarantineData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The oldest time, ISO 8601 with a zone (a "+" in it as %2B). Without it: a day before `until`.
         */
        since?: string;
        /**
         * The end of the times, which is not included. Without it: a day from now, and `since` a day before now.
         */
        until?: string;
        /**
         * Only entries with this reason.
         */
        reason?: 'empty-body' | 'not-utf8' | 'not-json' | 'too-deep' | 'no-events' | 'too-many-events' | 'events-dropped' | 'unknown-kind' | 'missing-field' | 'bad-field' | 'field-too-long' | 'bad-time' | 'expression-failed' | 'not-an-envelope' | 'signature-mismatch' | 'captured' | 'message-full' | 'storage-refused';
        /**
         * The maximum number of entries.
         */
        limit?: number;
        /**
         * The `next` of the previous page, with the same query.
         */
        cursor?: string;
    };
    url: '/v1/quarantine';
};

export type ListQuarantineErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * The header Allow lists the methods that are answered.
     */
    405: Problem;
    /**
     * More questions than the API takes. API Gateway answers this itself.
     */
    429: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type ListQuarantineError = ListQuarantineErrors[keyof ListQuarantineErrors];

export type ListQuarantineResponses = {
    /**
     * A page of the list.
     */
    200: QuarantinePage;
};

export type ListQuarantineResponse = ListQuarantineResponses[keyof ListQuarantineResponses];

export type GetQuarantineEntryData = {
    body?: never;
    path: {
        /**
         * The id of an entry as the list gives it.
         */
        entryId: string;
    };
    query?: never;
    url: '/v1/quarantine/{entryId}';
};

export type GetQuarantineEntryErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * There is no item with this id.
     */
    404: Problem;
    /**
     * The header Allow lists the methods that are answered.
     */
    405: Problem;
    /**
     * More questions than the API takes. API Gateway answers this itself.
     */
    429: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type GetQuarantineEntryError = GetQuarantineEntryErrors[keyof GetQuarantineEntryErrors];

export type GetQuarantineEntryResponses = {
    /**
     * Found.
     */
    200: QuarantineEntry;
};

export type GetQuarantineEntryResponse = GetQuarantineEntryResponses[keyof GetQuarantineEntryResponses];

export type GetHealthData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/health';
};

export type GetHealthErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type GetHealthError = GetHealthErrors[keyof GetHealthErrors];

export type GetHealthResponses = {
    /**
     * Found.
     */
    200: Health;
};

export type GetHealthResponse = GetHealthResponses[keyof GetHealthResponses];

export type ReplayQuarantineEntryData = {
    body?: {
        /**
         * Whether to send an entry whose events may be stored already, under other ids.
         */
        acceptDuplicates?: boolean;
    };
    path: {
        /**
         * The id of an entry as the list gives it.
         */
        entryId: string;
    };
    query?: never;
    url: '/v1/quarantine/{entryId}/replay';
};

export type ReplayQuarantineEntryErrors = {
    /**
     * The path or parameters are wrong; `errors` names each of them.
     */
    400: Problem;
    /**
     * The request is not signed, or its signer or user has no permission.
     */
    403: Problem;
    /**
     * There is no item with this id.
     */
    404: Problem;
    /**
     * The question could not be answered.
     */
    500: Problem;
    /**
     * The database does not answer in time.
     */
    503: Problem;
};

export type ReplayQuarantineEntryError = ReplayQuarantineEntryErrors[keyof ReplayQuarantineEntryErrors];

export type ReplayQuarantineEntryResponses = {
    /**
     * Whether it was sent.
     */
    200: Replayed;
};

export type ReplayQuarantineEntryResponse = ReplayQuarantineEntryResponses[keyof ReplayQuarantineEntryResponses];
