import * as z from 'zod';
import type { EventMapper } from '../../../contract/events/mapping.ts';
import { decodeEnvelope } from '../../../functions/receive/index.ts';
import { parseJson } from '../../text/format.ts';

/** One event of a dead-lettered request. */
const requestEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['sms.status', 'sms.reply']),
    id: z.string().describe('The id of the message or of the reply.'),
    eventId: z.string(),
  }),
  z.object({ kind: z.literal('unreadable'), reason: z.string() }),
]);

/** The publisher writes these two kinds. */
const eventRefused = z.object({
  kind: z.literal('event-refused'),
  detailType: z.string(),
  eventId: z.string(),
  itemKey: z.string().nullable().default(null),
  error: z.string(),
});
const recordUnreadable = z.object({
  kind: z.literal('record-unreadable'),
  recordId: z.string().nullable().default(null),
  itemKey: z.string().nullable().default(null),
  error: z.string(),
});

const streamRange = z.object({
  shardId: z.string(),
  startSequenceNumber: z.string(),
  endSequenceNumber: z.string(),
  batchSize: z.number(),
  approximateArrivalOfFirstRecord: z.string(),
  approximateArrivalOfLastRecord: z.string(),
});

/** The content of a dead letter, without texts. Its ids are whole, also one with a number, because the advice is to look them up. */
export const deadLetterContent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['request', 'parked-request', 'captured-request']),
    requestId: z.string(),
    receivedAt: z.string(),
    events: z.array(requestEvent),
  }),
  z.object({
    kind: z.literal('bus-event'),
    detailType: z.string(),
    eventId: z.string(),
    about: z.string().nullable().describe('The id of the message, or else of the reply, that it is about.'),
  }),
  eventRefused,
  recordUnreadable,
  z.object({ kind: z.literal('stream-batch'), error: z.string(), ...streamRange.shape }),
  z.object({ kind: z.literal('unknown') }),
]);

export type RequestEvent = z.output<typeof requestEvent>;
export type DeadLetterContent = z.output<typeof deadLetterContent>;

const busEvent = z
  .object({
    'detail-type': z.string(),
    detail: z.object({
      eventId: z.string(),
      messageId: z.string().optional(),
      replyId: z.string().optional(),
    }),
  })
  .transform(({ 'detail-type': detailType, detail: { eventId, messageId, replyId } }) => ({
    kind: 'bus-event' as const,
    detailType,
    eventId,
    about: messageId ?? replyId ?? null,
  }));

/** Lambda sends this for a range of a stream that it discards (Lambda Developer Guide, "Retaining discarded batches"). */
const streamBatch = z
  .object({
    requestContext: z.object({ condition: z.string() }),
    DDBStreamBatchInfo: streamRange,
  })
  .transform(({ requestContext: { condition }, DDBStreamBatchInfo: range }) => ({
    kind: 'stream-batch' as const,
    error: condition,
    ...range,
  }));

const parsers = z.union([eventRefused, recordUnreadable, streamBatch, busEvent]);

/** Reads the content of a dead letter. @param map splits a request's body into events, as the worker does */
export function readDeadLetter(body: string, map: EventMapper): DeadLetterContent {
  const envelope = decodeEnvelope(body);
  if (envelope !== undefined) {
    const { requestId, receivedAt, unverified, captured, signedId } = envelope;
    const events = map(envelope.body, signedId, receivedAt, envelope).map((mapped): RequestEvent => {
      if (mapped.kind === 'unreadable') return { kind: 'unreadable', reason: mapped.reason };
      const { event } = mapped;
      const id = event.kind === 'sms.status' ? event.messageId : event.replyId;
      return { kind: event.kind, id, eventId: event.eventId };
    });
    return {
      kind:
        captured !== undefined ? 'captured-request' : unverified === undefined ? 'request' : 'parked-request',
      requestId,
      receivedAt,
      events,
    };
  }
  const parsed = parsers.safeParse(parseJson(body));
  return parsed.success ? parsed.data : { kind: 'unknown' };
}

/** Advises what to do about each kind of dead letter. */
export const deadLetterAdvice: Readonly<Record<DeadLetterContent['kind'], string>> = {
  request: 'requests: the worker failed to store them; after the fix, dead-letter redrive sends them back',
  'parked-request':
    'parked requests: their signatures could not be verified; once webhook status shows no rotation, dead-letter redrive sends them back, and forged ones go to quarantine',
  'captured-request':
    'captured requests: the worker failed to put them into quarantine; after the fix, dead-letter redrive sends them back',
  'bus-event':
    'events: an automation failed to handle them; after the fix, dead-letter redrive sends them back',
  'event-refused':
    'refused events: the bus will never accept them, so no redrive helps; look up the id with message get, do what the automations would have done, then delete the message',
  'record-unreadable':
    'unreadable records: the item in the history table cannot become an event, so no redrive helps; look at the item by its key, then delete the message',
  'stream-batch':
    'stream ranges: changes that failed for 23 hours and are in no queue, so no redrive helps; the history has them all: look at what was received at that time, do what the automations would have done, then delete the message',
  unknown: 'not written by this pipeline: find out who may send to the queue',
};

/** The kinds of messages that came from no queue. */
export const withoutSource = ['event-refused', 'record-unreadable', 'stream-batch'] as const;
