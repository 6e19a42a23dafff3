import type { DynamoDBRecord } from 'aws-lambda';
import { rankOf } from '../../../../contract/schema/sms-event.ts';

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

/** A message's item after so many reports, as the stream shows it. */
export function messageImage(messageId: string, reports: number): Image {
  const events = reportStatuses.slice(0, reports).map((status, index) => [
    `event#e${index}`,
    {
      M: {
        status: { S: status },
        rank: { N: String(rankOf(status)) },
        occurredAt: { S: at },
        receivedAt: { S: at },
      },
    },
  ]);
  return {
    pk: { S: `message#${messageId}` },
    messageId: { S: messageId },
    firstSeenAt: { S: at },
    final: { BOOL: false },
    ...Object.fromEntries(events),
  };
}

/** The record of a message's nth report, the first being 1. */
export function messageRecord(number: number, messageId: string, nth: number): DynamoDBRecord {
  const before = nth === 1 ? undefined : messageImage(messageId, nth - 1);
  return streamRecord(number, `message#${messageId}`, messageImage(messageId, nth), before);
}

export const replyImage: Image = {
  replyId: { S: 'r1' },
  eventId: { S: 'e1' },
  from: { S: '+12025550143' },
  text: { S: 'hello' },
  occurredAt: { S: at },
  receivedAt: { S: at },
};

export const optOutImage = (state: string): Image => ({
  number: { S: '+12025550143' },
  state: { S: state },
  changedAt: { S: at },
  replyId: { S: 'r1' },
});
