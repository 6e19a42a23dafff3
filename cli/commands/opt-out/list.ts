import { Option } from 'commander';
import { omitUndefined } from '../../../functions/base/basics.ts';
import type { OptOut } from '../../../functions/history/index.ts';
import { selectOptOuts, viewOptOut } from '../../../functions/query/index.ts';
import { optOutSchema, pageSchema } from '../../../functions/query/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addListOptions, type ListOptions, openRange } from '../../input/list-options.ts';
import type { EntryFormat } from '../../output/entry-format.ts';
import { ofSources, originOf } from '../../output/opt-out-format.ts';
import { showPhone } from '../../output/print.ts';
import { showList } from '../../output/show-list.ts';
import type { Context } from '../../target/context.ts';
import { formatTime } from '../../text/format.ts';

const inBrackets = (text: string) => (text === '' ? '' : ` (${text.trim()})`);

const optOutFormat: EntryFormat<OptOut> = {
  // A number may opt out several times.
  identify: ({ phone, at }) => `${at} ${phone}`,
  at: ({ at }) => at,
  cursorsHoldNumbers: true,
  json: viewOptOut,
  columns: (zone) => [{ title: `SINCE (${zone})` }, { title: 'NUMBER' }, { title: 'ORIGIN' }],
  row: (optOut, view) => [
    { text: formatTime(optOut.at, view.zone) },
    { text: showPhone(optOut.phone, view) },
    { text: `${originOf(optOut, view)}${inBrackets(ofSources(optOut))}` },
  ],
  csvColumns: ['phone', 'since', 'by', 'replyId', 'entryId', 'messageId', 'reason', 'recordedBy'],
  csvColumnsOfSources: ['source', 'outOf', 'outOfAllExcept'],
  csv: ({ outOf, outOfAllExcept, ...optOut }) => ({
    ...viewOptOut(optOut),
    outOf: outOf?.join(' '),
    outOfAllExcept: outOfAllExcept?.join(' '),
  }),
};

const examples: CommandTexts = {
  output: pageSchema(optOutSchema),
  examples: [
    'opt-out list',
    'opt-out list --since 7d --reveal',
    'opt-out list --by operator',
    'opt-out list --all --csv > opt-outs.csv',
  ],
  details:
    'A reply that consists of STOP, SAIR or a similar word opts its number out; one that consists of START or VOLTAR opts it in. A message that fails because its number opted out at the provider opts the number out too. `opt-out add` and `opt-out remove` record what a person says in another way. --source lists the numbers that want no messages of that source: these are all numbers, unless opt-outs count by source (optOutsBySource).',
};

/** Adds `opt-out list`, which lists numbers that opted out. */
export function addOptOutList(optOut: Command, context: Context): void {
  const command = optOut
    .command('list')
    .summary('numbers that opted out')
    .description('Shows numbers that opted out, ordered by the time they did, newest first.');
  addListOptions(
    command.addOption(
      new Option('--by <who>', 'only those by a person, an operator or the provider').choices([
        'person',
        'operator',
        'provider',
      ]),
    ),
  )
    .explain(examples)
    .action(async ({ by, ...options }: ListOptions & { readonly by?: OptOut['by'] }) => {
      const where = omitUndefined({ where: selectOptOuts({ by }) });
      await showList(context, options, {
        range: openRange,
        open: async (connection) => {
          const { optOuts } = await connection.history();
          return (range, page) => optOuts({ ...range, ...where }, page);
        },
        format: optOutFormat,
        title: () => 'numbers that opted out',
      });
    });
}
