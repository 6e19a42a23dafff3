import { Option } from 'commander';
import { openFiles } from '../../copies/file-copy.ts';
import type { Command } from '../../input/command.ts';
import { notEmpty, type TargetOptions } from '../../input/options.ts';
import type { HistoryItems } from '../../stores/history-items.ts';
import type { HistoryCopy } from '../../stores/table-copy.ts';
import type { Connection } from '../../target/connection.ts';
import { CommandFailure, UsageError } from '../../target/errors.ts';

/** The options that name another copy of the history, as commander reads them. */
export interface CopyOptions extends TargetOptions {
  readonly fromTable?: readonly string[];
  readonly fromFile?: readonly string[];
  readonly fromProfile?: string;
  readonly fromRegion?: string;
  readonly since?: string;
  readonly until?: string;
}

/** Adds the options that name another copy, and the range of time of what is read from it. */
export function addCopyOptions(command: Command): Command {
  return command
    .option(
      '--from-table <names...>',
      'its tables: a history, a quarantine or both, by name, or by ARN in another account',
    )
    .addOption(
      new Option(
        '--from-file <files...>',
        'its files: of sms history export, or of the exports to S3',
      ).conflicts(['fromTable', 'fromProfile', 'fromRegion']),
    )
    .option('--from-profile <name>', 'the profile that may read the tables, if it is another', notEmpty)
    .option('--from-region <region>', 'the region of the tables, if it is another', notEmpty)
    .option('--since <time>', 'only items with something that was received from this time on', notEmpty)
    .option('--until <time>', 'only items with something that was received before this time', notEmpty);
}

/** Opens the copy that the options name, with a name for people. @throws UsageError if they name none, CommandFailure for tables of the pipeline itself */
export async function openCopy(
  { fromTable, fromFile, fromProfile, fromRegion }: CopyOptions,
  connection: Connection,
  { tables }: Pick<HistoryItems, 'tables'>,
): Promise<HistoryCopy & { readonly name: string }> {
  const [name] = fromTable ?? fromFile ?? [];
  if (name === undefined)
    throw new UsageError('--from-table or --from-file is required: they name the other copy of the history.');
  const copy =
    fromFile === undefined
      ? await connection.copiedTables({
          tables: fromTable ?? [],
          ...(fromProfile !== undefined && { profile: fromProfile }),
          ...(fromRegion !== undefined && { region: fromRegion }),
        })
      : await openFiles(fromFile);
  if (copy.tableIds.some((id) => id === tables.history.id || id === tables.quarantine.id))
    throw new CommandFailure(`${name} is a table of this pipeline. Name the tables of the other copy.`);
  return { ...copy, name };
}
