import type { DynamoDBRecord } from 'aws-lambda';
import type { DriftDay } from '../../../contract/drift/drift-watch.ts';
import { canonicalStatuses, unmappedRank } from '../../../contract/schema/sms-event.ts';
import { type Count, type MetricName, reportMetrics } from '../../base/metrics.ts';
import {
  compareEntries,
  countingStatements,
  decidingEntry,
  driftDayFromItem,
  driftPrefix,
  HistoryRecordError,
  hasConflict,
  type Item,
  itemOfImage,
  type Message,
  mapsUnder,
  messageFromItem,
  messagePrefix,
  mismatchPrefix,
  type OptOutStatement,
  optOutPrefix,
  quietAttribute,
  replyFromItem,
  replyPrefix,
  requireTexts,
  type StatusEntry,
  staleEventId,
  statementsFromItem,
} from '../../history/index.ts';
import type { BusEvent } from '../bus/details.ts';
import {
  type Change,
  driftEvents,
  messageEvents,
  optOutEvents,
  type PublishOptions,
  replyEvents,
} from './history-events.ts';

/** A kind of item in the history table whose changes are published. */
export interface ItemKind<T> {
  /** The start of its keys. */
  readonly prefix: string;
  /** Whether its keys hold phone numbers, which must not leave the table. */
  readonly isKeyPersonal: boolean;
  /** @throws UnreadableItemError for an item that this pipeline does not write */
  read(item: Item): T;
  /** Returns the events of one write, in the order in which they are published. */
  events(change: Change<T>, options: PublishOptions): BusEvent[];
  /** Counts the reports that a write added. */
  count?(change: Change<T>, count: Count): void;
}

/** The beginnings of the keys of all published kinds: the filter of the table's stream. */
export const publishedPrefixes = [messagePrefix, replyPrefix, optOutPrefix, driftPrefix] as const;

/** All published kinds; a new kind is added here, and its prefix above. */
export const itemKinds: readonly ItemKind<unknown>[] = [
  {
    prefix: messagePrefix,
    isKeyPersonal: false,
    read: messageFromItem,
    events: messageEvents,
    count: countReports,
  },
  { prefix: replyPrefix, isKeyPersonal: false, read: replyFromItem, events: replyEvents },
  { prefix: optOutPrefix, isKeyPersonal: true, read: readOptOut, events: optOutEvents },
  { prefix: driftPrefix, isKeyPersonal: false, read: readDrift, events: driftEvents },
];

/** A change of an item, with the item's kind. */
export interface RecordChange {
  readonly itemKind: ItemKind<unknown>;
  readonly change: Change<unknown>;
}

/**
 * Reads a record of the history table's stream, which must hold new and old images.
 *
 * @returns undefined for changes that are not published: deletions (by erasure or age), quiet writes and items of other kinds
 * @throws UnreadableItemError
 */
export function readChange({ eventName, dynamodb }: DynamoDBRecord): RecordChange | undefined {
  if (eventName !== 'INSERT' && eventName !== 'MODIFY') return undefined;
  const key = dynamodb?.Keys?.pk?.S;
  if (key === undefined) throw new HistoryRecordError('no key');
  const kind = kindOf(key);
  if (kind === undefined) return undefined;
  const { OldImage: before, NewImage: after } = dynamodb ?? {};
  if (after === undefined) throw new HistoryRecordError('no new image');
  if (after[quietAttribute]?.BOOL === true) return undefined;
  return {
    itemKind: kind,
    change: { before: before && kind.read(itemOfImage(before)), after: kind.read(itemOfImage(after)) },
  };
}

/** Returns the key of a record's item; undefined if it holds a phone number. */
export function publicKeyOf({ dynamodb }: DynamoDBRecord): string | undefined {
  const key = dynamodb?.Keys?.pk?.S;
  const kind = key === undefined ? undefined : kindOf(key);
  return kind === undefined || kind.isKeyPersonal ? undefined : key;
}

function kindOf(key: string): ItemKind<unknown> | undefined {
  return itemKinds.find(({ prefix }) => key.startsWith(prefix));
}

const mismatchTexts = ['kind', 'field', 'expected', 'found', 'shape', 'foundAt'];

function readOptOut(item: Item): readonly OptOutStatement[] {
  requireTexts(item, ['phone', 'changedAt', 'by'], 'item');
  if (item.state?.S !== 'out' && item.state?.S !== 'in')
    throw new HistoryRecordError('item: state must be one of: out, in');
  if (item.statements?.L === undefined) throw new HistoryRecordError('item: no list in statements');
  return countingStatements(statementsFromItem(item));
}

function readDrift(item: Item): DriftDay {
  requireTexts(item, ['day'], 'item');
  for (const mismatch of mapsUnder(item, mismatchPrefix)) requireTexts(mismatch, mismatchTexts, 'mismatch');
  return driftDayFromItem(item);
}

/**
 * Counts the new reports of a message by status, those that were too late to decide the status, and messages that became contradictory.
 * The publisher counts them, because most writes of the worker do not read the message before. The sweep's own report is not counted.
 */
function countReports({ before, after }: Change<Message>, count: Count): void {
  const added = [...after.events.values()].filter(
    ({ eventId }) => eventId !== staleEventId && before?.events.has(eventId) !== true,
  );
  for (const entry of added) count(metricOf(entry));
  if (hasConflict(after) && !(before && hasConflict(before))) count('conflicting');
  if (before === undefined) return;
  const deciding = decidingEntry(before);
  const late = added.filter((entry) => compareEntries(entry, deciding) < 0);
  if (late.length > 0) count('superseded', late.length);
}

function metricOf({ status, rank }: StatusEntry): MetricName {
  const canonical = canonicalStatuses.find((one) => one === status);
  return canonical === undefined || rank === unmappedRank ? 'reportsUnmapped' : reportMetrics[canonical];
}
