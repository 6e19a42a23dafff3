import { listSends } from '../../../functions/query/index.ts';
import { pageSchema, sendFiguresSchema } from '../../../functions/query/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import {
  addIdPrefixOption,
  addListOptions,
  type IdPrefixOptions,
  type ListOptions,
  openRange,
} from '../../input/list-options.ts';
import { sendFormat } from '../../output/figures-format.ts';
import { showList } from '../../output/show-list.ts';
import type { Context } from '../../target/context.ts';

const examples: CommandTexts = {
  output: pageSchema(sendFiguresSchema),
  examples: [
    'send list',
    'send list --id-prefix spring',
    'send list --since 7d --all --csv > sends.csv',
    'send list --json sendId,failed',
  ],
  details:
    'The time of a send is that of its earliest report. The counts are those of this moment, about 15 seconds late.',
};

/** Adds `send list`, which lists bulk sends with their figures. */
export function addSendList(send: Command, context: Context): void {
  const command = send
    .command('list')
    .summary('how the sends are doing')
    .description('Shows bulk sends with how many of their messages were delivered, newest first.');
  addListOptions(addIdPrefixOption(command, 'sends'))
    .explain(examples)
    .action(async ({ idPrefix, ...options }: ListOptions & IdPrefixOptions) => {
      await showList(context, options, {
        range: openRange,
        open: async (connection) => {
          const counters = await connection.counters();
          return (range, page) => listSends({ ...range, ...page, idPrefix }, counters);
        },
        format: sendFormat,
        title: () => 'sends',
      });
    });
}
