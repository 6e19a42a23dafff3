import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord, AttributeValue as StreamValue } from 'aws-lambda';
import type { HistoryChange } from '../core/bus/history-events.ts';
import type { DriftDay } from '../core/drift/novelty.ts';
import type { Message } from '../core/history/message.ts';
import type { Reply } from '../core/history/reply.ts';
import type { OptOutChange } from '../core/opt-out/opt-out.ts';
import { driftDayFromItem } from './drift-register.ts';
import { type Item, messageFromItem, replyFromItem } from './history-items.ts';
import { optOutChangeFromItem } from './opt-out-register.ts';

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
