import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { phoneKey } from '../../contract/phone/phone-key.ts';
import { outcomeOf, rankOf } from '../../contract/schema/sms-event.ts';
import { defined } from '../runtime/basics.ts';
import {
  bytesIn,
  type HistorySettings,
  type Item,
  idOfKey,
  messageKey,
  messagePrefix,
  numberIn,
  pendingPrefix,
  sendKey,
  sendOfKey,
  shardOf,
} from './history-item-store.ts';
import { decidingEntry, isFinal, type Message, type StatusEntry } from './message.ts';
import {
  codeOf,
  isoOf,
  packEntry,
  packId,
  packNumber,
  statusOf,
  UnreadableItemError,
  unpackEntry,
  unpackId,
  unpackNumber,
  wordCode,
} from './packed.ts';

/**
 * The attributes of a message besides its key. What is absent follows from the key or from another attribute.
 *
 * - `n` the key of the number, and `number` its spelling where that differs
 * - `l` the list of its send: the packed id and a shard; `send` is the id where `l` holds only its hash
 * - `t` when it was first seen, milliseconds since 1970
 * - `w` the rank and time of the report that decides, as one number
 * - `e` its reports, each as two elements: the packed event id and the packed entry
 * - `g` the generation; `id` the id where the key holds only its hash
 * - `worklist`, `listedAt` only while the message has failed, or the sweep has listed it as pending
 *
 * @param isListedPending whether it is listed as pending, if it has no final status
 */
export function messageItem(
  message: Message,
  generation: Uint8Array,
  expiresAt: number,
  settings: HistorySettings,
  isListedPending = false,
): Item {
  const isPending = isListedPending && !isFinal(decidingEntry(message));
  const shard = shardOf(message.messageId, settings.worklistShards);
  return {
    pk: { S: messageKey(message.messageId) },
    ...stateAttributes(message, settings),
    ...(isPending && { worklist: { S: `${pendingPrefix}${shard}` }, listedAt: { S: message.firstSeenAt } }),
    t: timeAttribute(message.firstSeenAt),
    e: { L: reportElements(message.events.values()) },
    g: { B: generation },
    expiresAt: { N: String(expiresAt) },
  };
}

/** Returns the attributes that follow from what is known of a message: without its time, reports and version, and the list of pending messages. */
export function stateAttributes(message: Message, { worklistShards }: HistorySettings): Item {
  const { messageId, phone, sendId } = message;
  const deciding = decidingEntry(message);
  const shard = shardOf(messageId, worklistShards);
  const outcome = outcomeOf(deciding.rank);
  return {
    ...(messageKey(messageId) !== messagePrefix + messageId && { id: { S: messageId.toWellFormed() } }),
    ...(phone !== undefined && numberAttributes(phone)),
    ...(sendId !== undefined && sendAttributes(sendId, shard)),
    w: { N: String(weightOf(deciding)) },
    ...(outcome === 'failure' && {
      worklist: { S: `failed#${deciding.occurredAt.slice(0, 10)}#${shard}` },
      listedAt: { S: deciding.occurredAt },
    }),
  };
}

/** The number's key, and its spelling where that differs. */
export function numberAttributes(phone: string): Item {
  const key = phoneKey(phone);
  return { n: { B: packNumber(key) }, ...(phone !== key && { number: { S: phone.toWellFormed() } }) };
}

/** Returns the spelling of the number of an item. */
export function phoneOf({ n, number }: Item): string | undefined {
  return number?.S ?? (n?.B === undefined ? undefined : unpackNumber(n.B));
}

function sendAttributes(sendId: string, shard: number): Item {
  const key = sendKey(sendId, shard);
  return { l: { B: key }, ...(sendOfKey(key) !== sendId && { send: { S: sendId.toWellFormed() } }) };
}

/** Ten times what milliseconds since 1970 reach in the year 2286. */
const rankWeight = 1e13;

/** Returns a number that is the greater the more a report decides. Reports of one rank and time have the same. */
export function weightOf({ rank, occurredAt }: Pick<StatusEntry, 'rank' | 'occurredAt'>): number {
  return rank * rankWeight + Math.min(Math.max(Date.parse(occurredAt), 0), rankWeight - 1);
}

export function timeAttribute(iso: string): AttributeValue.NMember {
  return { N: String(Date.parse(iso)) };
}

/** Each report has two elements in the list. */
export const elementsPerReport = 2;

/** Returns reports as elements of `e`. */
export function reportElements(entries: Iterable<StatusEntry>): AttributeValue[] {
  return [...entries].flatMap((entry) => [{ B: packId(entry.eventId) }, { S: packReport(entry) }]);
}

function packReport({
  status,
  rank,
  word,
  errorCode,
  errorReason,
  errorText,
  original,
  ...times
}: StatusEntry): string {
  const code = codeOf(status, rank);
  const texts = { w: word, c: errorCode, y: errorReason, x: errorText, z: original };
  const fields = { ...(code === wordCode && { s: status, k: rank }), ...texts };
  const { occurredAt, receivedAt } = times;
  return packEntry({ code, occurredAt, receivedAt, fields: wellFormed(fields) });
}

function unpackReport(eventId: string, packed: string): StatusEntry {
  const { code, occurredAt, receivedAt, fields } = unpackEntry(packed);
  const { s, k, w: word, c: errorCode, y: errorReason, x: errorText, z: original } = fields;
  const status = code === wordCode ? s : statusOf(code);
  const rank = code === wordCode ? k : rankOf(statusOf(code));
  const texts = defined({ word, errorCode, errorReason, errorText, original });
  return { eventId, status, rank, ...texts, occurredAt, receivedAt } as StatusEntry;
}

/** Leaves out what is undefined, and replaces lone surrogates by U+FFFD, because DynamoDB keeps UTF-8 only. */
export function wellFormed(
  fields: Readonly<Record<string, string | number | undefined>>,
): Record<string, string | number> {
  const entries = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [[name, typeof value === 'string' ? value.toWellFormed() : value] as const];
  });
  return Object.fromEntries(entries);
}

/** @throws UnreadableItemError */
export function messageFromItem(item: Item): Message {
  const sendId = sendIdOf(item);
  const events = entriesOf(item, unpackReport);
  if (events.size === 0) throw new UnreadableItemError('a message without a report');
  return {
    messageId: idOfKey(item, messagePrefix),
    ...defined({ phone: phoneOf(item), sendId }),
    firstSeenAt: isoOf(numberIn(item, 't')),
    events,
  };
}

/** Reads the send of a message, also where its reports cannot be read. @throws UnreadableItemError */
export function sendIdOf({ l, send }: Item): string | undefined {
  return send?.S ?? (l?.B === undefined ? undefined : sendOfKey(l.B));
}

/** Reads the pairs of `e`. */
export function entriesOf<E>({ e }: Item, unpack: (eventId: string, packed: string) => E): Map<string, E> {
  const elements = e?.L ?? [];
  const entries = new Map<string, E>();
  for (let index = 0; index < elements.length; index += elementsPerReport) {
    const eventId = unpackId(bytesIn({ id: elements[index] ?? { NULL: true } }, 'id'));
    const packed = elements[index + 1]?.S;
    if (packed === undefined) throw new UnreadableItemError('an event id without its entry');
    entries.set(eventId, unpack(eventId, packed));
  }
  return entries;
}
