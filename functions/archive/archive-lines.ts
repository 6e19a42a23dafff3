import { createHash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Item, messagePrefix } from '../history/history-item-store.ts';
import {
  foldMessages,
  foldReplies,
  type Message,
  type Reply,
  type TimelineEntry,
} from '../history/message.ts';
import { messageFromItem } from '../history/message-item.ts';
import { replyFromItem } from '../history/reply-item.ts';

/**
 * The objects of the archive (docs/reference/data-model.md, "Archive"). Those of `items` hold messages and replies, by the hash of the number's key, so
 * that a timeline and an erasure need one object a month. Those of `ids` say in which of them an id is. The month is the one in
 * which the worker noted the item. An item that was noted in two months is in both, and {@link foldCopies} joins the copies.
 */
export type ObjectKind = 'items' | 'ids';

/** One byte of a hash, as two hex digits. */
const shardDigits = 2;

const hashByte = (bytes: string | Uint8Array) =>
  createHash('sha256').update(bytes).digest('hex').slice(0, shardDigits);

/** Returns the shard of the items of a number. @param number the packed key of a number, or no byte without a number */
export const shardOfNumber = (number: Uint8Array): string => hashByte(number);

/** Returns the shard of an id. @param pk the key of the item in the history table */
export const shardOfId = (pk: string): string => hashByte(pk);

/** Returns the name of an object. @param month yyyy-mm, in UTC */
export const objectName = (kind: ObjectKind, month: string, shard: string): string =>
  `${kind}/${month}/${shard}.jsonl.gz`;

const monthLength = 'yyyy-mm'.length;

/** Returns the month of a time in ISO 8601 in UTC. */
export const monthOf = (iso: string): string => iso.slice(0, monthLength);

/** An item in the archive. */
export interface ArchivedItem {
  readonly pk: string;
  /** The packed key of its number; no byte without a number. */
  readonly number: Uint8Array;
  readonly item: Item;
}

/** Where copies of an item may be in a month. */
export interface ArchivedId {
  readonly pk: string;
  readonly shards: readonly string[];
}

/** What only the table needs: it is about expiry and lists. */
const leftOut: ReadonlySet<string> = new Set(['pk', 'expiresAt', 'worklist', 'listedAt']);

/** Returns an item of the history table as the archive keeps it. */
export function archivedItem(item: Item): ArchivedItem {
  const kept = Object.entries(item).filter(([name]) => !leftOut.has(name));
  return { pk: item.pk?.S ?? '', number: item.n?.B ?? new Uint8Array(), item: Object.fromEntries(kept) };
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

export function itemLine({ pk, number, item }: ArchivedItem): string {
  return JSON.stringify([base64(number), pk, withTextBytes({ M: item }).M]);
}

export function readItemLine(line: string): ArchivedItem {
  const [number, pk, item] = JSON.parse(line) as [string, string, Record<string, TextValue>];
  return { pk, number: Buffer.from(number, 'base64'), item: { pk: { S: pk }, ...withBytes({ M: item }).M } };
}

/** Returns the beginning of the lines of a number, by which they are found without reading the others. */
export const numberMark = (number: Uint8Array): string => `["${base64(number)}",`;

export function idLine({ pk, shards }: ArchivedId): string {
  return JSON.stringify([pk, shards]);
}

export function readIdLine(line: string): ArchivedId {
  const [pk, shards] = JSON.parse(line) as [string, string[]];
  return { pk, shards };
}

/** Returns the beginning of the line of an id. */
export const idMark = (pk: string): string => `[${JSON.stringify(pk)},`;

/** A value of DynamoDB whose bytes are base64. */
interface TextValue {
  readonly B?: string;
  readonly L?: readonly TextValue[];
  readonly M?: Readonly<Record<string, TextValue>>;
}

function withTextBytes(value: AttributeValue): TextValue {
  if (value.B !== undefined) return { B: base64(value.B) };
  if (value.L !== undefined) return { L: value.L.map(withTextBytes) };
  if (value.M !== undefined) return { M: mapped(value.M, withTextBytes) };
  return value as TextValue;
}

function withBytes(value: TextValue): AttributeValue {
  if (value.B !== undefined) return { B: Uint8Array.from(Buffer.from(value.B, 'base64')) };
  if (value.L !== undefined) return { L: value.L.map(withBytes) };
  if (value.M !== undefined) return { M: mapped(value.M, withBytes) };
  return value as AttributeValue;
}

function mapped<A, B>(values: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

/** Joins copies of one message. @param copies items with one key, at least one */
export function foldMessageCopies(copies: readonly Item[]): Message | undefined {
  const [first, ...others] = copies.map(messageFromItem);
  return first && foldMessages([first, ...others]);
}

/** Joins copies of one reply. */
export function foldReplyCopies(copies: readonly Item[]): Reply | undefined {
  const [first, ...others] = copies.map(replyFromItem);
  return first && foldReplies([first, ...others]);
}

/** Joins copies of one item, of the table and of the archive, whatever their order. */
export function foldCopies(copies: readonly Item[]): TimelineEntry | undefined {
  if (copies[0]?.pk?.S?.startsWith(messagePrefix) === true) {
    const message = foldMessageCopies(copies);
    return message && { kind: 'message', message };
  }
  const reply = foldReplyCopies(copies);
  return reply && { kind: 'reply', reply };
}
