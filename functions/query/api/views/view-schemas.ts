import * as z from 'zod';
import {
  canonicalErrorReasons,
  canonicalStatuses,
  reportOrigins,
} from '../../../../contract/schema/sms-event.ts';

// The JSON of delivery history, which is the same in the query API and `sms ... --json`. The TypeScript types and the API's document come
// from these schemas.

const time = z.string().meta({ format: 'date-time', examples: ['2026-01-15T12:00:05.000Z'] });
const number = z.string().meta({ examples: ['+12025550143'] });

const costAndRoute = {
  price: z
    .string()
    .exactOptional()
    .meta({ description: 'What the message cost: a decimal number as text.', examples: ['0.0079'] }),
  currency: z
    .string()
    .exactOptional()
    .meta({ description: 'Of `price`, ISO 4217.', examples: ['USD'] }),
  segments: z.int().exactOptional().describe('The number of parts in which the message was sent.'),
  network: z
    .string()
    .exactOptional()
    .meta({
      description: "The recipient's network: its mobile country code and mobile network code.",
      examples: ['310410'],
    }),
  carrier: z
    .string()
    .exactOptional()
    .describe("The name of the recipient's network, as the service writes it."),
};

const channel = z
  .string()
  .exactOptional()
  .meta({ description: 'The channel; left out for SMS.', examples: ['whatsapp'] });

/** What was not read exactly. */
const doubt = {
  timeIs: z
    .enum(['received', 'assumed'])
    .exactOptional()
    .describe(
      'Present if `occurredAt` is not exact. `received`: the service sent no time, or one more than a day after the receipt. `assumed`: the zone of its time is not certain. A time without a zone is read as UTC.',
    ),
  unread: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe('The values that could not be read, as the service wrote them, by their fields.'),
};

const statusEvent = z
  .object({
    eventId: z.string(),
    status: z.string().meta({
      description: "The canonical status, or the service's word where the contract does not list it.",
      examples: [...canonicalStatuses],
    }),
    word: z.string().exactOptional().describe("The service's word, if it differs from `status`."),
    occurredAt: time.describe('When the service says it happened.'),
    receivedAt: time.describe('When the webhook received it.'),
    errorCode: z.string().exactOptional().describe("The service's error code."),
    // Any text, because a later version may have stored a new reason.
    errorReason: z
      .string()
      .exactOptional()
      .meta({
        description: 'What the error code means, in words that are the same for every service.',
        examples: [...canonicalErrorReasons],
      }),
    errorText: z.string().exactOptional(),
    origin: z
      .enum(reportOrigins)
      .exactOptional()
      .describe(
        'Present if the report is the answer of a lookup at the service, or a row of an import; absent if the webhook received it.',
      ),
    ...costAndRoute,
    partId: z
      .string()
      .exactOptional()
      .describe('The part of the message that it is about, if the service gives each part an id.'),
    ...doubt,
  })
  .meta({ id: 'StatusEvent', description: 'One delivery report.' });

/** Ids are unique within a source. */
export const source = z
  .string()
  .exactOptional()
  .describe('The source, if the pipeline has several; left out for `main`. Ids are unique within a source.');

/** One message with its whole history as JSON. Times are ISO 8601 in UTC. */
export const messageSchema = z
  .object({
    source,
    messageId: z.string(),
    phone: number
      .nullable()
      .describe('The recipient, E.164 if it could be read as such; null if no report has it.'),
    sendId: z.string().nullable(),
    status: z.string().meta({
      description: "The canonical status, or the service's word where the contract does not list it.",
      examples: [...canonicalStatuses],
    }),
    final: z.boolean().describe('Whether no further report is expected.'),
    statusAt: time.describe('When the report that decided the status happened.'),
    firstSeenAt: time,
    conflict: z
      .boolean()
      .describe('Whether one report says that the message arrived and another that it did not.'),
    // Each value is that of the report with the highest precedence that has it.
    ...costAndRoute,
    channel,
    events: z.array(statusEvent).describe('Oldest first.'),
  })
  .meta({ id: 'Message', description: 'One message with its whole history.' });

/** The current version of a reply as JSON. Times are ISO 8601 in UTC. */
export const replySchema = z
  .object({
    source,
    replyId: z.string(),
    messageId: z.string().exactOptional().describe('The message it answers, if the service reports it.'),
    from: number,
    to: number.exactOptional(),
    text: z.string().describe('Empty if the reply has no words.'),
    media: z.array(z.string()).exactOptional().describe('The addresses of its pictures and other media.'),
    channel,
    parts: z
      .object({ total: z.int(), received: z.int(), isWhole: z.boolean() })
      .exactOptional()
      .describe(
        'Present for a reply that the service sent in parts: how many there are, and how many were received. `isWhole` says whether `text` is the whole text.',
      ),
    occurredAt: time,
    receivedAt: time,
    ...doubt,
  })
  .meta({ id: 'Reply', description: 'The current version of a reply.' });

/** A message to a number, or a reply from it, as JSON. */
export const timelineEntrySchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('message'), ...messageSchema.shape }).meta({ id: 'TimelineMessage' }),
    z.object({ kind: z.literal('reply'), ...replySchema.shape }).meta({ id: 'TimelineReply' }),
  ])
  .meta({ id: 'TimelineEntry', description: 'A message to a number, or a reply from it.' });

/** Who said that a number wants messages or not, and where. */
const origin = {
  by: z
    .enum(['person', 'operator', 'provider'])
    .describe(
      'Who said it: the person by a reply, an operator by `sms opt-out`, or the provider, which did not deliver a message because the number opted out there.',
    ),
  source: source.describe(
    'The source of the reply or the message, if the pipeline has several; left out for `main`.',
  ),
  replyId: z.string().exactOptional().describe('The reply with the keyword; only of a person.'),
  entryId: z.string().exactOptional().describe("The id of the operator's entry; only of an operator."),
  messageId: z.string().exactOptional().describe('The message that failed; only of the provider.'),
  reason: z.string().exactOptional().describe('Why an operator recorded it; only of an operator.'),
  recordedBy: z
    .string()
    .exactOptional()
    .meta({
      description:
        "The end of the ARN of the operator's keys; only of an operator, and left out if AWS did not name it.",
      examples: ['assumed-role/Support/ann'],
    }),
};

const sourcesOfOptOut = {
  outOf: z
    .array(z.string())
    .exactOptional()
    .describe('The only sources that the number is opted out of, where opt-outs count by source.'),
  outOfAllExcept: z
    .array(z.string())
    .exactOptional()
    .describe(
      'The only sources that the number is not opted out of, where opt-outs count by source and it is out of all others, also of those that are added later.',
    ),
};

/** A number that wants no more messages as JSON. */
export const optOutSchema = z
  .object({
    phone: number,
    since: time.describe('When the reply was sent, an operator recorded it, or the message failed.'),
    ...origin,
    ...sourcesOfOptOut,
  })
  .meta({ id: 'OptOut', description: 'A number that wants no more messages.' });

const optOutStatement = z.object({
  state: z.enum(['out', 'in']).describe('`out`: no more messages; `in`: messages again.'),
  at: time.describe('When the reply was sent, an operator recorded it, or the message failed.'),
  ...origin,
  onlySource: z
    .literal(true)
    .exactOptional()
    .describe('It is about its source only, where opt-outs count by source; left out if it is about all.'),
});

/** What was said about messages to a number, as JSON. */
const optOutStateSchema = z
  .object({
    state: optOutStatement.shape.state,
    ...sourcesOfOptOut,
    statements: z
      .array(optOutStatement)
      .describe('Newest first. For a source, the first one decides that is about it or about all.'),
  })
  .meta({ id: 'OptOutState', description: 'Whether a number wants messages, and who said so.' });

const of = z.string().meta({ examples: ['m~msg-1'] });

/** The answer to a search as JSON. */
export const searchSchema = z
  .object({
    number: number
      .nullable()
      .describe(
        'The number that the text was read as, also if nothing is stored about it; null for other texts.',
      ),
    results: z.array(
      z.discriminatedUnion('kind', [
        z
          .object({
            kind: z.literal('number'),
            of: of.nullable().describe('Its conversation; null if only the register of opt-outs has it.'),
            number,
            optOut: optOutStateSchema.nullable(),
          })
          .meta({ id: 'FoundNumber' }),
        z
          .object({
            kind: z.literal('message'),
            ...messageSchema.pick({
              source: true,
              messageId: true,
              phone: true,
              status: true,
              statusAt: true,
            }).shape,
            of,
          })
          .meta({ id: 'FoundMessage' }),
        z
          .object({
            kind: z.literal('reply'),
            ...replySchema.pick({ source: true, replyId: true, from: true, occurredAt: true }).shape,
            of,
          })
          .meta({ id: 'FoundReply' }),
        z.object({ kind: z.literal('send'), source, sendId: z.string() }).meta({ id: 'FoundSend' }),
      ]),
    ),
  })
  .meta({ id: 'SearchResults', description: 'Everything that has exactly the number or id of a search.' });

export const quarantineReasonSchema = z.enum(
  [
    'empty-body',
    'not-utf8',
    'not-json',
    'too-deep',
    'no-events',
    'too-many-events',
    'events-dropped',
    'unknown-kind',
    'missing-field',
    'bad-field',
    'bad-encoding',
    'field-too-long',
    'bad-time',
    'expression-failed',
    'not-an-envelope',
    'signature-mismatch',
    'captured',
    'message-full',
    'storage-refused',
  ],
  { error: 'expected a reason of the quarantine, as docs/reference/data-model.md, "Quarantine", lists them' },
);

/** One entry of the quarantine as JSON, without the received bytes. */
export const quarantinedSchema = z
  .object({
    id: z.string().meta({ examples: ['2026-01-15T12:00:05.000Z#9f8b6c2a#0'] }),
    // Any text, so that a client of an earlier version can read an entry with a new reason.
    reason: z.string().meta({ examples: ['bad-time'] }),
    field: z.string().nullable().describe('The field the reason is about.'),
    receivedAt: time,
    source,
    requestId: z.string(),
    index: z
      .int()
      .nullable()
      .describe('Position of the event in the body it came in; null if the whole body is kept.'),
  })
  .meta({ id: 'Quarantined', description: 'One entry of the quarantine, without the received bytes.' });

/** One entry of the quarantine as JSON, with the received bytes. */
export const quarantineEntrySchema = z
  .object({
    ...quarantinedSchema.shape,
    raw: z.string().describe('The received event, or the whole body.'),
    encoding: z.enum(['utf8', 'base64']).describe('How to read `raw`: bytes that are no text are in base64.'),
    headers: z
      .record(z.string(), z.string())
      .nullable()
      .describe(
        'For an unverified request the headers that its signature scheme reads; for a captured request all headers, with credentials masked.',
      ),
    method: z.string().exactOptional().describe('The method of a captured request.'),
    contract: z.string().exactOptional().describe('Hash of the contract it was received by.'),
  })
  .meta({ id: 'QuarantineEntry', description: 'One entry of the quarantine with the received bytes.' });

/** A part of a list as JSON. */
export const pageSchema = <T extends z.ZodType>(entry: T) =>
  z.object({
    entries: z
      .array(entry)
      .describe(
        'Newest first, unless another order was asked for. There may be fewer entries than requested, or none.',
      ),
    next: z.string().nullable().describe('The cursor of the next page; null at the end of the list.'),
    searchedTo: time
      .exactOptional()
      .describe(
        'There if the page ends because many entries did not match, and not because it is full: it has every match as far as this time, in the order of the list.',
      ),
  });

/** A page of what is stored about one number as JSON. */
export const conversationSchema = z
  .object({
    number,
    optOut: optOutStateSchema.nullable().describe('Null if the number never said anything about messages.'),
    ...pageSchema(timelineEntrySchema).shape,
  })
  .meta({
    id: 'Conversation',
    description: 'A number, and a page of the messages to it and replies from it.',
  });

type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;

export type MessageView = DeepReadonly<z.infer<typeof messageSchema>>;
export type StatusEventView = DeepReadonly<z.infer<typeof statusEvent>>;
export type ReplyView = DeepReadonly<z.infer<typeof replySchema>>;
export type TimelineEntryView = DeepReadonly<z.infer<typeof timelineEntrySchema>>;
export type OptOutView = DeepReadonly<z.infer<typeof optOutSchema>>;
export type OptOutStateView = DeepReadonly<z.infer<typeof optOutStateSchema>>;
export type SearchView = DeepReadonly<z.infer<typeof searchSchema>>;
export type QuarantinedView = DeepReadonly<z.infer<typeof quarantinedSchema>>;
export type QuarantineEntryView = DeepReadonly<z.infer<typeof quarantineEntrySchema>>;

/** A part of a list as JSON. */
export interface PageView<T> {
  readonly entries: readonly T[];
  /** The cursor of the next page; null at the end of the list. */
  readonly next: string | null;
  readonly searchedTo?: string;
}
