import { isUtf8 } from 'node:buffer';
import { serviceIds } from '../../../../contract/events/source-id.ts';
import type { CsvValue } from '../../../../contract/text/csv.ts';
import { omitUndefined } from '../../../base/basics.ts';
import {
  channelOf,
  compareByTime,
  costAndRouteOf,
  decidingEntry,
  deliveryTime,
  hasConflict,
  isFinal,
  type Message,
  type OptOut,
  type OptOutStatement,
  type RegisteredNumber,
  type Reply,
  type StatusEntry,
  type TimelineEntry,
} from '../../../history/index.ts';
import type { Page } from '../../../history/shapes.ts';
import type { QuarantinedEntry, QuarantineSummary } from '../../../receive/shapes.ts';
import type {
  MessageView,
  OptOutStateView,
  OptOutView,
  PageView,
  QuarantinedView,
  QuarantineEntryView,
  ReplyView,
  StatusEventView,
  TimelineEntryView,
} from './view-schemas.ts';

export type {
  MessageView,
  OptOutView,
  PageView,
  QuarantinedView,
  QuarantineEntryView,
  ReplyView,
  TimelineEntryView,
};

const idsOf = ({ messageId, sendId }: Message) => ({ messageId, sendId });

export function viewMessage(message: Message): MessageView {
  const deciding = decidingEntry(message);
  const { source, messageId, sendId = null } = serviceIds(idsOf(message));
  return {
    ...omitUndefined({ source }),
    messageId,
    phone: message.phone ?? null,
    sendId,
    status: deciding.status,
    final: isFinal(deciding),
    statusAt: deciding.occurredAt,
    firstSeenAt: message.firstSeenAt,
    conflict: hasConflict(message),
    ...costAndRouteOf(message),
    ...omitUndefined({ channel: channelOf(message) }),
    events: [...message.events.values()].sort(compareByTime).map(viewEvent),
  };
}

/** The columns of messages in CSV. New ones come last. */
export const messageColumns = [
  'messageId',
  'phone',
  'sendId',
  'status',
  'final',
  'statusAt',
  'firstSeenAt',
  'deliveryMs',
  'errorCode',
  'errorText',
  'conflict',
  'errorReason',
  'price',
  'currency',
  'segments',
  'network',
  'carrier',
  'source',
  'channel',
] as const;

export type MessageRow = Readonly<Record<(typeof messageColumns)[number], CsvValue>>;

/** Returns a message as a row of CSV. Its properties are named as those of the JSON, so that numbers in them are masked alike. */
export function viewMessageRow(message: Message): MessageRow {
  const { status, occurredAt, errorCode, errorReason, errorText } = decidingEntry(message);
  const { phone, firstSeenAt } = message;
  const { source, messageId, sendId } = serviceIds(idsOf(message));
  const { price, currency, segments, network, carrier } = costAndRouteOf(message);
  return {
    messageId,
    phone,
    sendId,
    status,
    firstSeenAt,
    errorCode,
    errorReason,
    errorText,
    final: isFinal(decidingEntry(message)),
    statusAt: occurredAt,
    deliveryMs: deliveryTime(message),
    conflict: hasConflict(message),
    price,
    currency,
    segments,
    network,
    carrier,
    source,
    channel: channelOf(message),
  };
}

export function viewReply({ replyId, current }: Reply): ReplyView {
  const { messageId, from, to, text, media, channel, parts, occurredAt, receivedAt, timeIs, unread } =
    current;
  return omitUndefined({
    ...serviceIds({ replyId, messageId }),
    from,
    to,
    text,
    media,
    channel,
    parts,
    occurredAt,
    receivedAt,
    timeIs,
    unread,
  });
}

/** The columns of replies in CSV. New ones come last. */
export const replyColumns = [
  'replyId',
  'messageId',
  'from',
  'to',
  'text',
  'occurredAt',
  'receivedAt',
  'channel',
  'media',
  'partsReceived',
  'partsTotal',
  'timeIs',
] as const;

/** Returns a reply as a row of CSV. */
export function viewReplyRow(reply: Reply) {
  const { media, parts, unread: _, ...view } = viewReply(reply);
  return { ...view, media: media?.join(' '), partsReceived: parts?.received, partsTotal: parts?.total };
}

export function viewTimelineEntry(entry: TimelineEntry): TimelineEntryView {
  return entry.kind === 'message'
    ? { kind: 'message', ...viewMessage(entry.message) }
    : { kind: 'reply', ...viewReply(entry.reply) };
}

export function viewOptOut(optOut: OptOut): OptOutView {
  return { phone: optOut.phone, since: optOut.at, ...viewOrigin(optOut), ...viewSources(optOut) };
}

function viewOrigin({ by, source, replyId, entryId, messageId, reason, recordedBy }: OptOut) {
  return { by, ...omitUndefined({ source, replyId, entryId, messageId, reason, recordedBy }) };
}

function viewSources({ outOf, outOfAllExcept }: OptOut) {
  return omitUndefined({ outOf, outOfAllExcept });
}

/** Returns what was said about messages to a number; null if nothing was. */
export function viewOptOutState(registered: RegisteredNumber | undefined): OptOutStateView | null {
  if (registered === undefined) return null;
  const { state, statements } = registered;
  return { state, ...viewSources(registered), statements: statements.map(viewStatement) };
}

export function viewStatement(statement: OptOutStatement): OptOutStateView['statements'][number] {
  const { state, at, onlySource } = statement;
  return { state, at, ...viewOrigin(statement), ...omitUndefined({ onlySource }) };
}

export function viewQuarantined(summary: QuarantineSummary): QuarantinedView {
  const { id, reason, field = null, source, receivedAt, requestId, index = null } = summary;
  return { id, reason, field, ...omitUndefined({ source }), receivedAt, requestId, index };
}

export function viewQuarantineEntry(entry: QuarantinedEntry): QuarantineEntryView {
  const raw = Buffer.from(entry.raw);
  const encoding = isUtf8(raw) ? 'utf8' : 'base64';
  const { headers = null, method, contract } = entry;
  return {
    ...viewQuarantined(entry),
    raw: raw.toString(encoding),
    encoding,
    headers,
    ...omitUndefined({ method, contract }),
  };
}

/** Returns a page as JSON. @param view returns an entry as JSON */
export function viewPage<T, V>({ entries, next, searchedTo }: Page<T>, view: (entry: T) => V): PageView<V> {
  return { entries: entries.map(view), next: next ?? null, ...omitUndefined({ searchedTo }) };
}

function viewEvent(entry: StatusEntry): StatusEventView {
  const { eventId, status, word, occurredAt, receivedAt, errorCode, errorReason, errorText, origin } = entry;
  const { price, currency, segments, network, carrier, partId, timeIs, unread } = entry;
  return omitUndefined({
    eventId,
    status,
    word: word === status ? undefined : word,
    occurredAt,
    receivedAt,
    errorCode,
    errorReason,
    errorText,
    origin,
    price,
    currency,
    segments,
    network,
    carrier,
    partId,
    timeIs,
    unread,
  });
}
