import { omitUndefined } from '../../../functions/base/basics.ts';
import { listedTime, type Reply, type ReplyEntry } from '../../../functions/history/index.ts';
import { replyColumns, selectReplies, viewReply, viewReplyRow } from '../../../functions/query/index.ts';
import { pageSchema, replySchema } from '../../../functions/query/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import {
  addChannelOption,
  addIdPrefixOption,
  addListOptions,
  type ChannelOptions,
  type IdPrefixOptions,
  type ListOptions,
  lastDay,
} from '../../input/list-options.ts';
import { notEmpty } from '../../input/options.ts';
import type { EntryFormat } from '../../output/entry-format.ts';
import { showPhone, showText, type View } from '../../output/print.ts';
import { showList } from '../../output/show-list.ts';
import { remarksOnReply } from '../../output/unread-format.ts';
import type { Context } from '../../target/context.ts';
import { formatTime } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';

const replyFormat: EntryFormat<Reply> = {
  identify: ({ replyId }) => replyId,
  at: ({ current }) => listedTime(current),
  json: viewReply,
  columns: (zone) => [
    { title: `SENT (${zone})` },
    { title: 'FROM' },
    { title: 'ANSWERS', maximum: 36 },
    { title: 'TEXT' },
  ],
  row: ({ current }, view) => [
    { text: formatTime(current.occurredAt, view.zone) },
    { text: showPhone(current.from, view) },
    { text: sanitize(current.messageId ?? '') },
    { text: textWithRemarks(current, view) },
  ],
  csvColumns: replyColumns,
  csv: viewReplyRow,
};

function textWithRemarks(reply: ReplyEntry, view: View): string {
  const remarks = remarksOnReply(reply, view);
  const text = showText(reply.text, view);
  return remarks.length === 0 ? text : [text, `(${remarks.join('; ')})`].join(' ').trim();
}

const examples: CommandTexts = {
  output: pageSchema(replySchema),
  examples: [
    'reply list',
    'reply list --since today --reveal',
    'reply list --since 2026-01-01 --until 2026-02-01 --all --csv > replies.csv',
    'reply list --text order --since 30d',
    'reply list --follow',
  ],
  details: 'Without --since the range is the last 24 hours, or the 24 hours before --until.',
};

interface ReplyListOptions extends ListOptions, ChannelOptions, IdPrefixOptions {
  readonly text?: string;
}

/** Adds `reply list`, which lists what people answered. */
export function addReplyList(reply: Command, context: Context): void {
  const command = reply
    .command('list')
    .summary('what people answered')
    .description('Shows replies by the time they were sent, newest first.');
  addListOptions(
    addIdPrefixOption(
      addChannelOption(command).option(
        '--text <words>',
        'only replies with this in their first 5,000 characters',
        notEmpty,
      ),
      'replies',
    ),
  )
    .explain(examples)
    .action(async ({ text, idPrefix, ...options }: ReplyListOptions) => {
      const where = omitUndefined({ where: selectReplies({ text, idPrefix, channel: options.channel }) });
      await showList(context, options, {
        range: lastDay,
        open: async (connection) => {
          const { replies } = await connection.history();
          return (range, page) => replies({ ...range, ...where }, page);
        },
        format: replyFormat,
        title: () => 'replies',
      });
    });
}
