import {
  decidingEntry,
  firstReceiptOf,
  isFinal,
  type Message,
  type Reply,
  type TimelineEntry,
} from '../../functions/history/index.ts';
import { viewMessageRow, viewReplyRow, viewTimelineEntry } from '../../functions/query/index.ts';
import { formatTime } from '../text/format.ts';
import { sanitize } from '../text/sanitize.ts';
import type { Cell } from '../text/table.ts';
import type { EntryFormat, ListView } from './entry-format.ts';
import { courseOf, remarksOn } from './message-format.ts';
import { showText, statusCell } from './print.ts';
import { remarksOnReply } from './unread-format.ts';

/** Formats messages to one number and replies from it. */
export const timelineFormat: EntryFormat<TimelineEntry> = {
  identify: (entry) =>
    entry.kind === 'message' ? `message ${entry.message.messageId}` : `reply ${entry.reply.replyId}`,
  at: (entry) => (entry.kind === 'message' ? entry.message.firstSeenAt : firstReceiptOf(entry.reply)),
  json: viewTimelineEntry,
  columns: (zone) => [
    { title: `RECEIVED (${zone})` },
    { title: '' },
    { title: 'ID', maximum: 36 },
    { title: 'STATUS', maximum: 24 },
    { title: 'DETAIL' },
  ],
  row: (entry, view) =>
    entry.kind === 'message' ? messageRow(entry.message, view) : replyRow(entry.reply, view),
  csvColumns: [
    'kind',
    'at',
    'messageId',
    'replyId',
    'phone',
    'status',
    'final',
    'statusAt',
    'deliveryMs',
    'errorCode',
    'errorText',
    'conflict',
    'sendId',
    'text',
    'to',
    'receivedAt',
    'errorReason',
    'price',
    'currency',
    'segments',
    'network',
    'carrier',
    'channel',
    'media',
    'partsReceived',
    'partsTotal',
    'timeIs',
  ],
  csv: (entry) => {
    if (entry.kind === 'message')
      return { kind: 'message', at: entry.message.firstSeenAt, ...viewMessageRow(entry.message) };
    const { from: phone, occurredAt: at, ...reply } = viewReplyRow(entry.reply);
    return { kind: 'reply', at, phone, ...reply };
  },
};

function messageRow(message: Message, view: ListView): Cell[] {
  const { zone, now } = view;
  const deciding = decidingEntry(message);
  const course = courseOf(message, now);
  const remarks = [course === '' || !isFinal(deciding) ? course : `in ${course}`, remarksOn(message, view)];
  return [
    { text: formatTime(message.firstSeenAt, zone) },
    { text: '→' },
    { text: sanitize(message.messageId) },
    statusCell(deciding),
    { text: remarks.filter((remark) => remark !== '').join('; ') },
  ];
}

function replyRow(reply: Reply, view: ListView): Cell[] {
  const { replyId, current } = reply;
  const answered = current.messageId === undefined ? '' : `, answers ${sanitize(current.messageId)}`;
  return [
    { text: formatTime(firstReceiptOf(reply), view.zone) },
    { text: '←' },
    { text: sanitize(replyId) },
    { text: 'reply' },
    { text: [`“${showText(current.text, view)}”${answered}`, ...remarksOnReply(current, view)].join('; ') },
  ];
}
