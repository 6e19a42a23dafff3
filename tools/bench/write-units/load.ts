import { createHash } from 'node:crypto';
import { encodeEnvelope } from '../../../functions/webhook/envelope.ts';
import type { QueueMessage } from '../../../functions/worker/read-batch.ts';
import { createRandom, shuffled } from '../../../local/sms-service/random.ts';

/** How the events of a message come in. */
export type Arrival = 'in order' | 'shuffled, twice' | 'in one batch';

export interface Load {
  /** Makes the ids of one load different from those of another. */
  readonly name: Arrival;
  readonly messages: number;
}

export const eventsPerMessage = 3;
const statuses = ['queued', 'sent', 'delivered'] as const;
const messagesPerSend = 1000;
/** So that no message's events are parted where they come in one batch. */
const batchSize = 33 * eventsPerMessage;
const begin = Date.parse('2026-01-15T12:00:00.000Z');

/** Batches of queue messages, in the order in which the worker gets them; ids and times are as long as real ones. */
export function batchesOf({ name, messages }: Load): QueueMessage[][] {
  const random = createRandom(4);
  const ofMessage = Array.from({ length: messages }, (_, message) =>
    statuses.map((_status, step) => queueMessage(name, message, step)),
  );
  if (name === 'in one batch') return inBatches(ofMessage.flat());
  const arrivals = ofMessage.map((events) =>
    name === 'in order' ? events : shuffled([...events, ...events], random),
  );
  // Round by round, so that no batch holds two events of one message.
  const rounds = Array.from({ length: Math.max(...arrivals.map(({ length }) => length)) }, (_, round) =>
    arrivals.flatMap((events) => events[round] ?? []),
  );
  return rounds.flatMap(inBatches);
}

function inBatches(queueMessages: readonly QueueMessage[]): QueueMessage[][] {
  const count = Math.ceil(queueMessages.length / batchSize);
  return Array.from({ length: count }, (_, index) =>
    queueMessages.slice(index * batchSize, (index + 1) * batchSize),
  );
}

function queueMessage(name: Arrival, message: number, step: number): QueueMessage {
  const occurredAt = begin + message * 37 + step * 2113;
  const receivedAt = occurredAt + 431;
  const body = {
    type: 'sms.status',
    timestamp: new Date(occurredAt + 300).toISOString(),
    data: {
      id: uuid(`${name} message ${message}`),
      send_id: uuid(`${name} send ${Math.floor(message / messagesPerSend)}`),
      to: `+120255501${String(message % 100).padStart(2, '0')}`,
      status: statuses[step],
      occurred_at: new Date(occurredAt).toISOString(),
    },
  };
  const id = uuid(`${name} request ${message} ${step}`);
  const envelope = {
    requestId: id,
    receivedAt: new Date(receivedAt).toISOString(),
    signedId: `msg_${digest(id).slice(0, 27)}`,
    body: Buffer.from(JSON.stringify(body)),
  };
  return {
    messageId: id,
    receiptHandle: id,
    receiveCount: 1,
    body: encodeEnvelope(envelope),
    sentAt: receivedAt,
    firstReceivedAt: receivedAt,
  };
}

/** Always the same for the same text. */
function uuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
