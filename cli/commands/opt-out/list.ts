import type { OptOut } from '../../../functions/opt-out/opt-out-store.ts';
import { optOutSchema, pageSchema } from '../../../functions/query/view-schemas.ts';
import { viewOptOut } from '../../../functions/query/views.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addListOptions, type ListOptions, openRange } from '../../input/list-options.ts';
import type { EntryFormat } from '../../output/entry-format.ts';
import { showPhone } from '../../output/print.ts';
import { showList } from '../../output/show-list.ts';
import type { Context } from '../../target/context.ts';
import { formatTime } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';

const optOutFormat: EntryFormat<OptOut> = {
  // A number may opt out several times.
  identify: ({ phone, at }) => `${at} ${phone}`,
  at: ({ at }) => at,
  cursorsHoldNumbers: true,
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

const examples: CommandTexts = {
  output: pageSchema(optOutSchema),
  examples: ['opt-out list', 'opt-out list --since 7d --reveal', 'opt-out list --all --csv > opt-outs.csv'],
  details:
    'A reply that consists of STOP, SAIR or a similar word opts its number out; one that consists of START or VOLTAR opts it in.',
};

/** Adds `opt-out list`, which lists numbers that opted out. */
export function addOptOutList(optOut: Command, context: Context): void {
  const command = optOut
    .command('list')
    .summary('numbers that opted out')
    .description('Shows numbers that opted out, ordered by the time they did, newest first.');
  addListOptions(command)
    .explain(examples)
    .action(async (options: ListOptions) => {
      await showList(context, options, {
        range: openRange,
        open: async (connection) => (await connection.history()).optOuts,
        format: optOutFormat,
        title: () => 'numbers that opted out',
      });
    });
}
