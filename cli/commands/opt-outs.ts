import type { Command } from 'commander';
import type { OptOut } from '../../functions/opt-out/opt-out-store.ts';
import { viewOptOut } from '../../functions/query/views.ts';
import { addListOptions, type ListOptions, listNotes, openRange } from '../input/list-options.ts';
import { targetOf } from '../input/options.ts';
import type { EntryFormat } from '../output/entry-format.ts';
import { showPhone } from '../output/show.ts';
import { showList } from '../output/show-list.ts';
import type { Context } from '../target/context.ts';
import { sanitize } from '../text/sanitize.ts';
import { formatTime } from '../text/time.ts';

const optOutFormat: EntryFormat<OptOut> = {
  // A number may change its mind.
  identify: ({ phone, at }) => `${at} ${phone}`,
  at: ({ at }) => at,
  cursorsTellNumbers: true,
  json: viewOptOut,
  columns: (zone) => [{ title: `SINCE (${zone})` }, { title: 'NUMBER' }, { title: 'REPLY' }],
  row: ({ phone, at, replyId }, view) => [
    { text: formatTime(at, view.zone) },
    { text: showPhone(phone, view) },
    { text: sanitize(replyId) },
  ],
  csvColumns: ['phone', 'since', 'replyId'],
  csv: ({ phone, at, replyId }) => ({ phone, since: at, replyId }),
};

const examples = `
Examples:
  npm run -s sms -- optouts --local
  npm run -s sms -- optouts --since 7d --reveal
  npm run -s sms -- optouts --all --csv > optouts.csv

A number is in the list from a reply that is STOP, SAIR or another such word alone, until one that is START or VOLTAR.${listNotes}
Exit codes: 0 also where there is none, 1 failed, 2 wrong usage.`;

/** `optouts`: numbers that want no more messages. */
export function addOptOuts(program: Command, context: Context): void {
  const command = program
    .command('optouts')
    .summary('numbers that want no more messages')
    .description('Shows numbers that want no more messages, by the time they said so, newest first.');
  addListOptions(command)
    .addHelpText('after', examples)
    .action(async (options: ListOptions) => {
      await showList(context, options, {
        range: openRange,
        open: async () => {
          const history = await context.connect(targetOf(options)).history();
          return history.optOuts;
        },
        format: optOutFormat,
        title: () => 'numbers that want no more messages',
      });
    });
}
