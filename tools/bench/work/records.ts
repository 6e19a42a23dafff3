import { createHash } from 'node:crypto';
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import { expiryOf, type Item, messageKey } from '../../../functions/history/history-item-store.ts';
import { foldMessages, messageOf } from '../../../functions/history/message.ts';
import { messageItem } from '../../../functions/history/message-item.ts';
import { recordOf } from '../../../local/services/lambda/event-sources/queue-batches.ts';
import { streamRecordOf } from '../../../local/services/lambda/event-sources/stream-records.ts';
import { envelopeOf, eventOf, type Report, receivedAt, uuid } from '../reports.ts';

/** How many reports of one message stand beside each other. */
export type PerMessage = 1 | 3;

/**
 * Returns reports in the order in which they come: of another message each, or all three of a message before those of the next.
 *
 * @param first the first message's number
 */
export function reportsOf(count: number, perMessage: PerMessage, first: number): Report[] {
  return Array.from({ length: count }, (_, index) => ({
    series: 'work',
    message: first + Math.floor(index / perMessage),
    step: index % 3,
  }));
}

/** Returns a report as the worker gets it from its event source mapping: one webhook request, verified by ingest. */
export function queueRecord(report: Report): SQSRecord {
  const event = eventOf(report);
  const id = uuid(`request ${event.eventId}`);
  const body = envelopeOf(event, id);
  const sentAt = String(Date.parse(receivedAt(event)));
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

/** Returns a report as the publisher gets it: what the worker's write of it changed, with the message as it was and as it is. */
export function streamRecord(report: Report, place: number): DynamoDBRecord {
  const event = eventOf(report);
  const isFirst = report.step === 0;
  const record = {
    eventID: `record-${place}`,
    eventName: isFirst ? 'INSERT' : 'MODIFY',
    eventVersion: '1.1',
    dynamodb: {
      ApproximateCreationDateTime: new Date(receivedAt(event)),
      Keys: { pk: { S: messageKey(event.messageId) } },
      NewImage: itemAfter(report),
      ...(isFirst ? {} : { OldImage: itemAfter({ ...report, step: report.step - 1 }) }),
      SequenceNumber: String(place + 1).padStart(21, '0'),
      SizeBytes: 1000,
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    },
  } as const;
  return streamRecordOf(record, 'arn:aws:dynamodb:us-east-1:000000000000:table/history/stream/bench');
}

/** Returns the message's item once this report and those before it are stored. */
function itemAfter(report: Report): Item {
  const views = Array.from({ length: report.step + 1 }, (_, step) => {
    const event = eventOf({ ...report, step });
    return messageOf(event, receivedAt(event));
  });
  const [first, ...others] = views;
  if (first === undefined) throw new Error('a message without a report');
  const known = foldMessages([first, ...others]);
  const last = [...known.events.values()].at(-1)?.receivedAt ?? known.firstSeenAt;
  const expiresAt = expiryOf(last, settings.retentionDays);
  return messageItem(known, Uint8Array.of(1, 2, 3, 4, 5, 6), expiresAt, settings);
}
