import type { Command } from 'commander';
import type { Context } from './context.ts';
import { addListOptions, type ListOptions, lastDay, listNotes } from './list/list-options.ts';
import { replyFormat } from './list/reply-format.ts';
import { showList } from './list/show-list.ts';
import { targetOf } from './options.ts';

const examples = `
Examples:
  npm run -s sms -- replies --local
  npm run -s sms -- replies --since today --reveal
  npm run -s sms -- replies --since 2026-01-01 --until 2026-02-01 --all --csv > replies.csv
  npm run -s sms -- replies --follow

Without --since it is the last 24 hours, or the 24 hours before --until.${listNotes}
Exit codes: 0 also where there is none, 1 failed, 2 wrong usage.`;

/** `replies`: what people answered. */
export function addReplies(program: Command, context: Context): void {
  const command = program
    .command('replies')
    .summary('what people answered')
    .description('Shows replies by the time they were sent, newest first.');
  addListOptions(command)
    .addHelpText('after', examples)
    .action(async (options: ListOptions) => {
      await showList(context, options, {
        range: (asked) => lastDay(asked, context.clock()),
        open: async () => {
          const history = await context.connect(targetOf(options)).history();
          return history.replies;
        },
        format: replyFormat,
        title: () => 'replies',
      });
    });
}
