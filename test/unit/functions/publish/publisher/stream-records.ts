import type { DynamoDBRecord } from 'aws-lambda';
import { type CanonicalStatus, rankOf } from '../../../../../contract/schema/sms-event.ts';
import type { Item } from '../../../../../functions/history/item-keys.ts';
import type { Reply, StatusEntry } from '../../../../../functions/history/message.ts';
import { messageItem } from '../../../../../functions/history/message-item.ts';
import { replyItem } from '../../../../../functions/history/reply-item.ts';
import { streamRecordOf } from '../../../../../local/services/lambda/event-sources/stream-records.ts';

type Image = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;

const at = '2026-01-15T12:00:00.000Z';

/** A record of the stream; `number` is its sequence number. */
export function streamRecord(
  number: number,
  key: string,
  after?: Image,
  before?: Image,
  eventName: 'INSERT' | 'MODIFY' | 'REMOVE' = before === undefined ? 'INSERT' : 'MODIFY',
): DynamoDBRecord {
  return {
    eventID: `record-${number}`,
    eventName,
    dynamodb: {
      Keys: { pk: { S: key } },
      SequenceNumber: String(number),
      ...(after === undefined ? {} : { NewImage: after }),
      ...(before === undefined ? {} : { OldImage: before }),
    },
  };
}

/** Reports of a message in the order in which they arrive. Each of them changes the status. */
export const reportStatuses = ['accepted', 'queued', 'sent', 'failed', 'delivered', 'read'] as const;

/** An item as the stream shows it. */
function imageOf(item: Item): Image {
  const { dynamodb } = streamRecordOf({ dynamodb: { NewImage: item } }, 'arn');
  return dynamodb?.NewImage ?? {};
}

const generation = '010203040506';
const settings = { retentionDays: 1, listShards: 1 };

/** Returns the entry of a report. */
export function reportEntry(eventId: string, status: CanonicalStatus): StatusEntry {
  return { eventId, status, rank: rankOf(status), occurredAt: at, receivedAt: at };
}

/** A message's item after so many reports, and others, as the stream shows it. */
export function messageImage(messageId: string, reports: number, ...others: readonly StatusEntry[]): Image {
  const entries = [
    ...reportStatuses.slice(0, reports).map((status, index) => reportEntry(`e${index}`, status)),
    ...others,
  ];
  const events = new Map(entries.map((entry) => [entry.eventId, entry]));
  return imageOf(messageItem({ messageId, firstSeenAt: at, events }, generation, 7, settings));
}

/** The record of a message's nth report, the first being 1. */
export function messageRecord(number: number, messageId: string, nth: number): DynamoDBRecord {
  const before = nth === 1 ? undefined : messageImage(messageId, nth - 1);
  return streamRecord(number, `message#${messageId}`, messageImage(messageId, nth), before);
}

const replyText = { from: '+12025550143', occurredAt: at, receivedAt: at };

/** A reply with an older version, as its item is. */
export const reply: Reply = {
  replyId: 'r1',
  current: { ...replyText, eventId: 'e1', text: 'hello' },
  olderVersions: new Map([['e0', { ...replyText, eventId: 'e0', text: 'hi' }]]),
};

export const replyImage: Image = imageOf(replyItem(reply, generation, 7, settings));

export const optOutImage = (state: string): Image => ({
  phone: { S: '+12025550143' },
  state: { S: state },
  changedAt: { S: at },
  by: { S: 'person' },
  replyId: { S: 'r1' },
  statements: {
    L: [
      {
        M: {
          phone: { S: '+12025550143' },
          state: { S: state },
          at: { S: at },
          by: { S: 'person' },
          replyId: { S: 'r1' },
        },
      },
    ],
  },
});
