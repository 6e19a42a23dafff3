import type { DynamoDBRecord } from 'aws-lambda';
import { HistoryRecordError, historyChange } from '../adapters/history-change.ts';
import type { PublishFailure } from '../adapters/publish-failures.ts';
import type { BusEvent } from '../core/bus/bus-event.ts';
import { historyEvents, type TellingSettings } from '../core/bus/history-events.ts';

/** One thing to be done for a record: an event to publish, or the ids of a record nobody can read to set aside. */
export type Step = {
  /** Place of the record in the batch. */
  readonly record: number;
} & (
  | {
      readonly event: BusEvent /** As a {@link PublishFailure} has it. */;
      readonly itemKey: string | undefined;
    }
  | { readonly unreadable: PublishFailure }
);

/**
 * What is to be done for a batch: a list for each item, in the order of the stream. Steps of one list are to be done one after
 * another, the lists do not wait for each other.
 */
export function readRecords(records: readonly DynamoDBRecord[], settings: TellingSettings): Step[][] {
  const lists = new Map<string, Step[]>();
  for (const [place, record] of records.entries()) {
    const steps = stepsOf(record, place, settings);
    if (steps.length === 0) continue;
    const item = record.dynamodb?.Keys?.pk?.S ?? `record ${place}`;
    lists.set(item, [...(lists.get(item) ?? []), ...steps]);
  }
  return [...lists.values()];
}

function stepsOf(record: DynamoDBRecord, place: number, settings: TellingSettings): Step[] {
  const itemKey = tellableKey(record);
  try {
    const change = historyChange(record);
    if (change === undefined) return [];
    return historyEvents(change, settings).map((event) => ({ record: place, event, itemKey }));
  } catch (error) {
    const unreadable: PublishFailure = {
      kind: 'record-unreadable',
      recordId: record.eventID,
      itemKey,
      error: describe(error),
    };
    return [{ record: place, unreadable }];
  }
}

/** The key of a message or reply; that of the register is a number. */
function tellableKey({ dynamodb }: DynamoDBRecord): string | undefined {
  const key = dynamodb?.Keys?.pk?.S;
  return key !== undefined && /^(?:message|reply)#/.test(key) ? key : undefined;
}

/** The message only of errors that are ours: others may quote what they were given. */
function describe(error: unknown): string {
  if (error instanceof HistoryRecordError) return `${error.name}: ${error.message}`;
  return error instanceof Error ? error.name : 'unknown';
}
