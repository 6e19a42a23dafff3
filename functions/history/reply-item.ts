import { phoneKey } from '../../contract/phone/phone-key.ts';
import { defined } from '../runtime/basics.ts';
import {
  bytesIn,
  type HistorySettings,
  type Item,
  idOfKey,
  numberIn,
  replyDayKey,
  replyKey,
  replyPrefix,
  shardOf,
} from './history-item-store.ts';
import type { Reply, ReplyEntry, TimelineEntry } from './message.ts';
import {
  entriesOf,
  messageFromItem,
  numberAttributes,
  phoneOf,
  timeAttribute,
  wellFormed,
} from './message-item.ts';
import {
  isoOf,
  packEntry,
  packId,
  packNumber,
  UnreadableItemError,
  unpackEntry,
  unpackId,
  unpackNumber,
} from './packed.ts';

/**
 * Returns the item of a reply: its key, the version that counts, and the others as elements of `e`.
 *
 * - `n` the key of the sender, and `number` the spelling where that differs
 * - `l` the list of the replies of its day, `t` when it was sent, and `r` the milliseconds until it was received
 * - `i` the packed event id, `m` the packed id of the message, `o` the packed receiver, `x` the text, `z` the original
 * - `g` the generation; `id` the id where the key holds only its hash
 */
export function replyItem(
  { replyId, standing, superseded }: Reply,
  generation: Uint8Array,
  expiresAt: number,
  { worklistShards }: HistorySettings,
): Item {
  const { eventId, from, to, text, messageId, occurredAt, receivedAt, original } = standing;
  const wait = Date.parse(receivedAt) - Date.parse(occurredAt);
  return {
    pk: { S: replyKey(replyId) },
    ...(replyKey(replyId) !== replyPrefix + replyId && { id: { S: replyId.toWellFormed() } }),
    ...numberAttributes(from),
    ...(to !== undefined && { o: { B: packNumber(to) } }),
    x: { S: text.toWellFormed() },
    ...(messageId !== undefined && { m: { B: packId(messageId) } }),
    i: { B: packId(eventId) },
    t: timeAttribute(occurredAt),
    ...(wait !== 0 && { r: { N: String(wait) } }),
    ...(original !== undefined && { z: { S: original.toWellFormed() } }),
    l: { B: replyDayKey(occurredAt.slice(0, 10), shardOf(replyId, worklistShards)) },
    ...(superseded.size > 0 && {
      e: {
        L: [...superseded.values()].flatMap((entry) => [
          { B: packId(entry.eventId) },
          { S: packVersion(entry) },
        ]),
      },
    }),
    g: { B: generation },
    expiresAt: { N: String(expiresAt) },
  };
}

/** Replies have no status. */
const code = '-';

function packVersion({ from, to, text, messageId, occurredAt, receivedAt, original }: ReplyEntry): string {
  const fields = wellFormed({ f: from, o: to, x: text, m: messageId, z: original });
  return packEntry({ code, occurredAt, receivedAt, fields });
}

function unpackVersion(eventId: string, packed: string): ReplyEntry {
  const { occurredAt, receivedAt, fields } = unpackEntry(packed);
  const { f: from, o: to, x: text, m: messageId, z: original } = fields;
  return {
    eventId,
    from,
    text,
    occurredAt,
    receivedAt,
    ...defined({ messageId, to, original }),
  } as ReplyEntry;
}

/** @throws UnreadableItemError */
export function replyFromItem(item: Item): Reply {
  const from = phoneOf(item);
  const text = item.x?.S;
  if (from === undefined || text === undefined) throw new UnreadableItemError('item: no n or x');
  const occurred = numberIn(item, 't');
  const [to, messageId] = [item.o?.B && unpackNumber(item.o.B), item.m?.B && unpackId(item.m.B)];
  return {
    replyId: idOfKey(item, replyPrefix),
    standing: {
      eventId: unpackId(bytesIn(item, 'i')),
      from,
      text,
      occurredAt: isoOf(occurred),
      receivedAt: isoOf(occurred + (item.r === undefined ? 0 : numberIn(item, 'r'))),
      ...defined({ messageId, to, original: item.z?.S }),
    },
    superseded: entriesOf(item, unpackVersion),
  };
}

/** Reads the item of a message or a reply. @throws UnreadableItemError */
export function timelineEntryFromItem(item: Item): TimelineEntry {
  return item.pk?.S?.startsWith(replyPrefix) === true
    ? { kind: 'reply', reply: replyFromItem(item) }
    : { kind: 'message', message: messageFromItem(item) };
}

/** Returns the key of a number in the index byNumber. */
export const numberKey = (phone: string): Uint8Array => packNumber(phoneKey(phone));
