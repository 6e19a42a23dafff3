import type { Reply } from '../../functions/core/history/reply.ts';
import { viewReply } from '../../functions/core/history/view.ts';
import { showPhone } from '../show.ts';
import { sanitize } from '../text/sanitize.ts';
import { formatTime } from '../text/time.ts';
import type { EntryFormat } from './entry-format.ts';

export const replyFormat: EntryFormat<Reply> = {
  identify: ({ replyId }) => replyId,
  at: ({ standing }) => standing.occurredAt,
  json: viewReply,
  columns: (zone) => [
    { title: `TIME (${zone})` },
    { title: 'FROM' },
    { title: 'ANSWERS', maximum: 36 },
    { title: 'TEXT' },
  ],
  row: ({ standing: { occurredAt, from, messageId = '', text } }, view) => [
    { text: formatTime(occurredAt, view.zone) },
    { text: showPhone(from, view) },
    { text: sanitize(messageId) },
    { text: sanitize(text) },
  ],
  csvColumns: ['replyId', 'messageId', 'from', 'to', 'text', 'occurredAt', 'receivedAt'],
  csv: ({ replyId, standing: { messageId, from, to, text, occurredAt, receivedAt } }) => ({
    ...{ replyId, messageId, from, to, text, occurredAt, receivedAt },
  }),
};
