import type { Command } from 'commander';
import {
  addListOptions,
  addStatusOption,
  type ListOptions,
  lastDay,
  listNotes,
  readFilter,
  type StatusOptions,
  statusesThatAre,
} from '../../input/list-options.ts';
import { countStatuses, messageFormat } from '../../output/message-format.ts';
import { showList } from '../../output/show-list.ts';
import type { Context } from '../../target/context.ts';

const statuses = statusesThatAre('failure');

const examples = `
Examples:
  npm run -s sms -- history failed --local
  npm run -s sms -- history failed --since yesterday --until today --all --csv > failed.csv
  npm run -s sms -- history failed --since 7d --status rejected,expired
  npm run -s sms -- history failed --follow

Without --since the range is the last 24 hours, or the 24 hours before --until.${listNotes}
Exit codes: 0 also where there is none, 1 failed, 2 wrong usage.`;

/** Adds `history failed`, which lists messages that failed. */
export function addHistoryFailed(history: Command, context: Context): void {
  const command = history
    .command('failed')
    .summary('messages that failed')
    .description(
      'Shows messages that did not arrive, ordered by the time of their final report, newest first.',
    );
  addListOptions(addStatusOption(command, statuses, true))
    .addHelpText('after', examples)
    .action(async (options: ListOptions & StatusOptions) => {
      const filter = readFilter(options, statuses);
      await showList(context, options, {
        range: lastDay,
        open: async (connection) => {
          const history = await connection.history();
          return (range, page) => history.failed({ ...filter, ...range }, page);
        },
        format: messageFormat('ended'),
        title: () => 'messages that failed',
        summary: countStatuses,
      });
    });
}
