import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { historyId, mainSource, serviceIds, splitId } from '../../contract/events/source-id.ts';
import { canonicalStatuses, outcomeOf, rankOf } from '../../contract/schema/sms-event.ts';
import { omitUndefined } from '../base/basics.ts';
import {
  failedList,
  type HistorySettings,
  type Item,
  listKey,
  messageKey,
  numberKey,
  pendingList,
  textIn,
  UnreadableItemError,
  unknownList,
} from './item-keys.ts';
import {
  channelOf,
  costAndRouteOf,
  decidingEntry,
  type Heading,
  isFinal,
  listedTime,
  type Message,
  type StatusEntry,
} from './message.ts';

/** The names of the attributes that hold reports begin with this, and end with the id of the report's event. */
export const reportPrefix = 'report#';

/** A report as a map: its status, when it happened and was received, and what the service said about it. */
type StoredReport = Omit<StatusEntry, 'eventId' | 'occurredAt' | 'rank' | 'copies'> & {
  readonly at: string;
  /** Only if it is not the rank of the status: for a word that the contract does not list. */
  readonly rank?: number;
};

/** Returns the item of a message: its state in words, its keys in the indexes, and one map for each report. */
export function messageItem(
  message: Message,
  generation: string,
  expiresAt: number,
  settings: HistorySettings,
): Item {
  return {
    pk: { S: messageKey(message.messageId) },
    ...stateAttributes(message, settings),
    ...importAttributes(message),
    firstSeenAt: { S: message.firstSeenAt },
    reportCount: { N: String(message.events.size) },
    ...reportAttributes(message.events.values()),
    generation: { S: generation },
    expiresAt: { N: String(expiresAt) },
  };
}

/** The attributes of a state that a later state may lack. Cost and route are not among them: they stay known if a later report lacks them. */
export const optionalStateAttributes = [
  'word',
  'errorCode',
  'errorReason',
  'errorText',
  'listName',
  'listedAt',
] as const;

/** Returns the attributes that follow from what is known of a message: without its time and its reports. */
export function stateAttributes(message: Message, settings: HistorySettings): Item {
  const { messageId, phone, sendId, firstSeenAt } = message;
  const deciding = decidingEntry(message);
  const { status, rank, occurredAt, word, errorCode, errorReason, errorText } = deciding;
  return wellFormed({
    ...serviceIds({ messageId, sendId }),
    ...(phone !== undefined && phoneAttributes(phone)),
    ...(sendId !== undefined && { sendList: listKey(sendId, messageId, settings) }),
    status,
    rank,
    final: isFinal(deciding),
    statusAt: occurredAt,
    word,
    errorCode,
    errorReason,
    errorText,
    ...costAndRouteOf(message),
    channel: channelOf(message),
    ...listAttributes(deciding, firstSeenAt, messageId, settings),
  });
}

/** The attribute with the imports that an item is of: a map by the id of the import. */
export const importedByAttribute = 'importedBy';

/** Returns the attribute of an item that says nothing more about its imports. */
export function importedByIds(ids: readonly string[]): Item {
  return { [importedByAttribute]: { M: Object.fromEntries(ids.map((id) => [id, { M: {} }])) } };
}

/**
 * Returns what imports say about a message as a whole, and what the other reports say. A number that is not that of the message, with or without its
 * country code, is left out: it may be another person's, and an erasure would not find it there.
 */
export function importAttributes({ importedBy, withoutImports, phone: own }: Message): Item {
  if (importedBy === undefined) return {};
  const isOwn = (phone: string) => {
    if (own === undefined) return false;
    const national = phone.replace(/\D/g, '').replace(/^0+/, '');
    return numberKey(phone) === numberKey(own) || (national !== '' && numberKey(own).endsWith(national));
  };
  const map = ({ phone, sendId, firstSeenAt }: Heading) => ({
    M: wellFormed({
      phone: phone !== undefined && isOwn(phone) ? phone : undefined,
      sendId: sendId && splitId(sendId).id,
      firstSeenAt,
    }),
  });
  return {
    [importedByAttribute]: { M: Object.fromEntries([...importedBy].map(([id, one]) => [id, map(one)])) },
    ...(withoutImports !== undefined && { withoutImports: map(withoutImports) }),
  };
}

function headingFrom(item: Item, map: Item = {}): Heading {
  return {
    ...omitUndefined({ phone: map.phone?.S, sendId: map.sendId?.S && idIn(item, map.sendId.S) }),
    firstSeenAt: textIn(map, 'firstSeenAt'),
  };
}

/** Returns the list that a message is in: pending without a final status, and after it that of its day, failed or unknown. A delivered message is in no list. */
function listAttributes(
  deciding: StatusEntry,
  firstSeenAt: string,
  messageId: string,
  settings: HistorySettings,
): { listName?: string; listedAt?: string } {
  if (!isFinal(deciding))
    return { listName: listKey(pendingList, messageId, settings), listedAt: firstSeenAt };
  const outcome = outcomeOf(deciding.rank);
  if (outcome === 'success') return {};
  const listOf = outcome === 'failure' ? failedList : unknownList;
  return {
    listName: listKey(listOf(listedTime(deciding).slice(0, 10)), messageId, settings),
    listedAt: listedTime(deciding),
  };
}

/** Returns the number as the key of its conversation, and as the service writes it if that differs. */
export function phoneAttributes(phone: string): { phone: string; phoneAsWritten?: string } {
  const key = numberKey(phone);
  return { phone: key, ...(phone.toWellFormed() !== key && { phoneAsWritten: phone }) };
}

/** Returns the number of an item as the service writes it. */
export function phoneOf({ phone, phoneAsWritten }: Item): string | undefined {
  return phoneAsWritten?.S ?? phone?.S;
}

/** Returns the name of the attribute of a report. */
export const reportName = (eventId: string): string => reportPrefix + eventId.toWellFormed();

/** Returns reports as attributes. */
export function reportAttributes(entries: Iterable<StatusEntry>): Item {
  return Object.fromEntries([...entries].map((entry) => [reportName(entry.eventId), reportMap(entry)]));
}

function reportMap({ eventId: _, rank, occurredAt, copies, ...entry }: StatusEntry): AttributeValue {
  const isUsualRank = usualRank(entry.status) === rank;
  const report: StoredReport = { ...entry, at: occurredAt, ...(!isUsualRank && { rank }) };
  return { M: { ...wellFormed(report), ...(copies && { copies: { L: copies.map(reportMap) } }) } };
}

function usualRank(status: string): number | undefined {
  const canonical = canonicalStatuses.find((one) => one === status);
  return canonical && rankOf(canonical);
}

/** Writes values as attributes, without what is undefined, and with U+FFFD for lone surrogates, because DynamoDB keeps UTF-8 only. */
export function wellFormed(values: object): Item {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : value,
  ]);
  return marshall(Object.fromEntries(entries), { removeUndefinedValues: true });
}

/** Returns the id in the history for an id of the service that an item has. */
export function idIn({ source }: Item, id: string): string {
  return historyId({ source: source?.S ?? mainSource, id });
}

/** @throws UnreadableItemError */
export function messageFromItem(item: Item): Message {
  const events = new Map(
    Object.entries(item).flatMap(([name, value]) => {
      if (!name.startsWith(reportPrefix)) return [];
      const eventId = name.slice(reportPrefix.length);
      return [[eventId, reportOf(eventId, value.M)] as const];
    }),
  );
  if (events.size === 0) throw new UnreadableItemError('a message without a report');
  const headings = item[importedByAttribute]?.M;
  return {
    messageId: idIn(item, textIn(item, 'messageId')),
    ...omitUndefined({ phone: phoneOf(item), sendId: item.sendId?.S && idIn(item, item.sendId.S) }),
    firstSeenAt: textIn(item, 'firstSeenAt'),
    events,
    ...(headings !== undefined && {
      importedBy: new Map(Object.entries(headings).map(([id, { M }]) => [id, headingFrom(item, M)])),
    }),
    ...(item.withoutImports !== undefined && { withoutImports: headingFrom(item, item.withoutImports.M) }),
  };
}

function reportOf(eventId: string, { copies, ...map }: Item = {}): StatusEntry {
  const { at: occurredAt, ...report } = unmarshall(map) as StoredReport;
  const rank = report.rank ?? usualRank(report.status);
  if (
    report.status === undefined ||
    rank === undefined ||
    occurredAt === undefined ||
    report.receivedAt === undefined
  )
    throw new UnreadableItemError('a report without its status or its times');
  return {
    ...report,
    eventId,
    rank,
    occurredAt,
    ...(copies !== undefined && { copies: (copies.L ?? []).map(({ M }) => reportOf(eventId, M)) }),
  };
}
