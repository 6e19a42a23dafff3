import type { SQSRecord } from 'aws-lambda';

/**
 * A queue message as Lambda gets it, received first when it was sent.
 *
 * @param firstReceivedAt milliseconds since the epoch
 */
export function queueRecord(id: string, receiveCount: number, firstReceivedAt: number, body = id): SQSRecord {
  return {
    messageId: id,
    receiptHandle: `handle-${id}`,
    body,
    attributes: {
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: String(firstReceivedAt),
      SenderId: 'x',
      ApproximateFirstReceiveTimestamp: String(firstReceivedAt),
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:queue',
    awsRegion: 'us-east-1',
  };
}
