import { decodeEnvelope, encodeEnvelope } from '../../../../../functions/receive/envelope.ts';
import type { ParkedDependencies } from '../../../../../functions/receive/worker/parked-requests.ts';
import type { QueueMessage, Received } from '../../../../../functions/receive/worker/read-batch.ts';

export const receivedAt = '2026-01-15T12:00:10.000Z';

/** A queue message as SQS delivers it for the first time. */
export function queueMessage(messageId: string, body: string): QueueMessage {
  const sentAt = Date.parse(receivedAt);
  return {
    messageId,
    receiptHandle: `receipt-${messageId}`,
    receiveCount: 1,
    body,
    sentAt,
    firstReceivedAt: sentAt,
  };
}

/** A queue message with a verified request. */
export function queued(messageId: string, body: unknown, signedId = `evt_${messageId}`): QueueMessage {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const envelope = { requestId: `req_${messageId}`, receivedAt, signedId, body: bytes };
  return queueMessage(messageId, encodeEnvelope(envelope));
}

function unexpected(): never {
  throw new Error('this batch has no parked requests');
}

/** For a batch without parked requests. */
export const noneParked: ParkedDependencies = {
  verify: unexpected,
  state: { read: unexpected },
  secret: { read: unexpected },
  harmlessHeaders: [],
  visibility: { change: unexpected },
  log: unexpected,
  count: unexpected,
};

export function read(message: QueueMessage): Received {
  return { queueMessage: message, envelope: decodeEnvelope(message.body) };
}
