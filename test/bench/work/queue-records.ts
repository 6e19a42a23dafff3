import { createHash } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import { encodeEnvelope } from '../../../functions/core/envelope.ts';
import { recordOf } from '../../../local/event-source/record.ts';
import { uuid } from '../made-ids.ts';
import { type Report, receivedAt, statusEvent } from './reports.ts';

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
