import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord, AttributeValue as StreamValue } from 'aws-lambda';
import type { DriftDay } from '../../contract/drift/drift-watch.ts';
import type { BusEvent } from '../bus/details.ts';
import type { PublishFailure } from '../bus/event-bus-client.ts';
import { driftDayFromItem } from '../contract-drift/drift-store.ts';
import { type Item, messageFromItem, replyFromItem } from '../history/history-item-store.ts';
import type { Message, Reply } from '../history/message.ts';
import { type OptOutChange, optOutChangeFromItem } from '../opt-out/opt-out-store.ts';
import { type HistoryChange, historyEvents, type PublishOptions } from './history-events.ts';

/** Thrown for a stream record that is not what this pipeline writes; the message names attributes, never what they hold. */
export class HistoryRecordError extends Error {
  override readonly name = 'HistoryRecordError';
}

/**
 * Reads a record of the history table's stream, which must hold new and old images.
 *
 * @returns undefined for what nobody is told of: deletions (by erasure or age) and items of other kinds
 * @throws HistoryRecordError
 */
export function historyChange({ eventName, dynamodb }: DynamoDBRecord): HistoryChange | undefined {
  if (eventName !== 'INSERT' && eventName !== 'MODIFY') return undefined;
  const key = dynamodb?.Keys?.pk?.S;
  if (key === undefined) throw new HistoryRecordError('no key');
  const images = { before: dynamodb?.OldImage, after: dynamodb?.NewImage };
  if (key.startsWith('message#')) return { kind: 'message', ...read(images, readMessage) };
  if (key.startsWith('reply#')) return { kind: 'reply', ...read(images, readReply) };
  if (key.startsWith('optout#')) return { kind: 'opt-out', ...read(images, readOptOut) };
  if (key.startsWith('drift#')) return { kind: 'drift', ...read(images, readDrift) };
  return undefined;
}

type Image = Readonly<Record<string, StreamValue>>;

interface Images {
  readonly before: Image | undefined;
  readonly after: Image | undefined;
}

function read<T>({ before, after }: Images, parse: (item: Item) => T): { before: T | undefined; after: T } {
  if (after === undefined) throw new HistoryRecordError('no new image');
  return {
    before: before === undefined ? undefined : parse(itemOf(before)),
    after: parse(itemOf(after)),
  };
}

const reportTexts = ['status', 'occurredAt', 'receivedAt'];
const noveltyTexts = ['kind', 'field', 'expected', 'found', 'shape', 'foundAt'];
const replyTexts = ['from', 'text', 'occurredAt', 'receivedAt'];

function readMessage(item: Item): Message {
  requireTexts(item, ['messageId', 'firstSeenAt'], 'item');
  const events = eventsOf(item);
  if (events.length === 0) throw new HistoryRecordError('a message without a report');
  for (const event of events) {
    requireTexts(event, reportTexts, 'report');
    if (event.rank?.N === undefined) throw new HistoryRecordError('report: no number in rank');
  }
  return messageFromItem(item);
}

function readReply(item: Item): Reply {
  requireTexts(item, ['replyId', 'eventId', ...replyTexts], 'item');
  for (const event of eventsOf(item)) requireTexts(event, replyTexts, 'version');
  return replyFromItem(item);
}

function readOptOut(item: Item): OptOutChange {
  requireTexts(item, ['number', 'changedAt', 'replyId'], 'item');
  if (item.state?.S !== 'out' && item.state?.S !== 'in')
    throw new HistoryRecordError('item: state is none of out, in');
  return optOutChangeFromItem(item);
}

function readDrift(item: Item): DriftDay {
  requireTexts(item, ['day'], 'item');
  for (const novelty of valuesOf(item, 'novelty#')) requireTexts(novelty, noveltyTexts, 'novelty');
  return driftDayFromItem(item);
}

function eventsOf(item: Item): Item[] {
  return valuesOf(item, 'event#');
}

function valuesOf(item: Item, prefix: string): Item[] {
  return Object.entries(item)
    .filter(([name]) => name.startsWith(prefix))
    .map(([, value]) => value.M ?? {});
}

function requireTexts(item: Item, names: readonly string[], what: string): void {
  for (const name of names)
    if (item[name]?.S === undefined) throw new HistoryRecordError(`${what}: no text in ${name}`);
}

function itemOf(image: Image): Item {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, attributeOf(value)]));
}

/** Lambda writes a stream's values as the SDK does, except for binary ones, which the history has none of. */
function attributeOf({ S, N, BOOL, NULL, M, L }: StreamValue): AttributeValue {
  if (S !== undefined) return { S };
  if (N !== undefined) return { N };
  if (BOOL !== undefined) return { BOOL };
  if (M !== undefined) return { M: itemOf(M) };
  if (L !== undefined) return { L: L.map(attributeOf) };
  if (NULL !== undefined) return { NULL };
  throw new HistoryRecordError('a value of a kind the history does not use');
}

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

export function readRecords(records: readonly DynamoDBRecord[], settings: PublishOptions): ReadRecords {
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
  settings: PublishOptions,
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
