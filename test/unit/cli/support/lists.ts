import { outcomeOf } from '../../../../contract/schema/sms-event.ts';
import {
  decidingEntry,
  type Message,
  type Reply,
  type TimelineEntry,
} from '../../../../functions/history/message.ts';
import { CursorError } from '../../../../functions/lists/cursor.ts';
import type { HistoryLists } from '../../../../functions/lists/history-list-store.ts';
import type { QuarantineReader } from '../../../../functions/lists/quarantine-list-store.ts';
import type { Page, PageRequest, StatusFilter, TimeRange } from '../../../../functions/lists/time-range.ts';
import type { OptOut } from '../../../../functions/opt-out/opt-out-store.ts';
import type { QuarantinedEntry } from '../../../../functions/quarantine/quarantine.ts';

export interface Content {
  readonly messages?: readonly Message[];
  readonly replies?: readonly Reply[];
  readonly optOuts?: readonly OptOut[];
}

/** A request for a list. */
export interface Asked extends TimeRange, StatusFilter, PageRequest {
  readonly list: string;
}

/**
 * The lists of a history that is held in memory, without an index that lags.
 *
 * @param asked gets every page that is asked for
 */
export function listsOf(content: Content | (() => Content), asked: Asked[] = []): HistoryLists {
  const all = () => (typeof content === 'function' ? content() : content);
  const messages = ({ statuses }: StatusFilter, isIn: (message: Message) => boolean) =>
    (all().messages ?? []).filter(
      (message) =>
        isIn(message) &&
        (statuses === undefined || statuses.some((status) => status === decidingEntry(message).status)),
    );
  const outcome = (message: Message) => outcomeOf(decidingEntry(message).rank);
  const firstSeen = ({ firstSeenAt }: Message) => firstSeenAt;
  const at = (entry: TimelineEntry) =>
    entry.kind === 'message' ? entry.message.firstSeenAt : entry.reply.standing.occurredAt;

  async function pageOf<T>(
    list: string,
    entries: readonly T[],
    time: (entry: T) => string,
    query: TimeRange & StatusFilter,
    page: PageRequest,
  ): Promise<Page<T>> {
    asked.push({ list, ...query, ...page });
    return cut(list, entries, time, query, page);
  }

  return {
    phone: ({ phone, ...query }, page) => {
      const sent = messages(query, (message) => message.phone === phone);
      const came =
        query.statuses === undefined
          ? (all().replies ?? []).filter(({ standing }) => standing.from === phone)
          : [];
      const entries = [
        ...sent.map((message): TimelineEntry => ({ kind: 'message', message })),
        ...came.map((reply): TimelineEntry => ({ kind: 'reply', reply })),
      ];
      return pageOf('phone', entries, at, query, page);
    },
    send: ({ sendId, ...query }, page) =>
      pageOf(
        'send',
        messages(query, (message) => message.sendId === sendId),
        firstSeen,
        query,
        page,
      ),
    failed: (query, page) =>
      pageOf(
        'failed',
        messages(query, (message) => outcome(message) === 'failure'),
        (message) => decidingEntry(message).occurredAt,
        query,
        page,
      ),
    pending: (query, page) =>
      pageOf(
        'pending',
        messages(query, (message) => outcome(message) === 'open'),
        firstSeen,
        query,
        page,
      ),
    replies: (query, page) =>
      pageOf('replies', all().replies ?? [], ({ standing }) => standing.occurredAt, query, page),
    optOuts: (query, page) => pageOf('optouts', all().optOuts ?? [], (optOut) => optOut.at, query, page),
  };
}

/** Makes a quarantine in memory. */
export function quarantineOf(entries: readonly QuarantinedEntry[]): QuarantineReader {
  return {
    list: async ({ reason, ...range }, page) =>
      cut(
        'quarantine',
        entries.filter((entry) => reason === undefined || entry.reason === reason),
        ({ receivedAt }) => receivedAt,
        range,
        page,
      ),
    entry: async (id) => entries.find((entry) => entry.id === id),
  };
}

/** A cursor contains the list and the number of entries before it. */
function cut<T>(
  list: string,
  entries: readonly T[],
  at: (entry: T) => string,
  { since = '', until = '~' }: TimeRange,
  { limit, cursor = `${list}.0` }: PageRequest,
): Page<T> {
  const [name, before = ''] = cursor.split('.');
  if (name !== list || !/^\d+$/.test(before)) throw new CursorError();
  const found = entries
    .filter((entry) => at(entry) >= since && at(entry) < until)
    .sort((a, b) => (at(a) < at(b) ? 1 : -1));
  const end = Number(before) + limit;
  return {
    entries: found.slice(Number(before), end),
    ...(end < found.length ? { next: `${list}.${end}` } : {}),
  };
}
