import { Option } from 'commander';
import { omitUndefined } from '../../../functions/base/basics.ts';
import { viewQuarantined } from '../../../functions/query/index.ts';
import { pageSchema, quarantinedSchema } from '../../../functions/query/shapes.ts';
import { reasonMeanings } from '../../../functions/receive/index.ts';
import type { QuarantineReason, QuarantineSummary } from '../../../functions/receive/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addListOptions, type ListOptions, lastDay } from '../../input/list-options.ts';
import type { EntryFormat } from '../../output/entry-format.ts';
import { showList } from '../../output/show-list.ts';
import type { Context } from '../../target/context.ts';
import { formatTime } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';

const quarantineFormat: EntryFormat<QuarantineSummary> = {
  identify: ({ id }) => id,
  at: ({ receivedAt }) => receivedAt,
  json: viewQuarantined,
  columns: (zone) => [
    { title: `RECEIVED (${zone})` },
    { title: 'REASON' },
    { title: 'FIELD', maximum: 24 },
    { title: 'ID', whole: true },
  ],
  row: ({ id, reason, field = '', receivedAt }, { zone }) => [
    { text: formatTime(receivedAt, zone) },
    { text: sanitize(reason), format: 'yellow' },
    { text: sanitize(field) },
    { text: sanitize(id) },
  ],
  csvColumns: ['id', 'reason', 'field', 'receivedAt', 'requestId', 'index'],
  csv: viewQuarantined,
};

interface QuarantineListOptions extends ListOptions {
  readonly reason?: QuarantineReason;
}

const examples: CommandTexts = {
  output: pageSchema(quarantinedSchema),
  examples: [
    'quarantine list',
    'quarantine list --since 7d --reason bad-time',
    'quarantine list --since 30d --all --json',
  ],
  details: 'Without --since the range is the last 24 hours, or the 24 hours before --until.',
};

/** Adds `quarantine list`, which lists what the pipeline received and could not store as history. */
export function addQuarantineList(quarantine: Command, context: Context): void {
  const command = quarantine
    .command('list')
    .summary('list what could not be stored as history')
    .description('Shows what the pipeline received and could not store as history, newest first.')
    .addOption(
      new Option('--reason <reason>', 'only entries with this reason').choices(Object.keys(reasonMeanings)),
    );
  addListOptions(command)
    .explain(examples)
    .action(async (options: QuarantineListOptions) => {
      const filter = omitUndefined({ reason: options.reason });
      await showList(context, options, {
        range: lastDay,
        open: async (connection) => {
          const quarantine = await connection.quarantine();
          return (range, page) => quarantine.list({ ...filter, ...range }, page);
        },
        format: quarantineFormat,
        title: () => 'quarantine entries',
      });
    });
}
