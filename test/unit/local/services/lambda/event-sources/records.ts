import type { ReadRecord } from '../../../../../../local/services/lambda/event-sources/stream-batch.ts';

/** A record that was read at second 0. */
export function readRecord(sequenceNumber: string, readAt = 0): ReadRecord {
  return {
    sequenceNumber,
    readAt,
    record: { eventID: `event-${sequenceNumber}`, dynamodb: { SequenceNumber: sequenceNumber } },
  };
}
