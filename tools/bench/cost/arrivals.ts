import type { QueueMessage } from '../../../functions/worker/read-batch.ts';
import { limits } from '../../../lib/props/limits.ts';
import { createRandom, shuffled } from '../../../local/sms-service/random.ts';
import { envelopeOf, eventOf, type Report, receivedAt, statuses, uuid } from '../reports.ts';

/** How the events of a message come in; in order: in batches of the default size. */
export type Arrival = 'in order' | 'one by one' | 'shuffled, twice' | 'in one batch';

export const eventsPerMessage = statuses.length;
/** No message's events are parted where they come in one batch. */
const fullBatch = 33 * eventsPerMessage;
const batchSizes = {
  'in order': limits.batchSize.preset,
  'one by one': 1,
  'shuffled, twice': fullBatch,
  'in one batch': fullBatch,
} as const satisfies Readonly<Record<Arrival, number>>;

/** Returns batches of queue messages, in the order in which the worker gets them. */
export function batchesOf(series: Arrival, messages: number): QueueMessage[][] {
  const random = createRandom(4);
  const ofMessage = Array.from({ length: messages }, (_, message) =>
    statuses.map((_status, step) => queueMessage({ series, message, step })),
  );
  const batchSize = batchSizes[series];
  if (series === 'in one batch') return inBatches(ofMessage.flat(), batchSize);
  const arrivals = ofMessage.map((events) =>
    series === 'shuffled, twice' ? shuffled([...events, ...events], random) : events,
  );
  // Round by round, so that no batch holds two events of one message.
  const rounds = Array.from({ length: Math.max(...arrivals.map(({ length }) => length)) }, (_, round) =>
    arrivals.flatMap((events) => events[round] ?? []),
  );
  return rounds.flatMap((round) => inBatches(round, batchSize));
}

function inBatches(queueMessages: readonly QueueMessage[], batchSize: number): QueueMessage[][] {
  const count = Math.ceil(queueMessages.length / batchSize);
  return Array.from({ length: count }, (_, index) =>
    queueMessages.slice(index * batchSize, (index + 1) * batchSize),
  );
}

function queueMessage(report: Report): QueueMessage {
  const event = eventOf(report);
  const id = uuid(`request ${event.eventId}`);
  const sentAt = Date.parse(receivedAt(event));
  return {
    messageId: id,
    receiptHandle: id,
    receiveCount: 1,
    body: envelopeOf(event, id),
    sentAt,
    firstReceivedAt: sentAt,
  };
}
