import type { DynamoDBRecord } from 'aws-lambda';
import { HistoryRecordError, historyChange } from '../adapters/history-change.ts';
import type { PublishFailure } from '../adapters/publish-failures.ts';
import type { BusEvent } from '../core/bus/bus-event.ts';
import { type HistoryChange, historyEvents, type TellingSettings } from '../core/bus/history-events.ts';

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

/** A batch of records, read. */
export interface ReadRecords {
  /**
   * What is to be done: a list for each item, in the order of the stream. Steps of one list are to be done one after another, the
   * lists do not wait for each other.
   */
  readonly lists: Step[][];
  /** What each record says of history, by its place in the batch; undefined where it says nothing that can be read. */
  readonly changes: readonly (HistoryChange | undefined)[];
}

export function readRecords(records: readonly DynamoDBRecord[], settings: TellingSettings): ReadRecords {
  const lists = new Map<string, Step[]>();
  const changes: (HistoryChange | undefined)[] = [];
  for (const [place, record] of records.entries()) {
    const { change, steps } = readRecord(record, place, settings);
    changes.push(change);
    if (steps.length === 0) continue;
    const item = record.dynamodb?.Keys?.pk?.S ?? `record ${place}`;
    lists.set(item, [...(lists.get(item) ?? []), ...steps]);
  }
  return { lists: [...lists.values()], changes };
}

function readRecord(
  record: DynamoDBRecord,
  place: number,
  settings: TellingSettings,
): { readonly change?: HistoryChange; readonly steps: Step[] } {
  const itemKey = tellableKey(record);
  try {
    const change = historyChange(record);
    if (change === undefined) return { steps: [] };
    const steps = historyEvents(change, settings).map((event) => ({ record: place, event, itemKey }));
    return { change, steps };
  } catch (error) {
    const unreadable: PublishFailure = {
      kind: 'record-unreadable',
      recordId: record.eventID,
      itemKey,
      error: describe(error),
    };
    return { steps: [{ record: place, unreadable }] };
  }
}

/** The key of a message, a reply or a day; that of the register is a number. */
function tellableKey({ dynamodb }: DynamoDBRecord): string | undefined {
  const key = dynamodb?.Keys?.pk?.S;
  return key !== undefined && /^(?:message|reply|drift)#/.test(key) ? key : undefined;
}

/** The message only of errors that are ours: others may quote what they were given. */
function describe(error: unknown): string {
  if (error instanceof HistoryRecordError) return `${error.name}: ${error.message}`;
  return error instanceof Error ? error.name : 'unknown';
}
