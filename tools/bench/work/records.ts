import { createHash } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { rankOf, type StatusEvent } from '../../../contract/schema/sms-event.ts';
import {
  entryValue,
  eventAttribute,
  expiryOf,
  type Item,
  messageAttributes,
  messageKey,
} from '../../../functions/history/history-item-store.ts';
import { foldMessages, type Message, messageOf } from '../../../functions/history/message.ts';
import { encodeEnvelope } from '../../../functions/webhook/envelope.ts';
import { recordOf } from '../../../local/services/lambda/event-sources/queue-batches.ts';
import { streamRecordOf } from '../../../local/services/lambda/event-sources/stream-records.ts';
import { digest, uuid } from '../../support/made-ids.ts';

/** One delivery report of a run, and its place among its message's. */
export interface Report {
  /** Different from that of any other message. */
  readonly message: number;
  /** From 0: queued, sent, delivered. */
  readonly step: number;
}

/** How many reports of one message stand beside each other. */
export type PerMessage = 1 | 3;

const statuses = ['queued', 'sent', 'delivered'] as const;
const messagesPerSend = 1000;
const begin = Date.parse('2026-01-15T12:00:00.000Z');

/**
 * Reports in the order in which they come: of another message each, or all three of a message before those of the next.
 *
 * @param first the first message's number
 */
export function reportsOf(count: number, perMessage: PerMessage, first: number): Report[] {
  return Array.from({ length: count }, (_, index) => ({
    message: first + Math.floor(index / perMessage),
    step: index % 3,
  }));
}

/** The report as an event; ids and times are as long as real ones. */
export function statusEvent({ message, step }: Report): StatusEvent {
  const status = statuses[step] ?? 'delivered';
  return {
    kind: 'sms.status',
    eventId: `msg_${digest(`event ${message} ${step}`).slice(0, 27)}`,
    messageId: uuid(`message ${message}`),
    sendId: uuid(`send ${Math.floor(message / messagesPerSend)}`),
    phone: `+120255501${String(message % 100).padStart(2, '0')}`,
    status,
    rank: rankOf(status),
    occurredAt: new Date(begin + message * 37 + step * 2113).toISOString(),
  };
}

/** When the webhook received it; ISO 8601 in UTC. */
function receivedAt({ occurredAt }: StatusEvent): string {
  return new Date(Date.parse(occurredAt) + 431).toISOString();
}

/** A report as the worker gets it from its event source mapping: one webhook request, verified by ingest. */
export function queueRecord(report: Report): SQSRecord {
  const event = statusEvent(report);
  const received = receivedAt(event);
  const id = uuid(`request ${report.message} ${report.step}`);
  const body = encodeEnvelope({
    requestId: id,
    receivedAt: received,
    signedId: event.eventId,
    body: Buffer.from(
      JSON.stringify({
        type: event.kind,
        timestamp: received,
        data: {
          id: event.messageId,
          send_id: event.sendId,
          to: event.phone,
          status: event.status,
          occurred_at: event.occurredAt,
        },
      }),
    ),
  });
  const sentAt = String(Date.parse(received));
  return recordOf(
    {
      MessageId: id,
      // As long as one of SQS.
      ReceiptHandle: Buffer.alloc(300, id).toString('base64'),
      Body: body,
      MD5OfBody: createHash('md5').update(body).digest('hex'),
      Attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: sentAt,
        SenderId: 'AROAEXAMPLE:ingest',
        ApproximateFirstReceiveTimestamp: sentAt,
      },
    },
    'arn:aws:sqs:us-east-1:000000000000:events',
  );
}

const settings = { retentionDays: 400, worklistShards: 16 };

/** A report as the publisher gets it: what the worker's write of it changed, with the message as it was and as it is. */
export function streamRecord(report: Report, place: number): DynamoDBRecord {
  const key = { pk: { S: messageKey(statusEvent(report).messageId) } };
  const isFirst = report.step === 0;
  const record = {
    eventID: `record-${place}`,
    eventName: isFirst ? 'INSERT' : 'MODIFY',
    eventVersion: '1.1',
    dynamodb: {
      ApproximateCreationDateTime: new Date(receivedAt(statusEvent(report))),
      Keys: key,
      NewImage: itemAfter(report),
      ...(isFirst ? {} : { OldImage: itemAfter({ ...report, step: report.step - 1 }) }),
      SequenceNumber: String(place + 1).padStart(21, '0'),
      SizeBytes: 1000,
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
  } as const;
  return streamRecordOf(record, 'arn:aws:dynamodb:us-east-1:000000000000:table/history/stream/bench');
}

/** The message's item once this report and those before it are stored. */
function itemAfter({ message, step }: Report): Item {
  const views = Array.from({ length: step + 1 }, (_, index) => {
    const event = statusEvent({ message, step: index });
    return messageOf(event, receivedAt(event));
  });
  const [first, ...others] = views;
  if (first === undefined) throw new Error('a message without a report');
  const known: Message = foldMessages([first, ...others]);
  const entries = [...known.events.values()];
  const attributes = messageAttributes(known, settings);
  return {
    ...marshall({
      pk: messageKey(known.messageId),
      ...attributes,
      ...('worklist' in attributes ? { listedAt: known.firstSeenAt } : {}),
      firstSeenAt: known.firstSeenAt,
      at: known.firstSeenAt,
      eventCount: entries.length,
      expiresAt: expiryOf(entries.at(-1)?.receivedAt ?? known.firstSeenAt, settings.retentionDays),
    }),
    ...Object.fromEntries(entries.map((entry) => [eventAttribute(entry.eventId), entryValue(entry)])),
  };
}
