import { formatDuration } from '../functions/core/duration.ts';
import { decidingEntry, hasConflict, type Message } from '../functions/core/history/message.ts';
import type { Reply } from '../functions/core/history/reply.ts';
import type { TimelineEntry } from '../functions/core/history/timeline.ts';
import { deliveryTime } from './delivery-time.ts';
import type { View } from './print.ts';
import { detailOf, showPhone, statusCell } from './show.ts';
import { sanitize } from './text/sanitize.ts';
import { type Cell, renderTable } from './text/table.ts';
import { formatTime } from './text/time.ts';

export interface Timeline {
  /** E.164 */
  readonly phone: string;
  /** Newest first. */
  readonly entries: readonly TimelineEntry[];
  /** How many entries were asked for. */
  readonly limit: number;
}

/** The timeline of one number for people. */
export function renderTimeline({ phone, entries, limit }: Timeline, view: View): string {
  const number = showPhone(phone, view);
  if (entries.length === 0) return `Nothing in the history of ${number}.`;
  const columns = [
    { title: `TIME (${view.zone})` },
    { title: '' },
    { title: 'ID', maximum: 36 },
    { title: 'STATUS', maximum: 24 },
    { title: 'DETAIL' },
  ];
  const rows = entries.map((entry) =>
    entry.kind === 'message' ? messageRow(entry.message, view) : replyRow(entry.reply, view),
  );
  const more =
    entries.length < limit ? [] : [view.style('dim', `The newest ${limit}; --limit shows more of them.`)];
  const title = `${view.style('bold', number)}  messages sent (→) and replies (←), newest first`;
  return [title, renderTable(columns, rows, view), ...more].join('\n\n');
}

function messageRow(message: Message, { zone }: View): Cell[] {
  const deciding = decidingEntry(message);
  const took = deliveryTime(message);
  const remarks = [
    took === undefined ? '' : `in ${formatDuration(took)}`,
    detailOf(deciding),
    hasConflict(message) ? 'reports contradict each other' : '',
  ];
  return [
    // What the timeline is ordered by.
    { text: formatTime(message.firstSeenAt, zone) },
    { text: '→' },
    { text: sanitize(message.messageId) },
    statusCell(deciding),
    { text: remarks.filter((remark) => remark !== '').join('; ') },
  ];
}

function replyRow({ replyId, standing }: Reply, { zone }: View): Cell[] {
  const answered = standing.messageId === undefined ? '' : `, answers ${sanitize(standing.messageId)}`;
  return [
    { text: formatTime(standing.occurredAt, zone) },
    { text: '←' },
    { text: sanitize(replyId) },
    { text: 'reply' },
    { text: `“${sanitize(standing.text)}”${answered}` },
  ];
}
