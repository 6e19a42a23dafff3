// Made by @hey-api/openapi-ts (MIT) from docs/reference/openapi.json; do not edit.
// @ts-nocheck

import type { QueryError } from '../query-error.ts';
import { buildClientParams, type Client, type ClientMeta, type Options as Options2, type RequestResult, type TDataShape } from './client/index.ts';
import type { GetConversationResponses, GetHealthResponses, GetInsightsResponses, GetMessageResponses, GetQuarantineEntryResponses, GetSendResponses, GetTimelineResponses, ListMessagesResponses, ListOptOutsResponses, ListQuarantineResponses, ListRepliesResponses, ListSendCsvResponses, ListSendResponses, ListSendsResponses, ReplayQuarantineEntryResponses, SearchResponses } from './types.gen.ts';

export type Options<TData extends TDataShape = TDataShape, ThrowOnError extends boolean = boolean, TResponse = unknown> = Options2<TData, ThrowOnError, TResponse> & {
    /**
     * You can provide a client instance returned by `createClient()` instead of
     * individual options. This might be also useful if you want to implement a
     * custom client.
     */
    client?: Client;
    /**
     * You can pass arbitrary values through the `meta` object. This can be
     * used to access values that aren't defined as part of the SDK function.
     */
    meta?: keyof ClientMeta extends never ? Record<string, unknown> : ClientMeta;
};

class HeyApiClient {
    protected client: Client;
    
    constructor(args: {
        client: Client;
    }) {
        this.client = args.client;
    }
}

class HeyApiRegistry<T> {
    private readonly defaultKey = 'default';
    
    private readonly instances: Map<string, T> = new Map();
    
    get(key?: string): T {
        const instance = this.instances.get(key ?? this.defaultKey);
        if (!instance) {
            throw new Error(`No SDK client found. Create one with "new QueryClient()" to fix this error.`);
        }
        return instance;
    }
    
    set(value: T, key?: string): void {
        this.instances.set(key ?? this.defaultKey, value);
    }
}

export class QueryClient extends HeyApiClient {
    public static readonly __registry: HeyApiRegistry<QueryClient> = new HeyApiRegistry<QueryClient>();
    
    constructor(args: {
        client: Client;
        key?: string;
    }) {
        super(args);
        QueryClient.__registry.set(this, args.key);
    }
    
    /**
     * One message with its whole history
     */
    public getMessage<ThrowOnError extends boolean = false>(parameters: {
        messageId: string;
    }, options?: Options<never, ThrowOnError>): RequestResult<GetMessageResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [{ in: 'path', key: 'messageId' }] }]);
        return (options?.client ?? this.client).get<GetMessageResponses, QueryError, ThrowOnError>({
            url: '/v1/messages/{messageId}',
            ...options,
            ...params
        });
    }
    
    /**
     * Messages that failed, or that have no final status yet
     */
    public listMessages<ThrowOnError extends boolean = false>(parameters: {
        state: 'failed' | 'pending';
        since?: string;
        until?: string;
        status?: Array<'expired' | 'rejected' | 'failed' | 'undelivered' | 'accepted' | 'queued' | 'sent'>;
        limit?: number;
        cursor?: string;
    }, options?: Options<never, ThrowOnError>): RequestResult<ListMessagesResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [
                    { in: 'query', key: 'state' },
                    { in: 'query', key: 'since' },
                    { in: 'query', key: 'until' },
                    { in: 'query', key: 'status' },
                    { in: 'query', key: 'limit' },
                    { in: 'query', key: 'cursor' }
                ] }]);
        return (options?.client ?? this.client).get<ListMessagesResponses, QueryError, ThrowOnError>({
            querySerializer: { parameters: { status: { array: { explode: false } } } },
            url: '/v1/messages',
            ...options,
            ...params
        });
    }
    
    /**
     * Messages to a number and replies from it; with a status, messages only
     */
    public getTimeline<ThrowOnError extends boolean = false>(parameters: {
        phone: string;
        since?: string;
        until?: string;
        status?: Array<'accepted' | 'queued' | 'sent' | 'unknown' | 'expired' | 'rejected' | 'failed' | 'undelivered' | 'delivered' | 'read'>;
        limit?: number;
        cursor?: string;
    }, options?: Options<never, ThrowOnError>): RequestResult<GetTimelineResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [
                    { in: 'path', key: 'phone' },
                    { in: 'query', key: 'since' },
                    { in: 'query', key: 'until' },
                    { in: 'query', key: 'status' },
                    { in: 'query', key: 'limit' },
                    { in: 'query', key: 'cursor' }
                ] }]);
        return (options?.client ?? this.client).get<GetTimelineResponses, QueryError, ThrowOnError>({
            querySerializer: { parameters: { status: { array: { explode: false } } } },
            url: '/v1/phones/{phone}/timeline',
            ...options,
            ...params
        });
    }
    
    /**
     * What has exactly this number or id
     */
    public search<ThrowOnError extends boolean = false>(parameters: {
        q: string;
    }, options?: Options<never, ThrowOnError>): RequestResult<SearchResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [{ in: 'body', key: 'q' }] }]);
        return (options?.client ?? this.client).post<SearchResponses, QueryError, ThrowOnError>({
            url: '/v1/search',
            ...options,
            ...params,
            headers: {
                'Content-Type': 'application/json',
                ...options?.headers,
                ...params.headers
            }
        });
    }
    
    /**
     * The number of a message or reply: its opt-out, the messages to it and the replies from it
     */
    public getConversation<ThrowOnError extends boolean = false>(parameters: {
        of: string;
        since?: string;
        until?: string;
        status?: Array<'accepted' | 'queued' | 'sent' | 'unknown' | 'expired' | 'rejected' | 'failed' | 'undelivered' | 'delivered' | 'read'>;
        limit?: number;
        cursor?: string;
    }, options?: Options<never, ThrowOnError>): RequestResult<GetConversationResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [
                    { in: 'path', key: 'of' },
                    { in: 'query', key: 'since' },
                    { in: 'query', key: 'until' },
                    { in: 'query', key: 'status' },
                    { in: 'query', key: 'limit' },
                    { in: 'query', key: 'cursor' }
                ] }]);
        return (options?.client ?? this.client).get<GetConversationResponses, QueryError, ThrowOnError>({
            querySerializer: { parameters: { status: { array: { explode: false } } } },
            url: '/v1/conversations/{of}',
            ...options,
            ...params
        });
    }
    
    /**
     * The messages of a bulk send
     */
    public listSend<ThrowOnError extends boolean = false>(parameters: {
        sendId: string;
        since?: string;
        until?: string;
        status?: Array<'accepted' | 'queued' | 'sent' | 'unknown' | 'expired' | 'rejected' | 'failed' | 'undelivered' | 'delivered' | 'read'>;
        limit?: number;
        cursor?: string;
    }, options?: Options<never, ThrowOnError>): RequestResult<ListSendResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [
                    { in: 'path', key: 'sendId' },
                    { in: 'query', key: 'since' },
                    { in: 'query', key: 'until' },
                    { in: 'query', key: 'status' },
                    { in: 'query', key: 'limit' },
                    { in: 'query', key: 'cursor' }
                ] }]);
        return (options?.client ?? this.client).get<ListSendResponses, QueryError, ThrowOnError>({
            querySerializer: { parameters: { status: { array: { explode: false } } } },
            url: '/v1/sends/{sendId}/messages',
            ...options,
            ...params
        });
    }
    
    /**
     * The messages of a bulk send as CSV; with a status, those that failed for example
     */
    public listSendCsv<ThrowOnError extends boolean = false>(parameters: {
        sendId: string;
        since?: string;
        until?: string;
        status?: Array<'accepted' | 'queued' | 'sent' | 'unknown' | 'expired' | 'rejected' | 'failed' | 'undelivered' | 'delivered' | 'read'>;
        limit?: number;
        cursor?: string;
    }, options?: Options<never, ThrowOnError>): RequestResult<ListSendCsvResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [
                    { in: 'path', key: 'sendId' },
                    { in: 'query', key: 'since' },
                    { in: 'query', key: 'until' },
                    { in: 'query', key: 'status' },
                    { in: 'query', key: 'limit' },
                    { in: 'query', key: 'cursor' }
                ] }]);
        return (options?.client ?? this.client).get<ListSendCsvResponses, QueryError, ThrowOnError>({
            querySerializer: { parameters: { status: { array: { explode: false } } } },
            url: '/v1/sends/{sendId}/messages.csv', parseAs: 'text',
            ...options,
            ...params
        });
    }
    
    /**
     * How bulk sends are doing, by the time of their first reports
     */
    public listSends<ThrowOnError extends boolean = false>(parameters?: {
        since?: string;
        until?: string;
        limit?: number;
        cursor?: string;
    }, options?: Options<never, ThrowOnError>): RequestResult<ListSendsResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [
                    { in: 'query', key: 'since' },
                    { in: 'query', key: 'until' },
                    { in: 'query', key: 'limit' },
                    { in: 'query', key: 'cursor' }
                ] }]);
        return (options?.client ?? this.client).get<ListSendsResponses, QueryError, ThrowOnError>({
            url: '/v1/sends',
            ...options,
            ...params
        });
    }
    
    /**
     * How the messages of a bulk send are doing
     */
    public getSend<ThrowOnError extends boolean = false>(parameters: {
        sendId: string;
    }, options?: Options<never, ThrowOnError>): RequestResult<GetSendResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [{ in: 'path', key: 'sendId' }] }]);
        return (options?.client ?? this.client).get<GetSendResponses, QueryError, ThrowOnError>({
            url: '/v1/sends/{sendId}',
            ...options,
            ...params
        });
    }
    
    /**
     * How many messages were delivered in each hour or day, how fast, and what failed
     */
    public getInsights<ThrowOnError extends boolean = false>(parameters?: {
        since?: string;
        until?: string;
        interval?: 'hour' | 'day';
        by?: Array<'country' | 'status' | 'reason'>;
    }, options?: Options<never, ThrowOnError>): RequestResult<GetInsightsResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [
                    { in: 'query', key: 'since' },
                    { in: 'query', key: 'until' },
                    { in: 'query', key: 'interval' },
                    { in: 'query', key: 'by' }
                ] }]);
        return (options?.client ?? this.client).get<GetInsightsResponses, QueryError, ThrowOnError>({
            querySerializer: { parameters: { by: { array: { explode: false } } } },
            url: '/v1/insights',
            ...options,
            ...params
        });
    }
    
    /**
     * Replies, by the time they were sent
     */
    public listReplies<ThrowOnError extends boolean = false>(parameters?: {
        since?: string;
        until?: string;
        limit?: number;
        cursor?: string;
    }, options?: Options<never, ThrowOnError>): RequestResult<ListRepliesResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [
                    { in: 'query', key: 'since' },
                    { in: 'query', key: 'until' },
                    { in: 'query', key: 'limit' },
                    { in: 'query', key: 'cursor' }
                ] }]);
        return (options?.client ?? this.client).get<ListRepliesResponses, QueryError, ThrowOnError>({
            url: '/v1/replies',
            ...options,
            ...params
        });
    }
    
    /**
     * Numbers that want no more messages, by the time of their opt-out
     */
    public listOptOuts<ThrowOnError extends boolean = false>(parameters?: {
        since?: string;
        until?: string;
        limit?: number;
        cursor?: string;
    }, options?: Options<never, ThrowOnError>): RequestResult<ListOptOutsResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [
                    { in: 'query', key: 'since' },
                    { in: 'query', key: 'until' },
                    { in: 'query', key: 'limit' },
                    { in: 'query', key: 'cursor' }
                ] }]);
        return (options?.client ?? this.client).get<ListOptOutsResponses, QueryError, ThrowOnError>({
            url: '/v1/opt-outs',
            ...options,
            ...params
        });
    }
    
    /**
     * Received requests and events that could not be stored in the history, without their content
     */
    public listQuarantine<ThrowOnError extends boolean = false>(parameters?: {
        since?: string;
        until?: string;
        reason?: 'empty-body' | 'not-utf8' | 'not-json' | 'too-deep' | 'no-events' | 'too-many-events' | 'events-dropped' | 'unknown-kind' | 'missing-field' | 'bad-field' | 'field-too-long' | 'bad-time' | 'expression-failed' | 'not-an-envelope' | 'signature-mismatch' | 'captured' | 'message-full' | 'storage-refused';
        limit?: number;
        cursor?: string;
    }, options?: Options<never, ThrowOnError>): RequestResult<ListQuarantineResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [
                    { in: 'query', key: 'since' },
                    { in: 'query', key: 'until' },
                    { in: 'query', key: 'reason' },
                    { in: 'query', key: 'limit' },
                    { in: 'query', key: 'cursor' }
                ] }]);
        return (options?.client ?? this.client).get<ListQuarantineResponses, QueryError, ThrowOnError>({
            url: '/v1/quarantine',
            ...options,
            ...params
        });
    }
    
    /**
     * One entry of the quarantine with the received bytes
     */
    public getQuarantineEntry<ThrowOnError extends boolean = false>(parameters: {
        entryId: string;
    }, options?: Options<never, ThrowOnError>): RequestResult<GetQuarantineEntryResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [{ in: 'path', key: 'entryId' }] }]);
        return (options?.client ?? this.client).get<GetQuarantineEntryResponses, QueryError, ThrowOnError>({
            url: '/v1/quarantine/{entryId}',
            ...options,
            ...params
        });
    }
    
    /**
     * The state of the webhook, its secret, the queues and alarms, and the contract. Only the server of a console answers it (`sms console`).
     */
    public getHealth<ThrowOnError extends boolean = false>(options?: Options<never, ThrowOnError>): RequestResult<GetHealthResponses, QueryError, ThrowOnError> {
        return (options?.client ?? this.client).get<GetHealthResponses, QueryError, ThrowOnError>({ url: '/v1/health', ...options });
    }
    
    /**
     * Sends an entry of the quarantine through the worker again. Only the server of a console answers it (`sms console`).
     */
    public replayQuarantineEntry<ThrowOnError extends boolean = false>(parameters: {
        entryId: string;
        acceptDuplicates?: boolean;
    }, options?: Options<never, ThrowOnError>): RequestResult<ReplayQuarantineEntryResponses, QueryError, ThrowOnError> {
        const params = buildClientParams([parameters], [{ args: [{ in: 'path', key: 'entryId' }, { in: 'body', key: 'acceptDuplicates' }] }]);
        return (options?.client ?? this.client).post<ReplayQuarantineEntryResponses, QueryError, ThrowOnError>({
            url: '/v1/quarantine/{entryId}/replay',
            ...options,
            ...params,
            headers: {
                'Content-Type': 'application/json',
                ...options?.headers,
                ...params.headers
            }
        });
    }
}
