import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import {
  entryValue,
  eventAttribute,
  expiryOf,
  type Item,
  messageAttributes,
  messageKey,
} from '../../../functions/adapters/history-items.ts';
import { foldMessages, type Message, messageOf } from '../../../functions/core/history/message.ts';
import { streamRecordOf } from '../../../local/event-source/stream-record.ts';
import { type Report, receivedAt, statusEvent } from './reports.ts';

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
