import type { Command } from 'commander';
import { canonicalStatuses } from '../../../contract/schema/sms-event.ts';
import {
  addListOptions,
  addStatusOption,
  type ListOptions,
  listNotes,
  openRange,
  readFilter,
  type StatusOptions,
} from '../../input/list-options.ts';
import { notEmpty } from '../../input/options.ts';
import { countStatuses, messageFormat } from '../../output/message-format.ts';
import { showList } from '../../output/show-list.ts';
import type { Context } from '../../target/context.ts';
import { sanitize } from '../../text/sanitize.ts';

const examples = `
Examples:
  npm run -s sms -- history send send-0001 --local
  npm run -s sms -- history send send-0001 --status undelivered,failed --all
  npm run -s sms -- history send send-0001 --all --csv > send-0001.csv

The messages are ordered by the time they were first seen.${listNotes}
Exit codes: 0 also where the history has nothing about the send, 1 failed, 2 wrong usage.`;

/** Adds `history send <id>`, which lists the messages of a bulk send. */
export function addHistorySend(history: Command, context: Context): void {
  const command = history
    .command('send')
    .summary('the messages of one send')
    .description('Shows the messages of one send with their statuses, newest first.')
    .argument('<sendId>', 'the id of the send, as the SMS service names it', notEmpty);
  addListOptions(addStatusOption(command, canonicalStatuses))
    .addHelpText('after', examples)
    .action(async (sendId: string, options: ListOptions & StatusOptions) => {
      const filter = readFilter(options, canonicalStatuses);
      await showList(context, options, {
        range: openRange,
        open: async (connection) => {
          const history = await connection.history();
          return (range, page) => history.send({ sendId, ...filter, ...range }, page);
        },
        format: messageFormat('firstSeen'),
        title: () => `messages of the send "${sanitize(sendId)}"`,
        summary: countStatuses,
      });
    });
}
