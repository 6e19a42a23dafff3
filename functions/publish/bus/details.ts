import * as z from 'zod';
import { mismatchKinds } from '../../../contract/drift/mismatch.ts';
import {
  canonicalErrorReasons,
  canonicalStatuses,
  reportOrigins,
} from '../../../contract/schema/sms-event.ts';
import { type DetailType, detailTypes } from '../../../events/event-types.ts';

/**
 * The details of the events on the bus, version 1. A later version 1 may add fields and values of `status`, and removes nothing. Consumers
 * ignore fields that they do not know (docs/reference/events.md).
 */

const version = z.literal(1).describe('Version of this detail type.');
const eventId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .describe(
    'The same for the same fact, however often it is delivered: remember it to act once. 32 hexadecimal digits.',
  );
const time = (what: string) => z.iso.datetime().describe(`${what}; ISO 8601 in UTC, to the millisecond.`);
const source = z
  .string()
  .optional()
  .describe(
    'The source that it is of, if the pipeline has several; absent for `main`. Ids are unique within a source.',
  );
const messageId = z.string().describe("The service's id of the message.");
const sendId = z.string().optional().describe('The bulk send of the message, if the service reports it.');
const phone = z
  .string()
  .describe('The number: E.164 if it could be read as such, else as the service wrote it.');
const recipient = phone
  .optional()
  .describe("The recipient's number, if the service reports it; E.164 if possible.");
const status = z
  .string()
  .meta({ examples: [...canonicalStatuses] })
  .describe("One of the canonical statuses, or the service's own word if the contract does not list it.");
const historyEventId = z.string().describe('Id of the report or reply within the delivery history.');
const word = z.string().optional().describe("The service's word, if it differs from `status`.");
const errorCode = z.string().optional().describe("The service's error code, if it reports one.");
const errorReason = z
  .enum(canonicalErrorReasons)
  .optional()
  .describe('What the error code means, if the contract lists it.');
const errorText = z
  .string()
  .optional()
  .describe("The service's words for the error, cut after 1,000 characters.");
/** What is known of the message when the event is published, whichever report has it. */
const costAndRoute = {
  price: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,30})?$/)
    .optional()
    .describe('What the message cost, as far as it is known by now: a decimal number as text.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .describe('The currency of `price`, ISO 4217.'),
  segments: z.int().min(1).max(255).optional().describe('The number of parts in which it was sent.'),
  network: z
    .string()
    .regex(/^\d{5,6}$/)
    .optional()
    .describe("The recipient's network: its mobile country code and mobile network code."),
  carrier: z.string().optional().describe("The name of the recipient's network, as the service writes it."),
};
const receivedAt = time('When the webhook received it');
const channel = z.string().optional().describe('The channel, such as `whatsapp`; absent for SMS.');
const timeIs = z
  .enum(['received', 'assumed'])
  .optional()
  .describe(
    'Present if `occurredAt` is not exact. `received`: the service sent no time, or one more than a day after the receipt. `assumed`: the zone of its time is not certain. A time without a zone is read as UTC.',
  );
const partId = z
  .string()
  .optional()
  .describe('The part of the message that the report is about, if the service gives each part an id.');
const head = { version, eventId };
const message = { source, messageId, sendId, phone: recipient, channel };
const origin = z
  .enum(reportOrigins)
  .optional()
  .describe(
    'Present if the report is the answer of a lookup at the service, or a row of an import; absent if the webhook received it.',
  );
const report = {
  historyEventId,
  word,
  errorCode,
  errorReason,
  errorText,
  origin,
  partId,
  timeIs,
  receivedAt,
};

const statusChanged = z.object({
  ...head,
  ...message,
  status,
  previousStatus: status
    .optional()
    .describe('The status of the last such event of the message; absent if there was none.'),
  final: z.boolean().describe('Whether no further report is to be expected.'),
  outcome: z
    .enum(['open', 'success', 'failure', 'unknown'])
    .describe('The meaning of the status: still under way, arrived, did not arrive, or not known.'),
  reportCount: z
    .int()
    .min(1)
    .describe(
      'How many reports the pipeline has of the message. Of two such events of one message, the one with more reports is the newer.',
    ),
  ...report,
  occurredAt: time('When the status came about'),
  conflict: z
    .boolean()
    .describe('Whether one report says that the message arrived and another that it did not.'),
  ...costAndRoute,
});

const deliveryEvent = z.object({
  ...head,
  ...message,
  status,
  ...report,
  occurredAt: time('When it happened'),
  ...costAndRoute,
});

const conflict = z.object({
  ...head,
  ...message,
  status: status.describe(
    'The status of the message at that moment; where it changed, `SMS Delivery Status Changed` is published too.',
  ),
  successStatus: status.describe('The status of the report that says that the message arrived.'),
  successAt: time('When that status came about'),
  failureStatus: status.describe('The status of the report that says that the message did not arrive.'),
  failureAt: time('When that status came about'),
  errorCode,
  errorReason,
  errorText,
});

const replyReceived = z.object({
  ...head,
  historyEventId,
  source,
  replyId: z.string().describe("The service's id of the reply."),
  messageId: messageId.optional().describe('The message it answers, if the service reports it.'),
  from: phone.describe('Who replied: E.164 if it could be read as such.'),
  to: phone.optional().describe('The number that was written to, if the service reports it.'),
  text: z.string().describe('What was written, cut after 10,000 characters; the history has it whole.'),
  isTextCut: z.boolean().describe('Whether `text` was cut.'),
  keyword: z
    .enum(['stop', 'start', 'help'])
    .optional()
    .describe('What the reply asks for, if it is nothing but a keyword.'),
  mayMeanStop: z
    .boolean()
    .describe(
      'Whether it reads like a wish for no more messages without being the keyword: for a person to decide.',
    ),
  channel,
  media: z.array(z.string()).readonly().optional().describe('The addresses of its pictures and other media.'),
  parts: z
    .object({
      total: z.int().describe('The number of parts of the reply.'),
      received: z.int().describe('How many of them were received.'),
      isWhole: z
        .boolean()
        .describe('Whether `text` is the whole text. If not, a later event may have more of it.'),
    })
    .optional()
    .describe('Present for a reply that the service sent in parts. Each part that arrives gives an event.'),
  occurredAt: time('When it was sent'),
  timeIs,
  receivedAt,
});

const consent = z.object({
  ...head,
  phone,
  by: z
    .enum(['person', 'operator', 'provider'])
    .describe(
      'Who said it: the person by a reply, an operator by `sms opt-out`, or the provider, which did not deliver a message because the number opted out there.',
    ),
  source: source.describe(
    'The source of the reply or the message, if the pipeline has several; absent for `main`.',
  ),
  onlySource: z
    .literal(true)
    .optional()
    .describe(
      'It is about messages of this source only (`optOutsBySource`); absent if it is about all messages.',
    ),
  replyId: z.string().optional().describe('The reply with the keyword; only of a person.'),
  entryId: z.string().optional().describe("The id of the operator's entry; only of an operator."),
  messageId: messageId.optional().describe('The message that failed; only of the provider.'),
  occurredAt: time(
    'When the person said it, or the message failed. An opt-out that counts again has the time of the opt-in that was corrected. The newest statement of a number counts, and of two at the same time the opt-out',
  ),
});

const helpRequested = z.object({
  ...head,
  phone,
  source,
  replyId: z.string().describe('The reply that asks for help.'),
  historyEventId,
  messageId: messageId.optional(),
  occurredAt: time('When it was asked'),
});

const stale = z.object({
  ...head,
  ...message,
  firstSeenAt: time('When the first report of the message was received'),
  lastStatus: status.optional().describe('The last status the service reported.'),
  staleAt: time('When the wait for a final report ended'),
});

const cardExpiring = z.object({
  ...head,
  state: z
    .enum(['expiring', 'expired', 'no-default-card'])
    .describe('The default card expires soon, has expired, or no saved card is the default.'),
  cardId: z.guid().optional().describe("The service's id of the card; absent if there is no default card."),
  expiresAt: time('The end of the month the card is valid to').optional(),
});

/** The changes of the webhook that another actor may make at the service. */
export const webhookDriftKinds = [
  'url-changed',
  'deactivated',
  'settings-changed',
  'secret-rotated',
] as const;

const webhookDrifted = z.object({
  ...head,
  source: source.describe('The source whose webhook it is, if the pipeline has several; absent for `main`.'),
  kind: z.enum(webhookDriftKinds).describe('The change at the SMS service that the pipeline did not make.'),
  isRepaired: z.boolean().describe('Whether the pipeline has repaired it.'),
  foundAt: time('When it was found'),
});

const contractDrifted = z.object({
  ...head,
  source: source.describe('The source whose events differ, if the pipeline has several; absent for `main`.'),
  kind: z
    .enum(mismatchKinds)
    .describe(
      'A word for a status or a kind that the contract does not know, a field that is missing, one of another format, or a value that could not be read and was kept as received (`unread`).',
    ),
  field: z
    .string()
    .describe('The place in the contract that it is about, for example events.status.recipient.'),
  expected: z.string().describe('What the contract or its samples say.'),
  found: z
    .string()
    .describe(
      'The type of the JSON value in the event, or nothing; with `unread`, why it could not be read.',
    ),
  word: z
    .string()
    .optional()
    .describe("The service's word for the status or kind, if it is nothing but a word."),
  example: z.string().optional().describe('What a value looks like that was kept as received, masked.'),
  shape: z
    .string()
    .describe('JSON: the keys of the event that showed it, with the types of their values; never a value.'),
  foundAt: time('When it was found first on that day'),
});

const since = time(
  'The start of the quarter hour that was found degraded; the same in both events of an incident',
);
const changeFoundAt = time('When the change was found');
const figures = z
  .array(
    z.object({
      signal: z
        .enum(['delivery-rate', 'time-to-delivery', 'failure-share', 'slow-share'])
        .describe(
          'The share delivered, the median time to delivery, the share that failed for the reason, or of the messages that did not fail the share that was not delivered within five minutes.',
        ),
      value: z.number().describe('A share from 0 to 1, or milliseconds.'),
      usual: z
        .number()
        .optional()
        .describe('The usual value of this hour of the week; absent if a slow share has too little history.'),
      limit: z.number().optional().describe('The limit of a slow share; only of this signal.'),
      messages: z.number().describe('The messages that the value was computed from.'),
      from: time('The start of the quarter hour in which these messages were first reported'),
      until: time('Its end'),
      comparedWith: z
        .enum(['weeks', 'days', 'limit'])
        .describe('The same hours of the last four weeks, or of the last six days, or the limit.'),
      quarterHours: z
        .number()
        .describe('The quarter hours that the usual value was computed from; 0 if it is absent.'),
    }),
  )
  .describe(
    'The signals that are out of their limits; after a recovery the last figures, empty after a day with too few messages.',
  );
const examples = z
  .array(z.object({ source, messageId, sendId }))
  .describe(
    'At most five messages that failed in the quarter hour, or were delivered late; none after a recovery.',
  );

const watched = z.object({
  ...head,
  subject: z
    .enum(['all', 'country', 'reason', 'send'])
    .describe(
      'What it is about: all messages, those to a country, the failures for one reason among all messages, or one send, which has no recovery.',
    ),
  country: z
    .string()
    .optional()
    .describe('The country, ISO 3166-1, or ZZ for numbers without one; only of a country.'),
  errorReason: z.string().optional().describe('The error reason; only of a reason.'),
  source: source.describe('The source of the send, if the pipeline has several; absent for `main`.'),
  sendId: z.string().optional().describe('The send; only of a send.'),
  since,
  foundAt: changeFoundAt,
  figures,
  examples,
});

const providerWatched = z.object({
  ...head,
  source: z.string().describe('The source that it is about; `main` has its name here.'),
  since,
  foundAt: changeFoundAt,
  figures,
  otherSources: z
    .array(
      z.object({
        source: z.string().describe('The source; `main` has its name here.'),
        messages: z.number().describe('Its messages, which may be few.'),
        deliveryRate: z
          .number()
          .describe('The share delivered, within the time that also the source of the event has.'),
        slowShare: z
          .number()
          .optional()
          .describe(
            'Of the messages that did not fail, the share that was not delivered within five minutes; absent while some are younger.',
          ),
        medianDeliveryMs: z
          .number()
          .optional()
          .describe('The median time to delivery, milliseconds; absent without deliveries.'),
      }),
    )
    .describe(
      'What the other sources had in the quarter hour of the first figure, to choose another one by; a source without messages is absent.',
    ),
  examples,
});

/** The zod schema of each detail without the name of the pipeline, which the client of the bus adds. */
export const detailSchemas = {
  [detailTypes.statusChanged]: statusChanged,
  [detailTypes.deliveryEvent]: deliveryEvent,
  [detailTypes.conflict]: conflict,
  [detailTypes.replyReceived]: replyReceived,
  [detailTypes.optOut]: consent,
  [detailTypes.optIn]: consent,
  [detailTypes.helpRequested]: helpRequested,
  [detailTypes.stale]: stale,
  [detailTypes.cardExpiring]: cardExpiring,
  [detailTypes.webhookDrifted]: webhookDrifted,
  [detailTypes.contractDrifted]: contractDrifted,
  [detailTypes.deliveryDegraded]: watched,
  [detailTypes.deliveryRecovered]: watched,
  [detailTypes.providerDegraded]: providerWatched,
  [detailTypes.providerRecovered]: providerWatched,
} as const;

const pipeline = z
  .string()
  .describe('The pipeline that published it: its output `PipelineName`. Several pipelines may share a bus.');

/** Returns the zod schema of a detail as it is on the bus, where it names its pipeline. */
export function publishedSchema(detailType: DetailType) {
  return z.object({ pipeline, ...detailSchemas[detailType].shape });
}

/** The detail of each detail type. */
export type Details = {
  readonly [T in keyof typeof detailSchemas]: Readonly<z.output<(typeof detailSchemas)[T]>>;
};

/** An event to publish: its detail type with the detail that belongs to it. */
export type BusEvent = {
  readonly [T in DetailType]: {
    readonly detailType: T;
    readonly detail: Details[T];
  };
}[DetailType];
