import type { Command } from 'commander';
import {
  addListOptions,
  addStatusOption,
  type ListOptions,
  listNotes,
  openRange,
  readFilter,
  type StatusOptions,
  statusesThatAre,
} from '../../input/list-options.ts';
import { countStatuses, messageFormat } from '../../output/message-format.ts';
import { showList } from '../../output/show-list.ts';
import type { Context } from '../../target/context.ts';

const statuses = statusesThatAre('open');

const examples = `
Examples:
  npm run -s sms -- history pending --local
  npm run -s sms -- history pending --until 24h --all    (still open, and older than 24 hours)
  npm run -s sms -- history pending --status sent --since 2h --json

The messages are ordered by the time they were first seen. A status that the contract does not list keeps a message open.${listNotes}
Exit codes: 0 also where there is none, 1 failed, 2 wrong usage.`;

/** Adds `history pending`, which lists messages without a final status. */
export function addHistoryPending(history: Command, context: Context): void {
  const command = history
    .command('pending')
    .summary('messages without a final status')
    .description('Shows messages that have no final status yet, newest first.');
  addListOptions(addStatusOption(command, statuses))
    .addHelpText('after', examples)
    .action(async (options: ListOptions & StatusOptions) => {
      const filter = readFilter(options, statuses);
      await showList(context, options, {
        range: openRange,
        open: async (connection) => {
          const history = await connection.history();
          return (range, page) => history.pending({ ...filter, ...range }, page);
        },
        format: messageFormat('firstSeen'),
        title: () => 'messages without a final status',
        summary: countStatuses,
      });
    });
}
