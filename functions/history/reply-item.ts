import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { serviceIds } from '../../contract/events/source-id.ts';
import { omitUndefined } from '../base/basics.ts';
import {
  type HistorySettings,
  type Item,
  listKey,
  numberKey,
  repliesList,
  replyKey,
  replyPrefix,
  sharedRepliesList,
  textIn,
  UnreadableItemError,
} from './item-keys.ts';
import {
  firstReceiptOf,
  listedTime,
  type Reply,
  type ReplyEntry,
  replyFrom,
  type TimelineEntry,
  versionsOf,
} from './message.ts';
import { idIn, importedByIds, messageFromItem, phoneAttributes, wellFormed } from './message-item.ts';

/** The names of the attributes that hold a reply's other versions begin with this, and end with the id of the version's event. */
const versionPrefix = 'version#';

/** A version of a reply as a map. */
type StoredVersion = Omit<ReplyEntry, 'eventId' | 'occurredAt' | 'copies'> & { readonly at: string };

/** Returns the item of a reply: the version that counts in words, its keys in the indexes, and one map for each other version. */
export function replyItem(
  reply: Reply,
  generation: string,
  expiresAt: number,
  settings: Pick<HistorySettings, 'listShards'>,
): Item {
  const { replyId, olderVersions } = reply;
  const { copies, ...current } = reply.current;
  const listedAt = listedTime(current);
  const numbers = new Set([...versionsOf(reply).values()].map(({ from }) => numberKey(from)));
  return {
    pk: { S: replyKey(replyId) },
    ...importAttribute(reply),
    ...(copies && { copies: { L: copies.map(versionMap) } }),
    ...wellFormed({
      ...serviceIds({ ...current, replyId }),
      phone: phoneAttributes(current.from).phone,
      firstSeenAt: firstReceiptOf(reply),
      listName: listKey(repliesList(listedAt.slice(0, 10)), replyId, settings),
      listedAt,
      sendList: numbers.size > 1 ? sharedRepliesList : undefined,
    }),
    ...Object.fromEntries(
      [...olderVersions.values()].map((entry) => [
        versionPrefix + entry.eventId.toWellFormed(),
        versionMap(entry),
      ]),
    ),
    generation: { S: generation },
    expiresAt: { N: String(expiresAt) },
  };
}

/** Returns the imports that a reply has versions of, in the form in which a message has them. */
function importAttribute(reply: Reply): Item {
  const versions = [...versionsOf(reply).values()];
  const ids = versions.flatMap(({ importIds = [], copies = [] }) => [
    ...importIds,
    ...copies.flatMap((copy) => copy.importIds ?? []),
  ]);
  return ids.length === 0 ? {} : importedByIds(ids);
}

function versionMap({ eventId: _, occurredAt, copies, ...entry }: ReplyEntry): AttributeValue {
  const version: StoredVersion = { ...serviceIds(entry), at: occurredAt };
  return { M: { ...wellFormed(version), ...(copies && { copies: { L: copies.map(versionMap) } }) } };
}

/** @throws UnreadableItemError */
export function replyFromItem(item: Item): Reply {
  const olderVersions = new Map(
    Object.entries(item).flatMap(([name, value]) => {
      if (!name.startsWith(versionPrefix)) return [];
      const eventId = name.slice(versionPrefix.length);
      return [[eventId, entryFrom(item, value.M ?? {}, eventId, 'at')] as const];
    }),
  );
  const replyId = idIn(item, textIn(item, 'replyId'));
  if (item.parts !== undefined) {
    if (olderVersions.size === 0) throw new UnreadableItemError('a reply of parts without a part');
    return replyFrom(replyId, olderVersions);
  }
  return { replyId, current: entryFrom(item, item, textIn(item, 'eventId'), 'occurredAt'), olderVersions };
}

/** @param map the item, or one of its maps @param timeName the attribute that holds when the reply was sent */
function entryFrom(item: Item, map: Item, eventId: string, timeName: 'occurredAt' | 'at'): ReplyEntry {
  return {
    eventId,
    from: textIn(map, 'from'),
    text: textIn(map, 'text'),
    occurredAt: textIn(map, timeName),
    receivedAt: textIn(map, 'receivedAt'),
    ...omitUndefined({
      to: map.to?.S,
      messageId: map.messageId?.S && idIn(item, map.messageId.S),
      original: map.original?.S,
      channel: map.channel?.S,
    }),
    ...readDetails(map),
    ...(map.copies !== undefined && {
      copies: (map.copies.L ?? []).map(({ M = {} }) => entryFrom(item, M, eventId, 'at')),
    }),
  };
}

/** Reads the attributes of a version that need no conversion. */
function readDetails({ media, optOut, part, timeIs, unread, origin, importIds }: Item): Partial<ReplyEntry> {
  return unmarshall(omitUndefined({ media, optOut, part, timeIs, unread, origin, importIds }));
}

/** Reads the item of a message or a reply. @throws UnreadableItemError */
export function timelineEntryFromItem(item: Item): TimelineEntry {
  return item.pk?.S?.startsWith(replyPrefix) === true
    ? { kind: 'reply', reply: replyFromItem(item) }
    : { kind: 'message', message: messageFromItem(item) };
}
