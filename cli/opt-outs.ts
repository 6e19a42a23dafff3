import type { Command } from 'commander';
import type { Context } from './context.ts';
import { addListOptions, type ListOptions, listNotes, openRange } from './list/list-options.ts';
import { optOutFormat } from './list/opt-out-format.ts';
import { showList } from './list/show-list.ts';
import { targetOf } from './options.ts';

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
