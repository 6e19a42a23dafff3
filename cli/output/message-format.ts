import { outcomeOf } from '../../contract/schema/sms-event.ts';
import {
  compareByTime,
  decidingEntry,
  hasConflict,
  isFinal,
  type Message,
} from '../../functions/history/message.ts';
import { viewMessage } from '../../functions/query/views.ts';
import { formatDuration } from '../../functions/runtime/basics.ts';
import { formatCount, formatTime } from '../text/format.ts';
import { sanitize } from '../text/sanitize.ts';
import type { Cell } from '../text/table.ts';
import type { CsvRecord, EntryFormat, ListView } from './entry-format.ts';
import { detailOf, showPhone, statusCell } from './print.ts';

/** Returns the milliseconds from a message's first report to its delivery; undefined without a delivery after the first report. */
export function deliveryTime(message: Message): number | undefined {
  const reports = [...message.events.values()].sort(compareByTime);
  const [first] = reports;
  const arrival = reports.find(({ rank }) => outcomeOf(rank) === 'success');
  if (first === undefined || arrival === undefined || arrival === first) return undefined;
  return Date.parse(arrival.occurredAt) - Date.parse(first.occurredAt);
}

/** The times by which a list of messages is ordered. */
const orders = {
  ended: { title: 'ENDED', at: (message: Message) => decidingEntry(message).occurredAt },
  firstSeen: { title: 'FIRST SEEN', at: ({ firstSeenAt }: Message) => firstSeenAt },
} as const;

export function messageFormat(order: keyof typeof orders): EntryFormat<Message> {
  const { title, at } = orders[order];
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
      { text: formatTime(at(message), view.zone) },
      { text: sanitize(message.messageId) },
      { text: message.phone === undefined ? '' : showPhone(message.phone, view) },
      statusCell(decidingEntry(message)),
      { text: courseOf(message, view.now) },
      { text: remarksOn(message, view) },
    ],
    csvColumns: [
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
    ],
    csv: messageRecord,
  };
}

export function messageRecord(message: Message): CsvRecord {
  const { status, occurredAt, errorCode, errorReason, errorText } = decidingEntry(message);
  const { messageId, phone, sendId, firstSeenAt } = message;
  return {
    ...{ messageId, phone, sendId, status, firstSeenAt, errorCode, errorReason, errorText },
    final: isFinal(decidingEntry(message)),
    statusAt: occurredAt,
    deliveryMs: deliveryTime(message),
    conflict: hasConflict(message),
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
