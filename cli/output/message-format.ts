import { formatCount, formatDuration } from '../../functions/base/basics.ts';
import {
  compareByTime,
  decidingEntry,
  deliveryTime,
  hasConflict,
  isFinal,
  listedTime,
  type Message,
} from '../../functions/history/index.ts';
import { messageColumns, viewMessage, viewMessageRow } from '../../functions/query/index.ts';
import { formatTime } from '../text/format.ts';
import { sanitize } from '../text/sanitize.ts';
import type { Cell } from '../text/table.ts';
import type { EntryFormat, ListView } from './entry-format.ts';
import { detailOf, showPhone, statusCell } from './print.ts';

/** The times by which a list of messages is ordered. */
const orders = {
  ended: {
    title: 'ENDED',
    at: (message: Message) => listedTime(decidingEntry(message)),
    shown: (message: Message) => decidingEntry(message).occurredAt,
  },
  firstSeen: {
    title: 'FIRST SEEN',
    at: ({ firstSeenAt }: Message) => firstSeenAt,
    shown: ({ firstSeenAt }: Message) => firstSeenAt,
  },
} as const;

export function messageFormat(order: keyof typeof orders): EntryFormat<Message> {
  const { title, at, shown } = orders[order];
  return {
    identify: ({ messageId }) => messageId,
    at,
    json: viewMessage,
    columns: (zone) => [
      { title: `${title} (${zone})` },
      { title: 'MESSAGE', maximum: 36 },
      { title: 'NUMBER' },
      { title: 'STATUS', maximum: 24 },
      { title: 'TOOK' },
      { title: 'DETAIL' },
    ],
    row: (message, view): Cell[] => [
      { text: formatTime(shown(message), view.zone) },
      { text: sanitize(message.messageId) },
      { text: message.phone === undefined ? '' : showPhone(message.phone, view) },
      statusCell(decidingEntry(message)),
      { text: courseOf(message, view.now) },
      { text: remarksOn(message, view) },
    ],
    csvColumns: messageColumns,
    csv: viewMessageRow,
  };
}

/** Formats how long a message took or has been open: `2.0 s`, `open for 3 h`; empty for a single report. @param now epoch milliseconds */
export function courseOf(message: Message, now: number): string {
  const deciding = decidingEntry(message);
  if (!isFinal(deciding))
    return `open for ${formatDuration(Math.max(0, now - Date.parse(message.firstSeenAt)))}`;
  const [first = deciding] = [...message.events.values()].sort(compareByTime);
  if (first === deciding) return '';
  return formatDuration(
    deliveryTime(message) ?? Date.parse(deciding.occurredAt) - Date.parse(first.occurredAt),
  );
}

/** Describes the error and conflicts of a message. */
export function remarksOn(message: Message, view: Pick<ListView, 'reveal'>): string {
  return [detailOf(decidingEntry(message), view), hasConflict(message) ? 'reports contradict each other' : '']
    .filter((remark) => remark !== '')
    .join('; ');
}

/** Counts messages by status: `20 messages: 17 delivered, 3 sent`. */
export function countStatuses(messages: readonly Message[]): string {
  const groups = Map.groupBy(messages, (message) => decidingEntry(message).status);
  const counts = [...groups]
    .map(([status, { length }]) => ({ status: sanitize(status), length }))
    .sort((a, b) => b.length - a.length || (a.status < b.status ? -1 : 1));
  return `${formatCount(messages.length, 'message')}: ${counts.map(({ status, length }) => `${length} ${status}`).join(', ')}`;
}
