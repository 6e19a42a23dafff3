import { Option } from 'commander';
import * as z from 'zod';
import { splitId } from '../../../contract/events/source-id.ts';
import { formatCount, omitUndefined } from '../../../functions/base/basics.ts';
import type { TimelineEntry } from '../../../functions/history/index.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addConfirmOption, type ConfirmOptions, confirm } from '../../input/confirm.ts';
import { lastDay, readRange } from '../../input/list-options.ts';
import { addPipelineOptions, notEmpty, type TargetOptions, targetOf } from '../../input/options.ts';
import { csvColumns, openCsv } from '../../output/entry-format.ts';
import { showProgress } from '../../output/progress.ts';
import { beginFile, type ResumableFile, resumeFile } from '../../output/resumable-file.ts';
import { timelineFormat } from '../../output/timeline-format.ts';
import { wrote } from '../../output/write-export.ts';
import type { HistoryExport, HistorySize } from '../../stores/history-tables.ts';
import type { Target } from '../../target/connection.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, UsageError } from '../../target/errors.ts';
import { suggest } from '../../target/suggest.ts';
import { shellQuoted } from '../../text/format.ts';
import { toJsonLine } from '../../text/sanitize.ts';

interface ExportOptions extends TargetOptions, ConfirmOptions {
  readonly since?: string;
  readonly until?: string;
  readonly csv?: true;
  readonly jsonl?: true;
  readonly out?: string;
  readonly resume?: true;
}

const examples: CommandTexts = {
  examples: [
    'message export --since yesterday --until today --csv > day.csv',
    'message export --since 2h --jsonl --out last.jsonl',
    'message export --out last.jsonl --resume   (it was interrupted)',
  ],
  details:
    'Exports messages and replies by the time they were first received, in no order, with numbers and texts in full. Times as in the lists (message list --help). Messages whose reports had no number are missing; the export to S3 (docs/guides/analyse-with-athena.md) has them. The command reads the keys of the whole history, whatever the range. It is meant for small volumes; above 1 GB it asks on a terminal and needs --confirm elsewhere. Until a file is complete its name ends in .part, and .part.json beside it says where --resume continues. What is stored or changes during the export may be missing. In an export that is resumed this includes the time of the interruption.',
};

/** Above this size of the history an export requires --confirm. */
const largeBytes = 1_000_000_000;

/** One read unit covers 8 KB of eventually consistent reads. */
const bytesPerUnit = 8192;

/** The price on demand in us-east-1, 2026. */
const dollarsPerUnit = 0.125 / 1_000_000;

/** Adds `message export`, which writes the messages and replies of a range of time. */
export function addMessageExport(message: Command, context: Context): void {
  const command = message
    .command('export')
    .summary('export the messages and replies of a range of time')
    .description('Writes the messages and replies of a range of time as CSV or JSON lines.')
    .option('--since <time>', 'from this time on', notEmpty)
    .option('--until <time>', 'before this time (default: no limit)', notEmpty)
    .addOption(new Option('--csv', 'CSV with a header (RFC 4180)').conflicts('jsonl'))
    .option('--jsonl', 'one JSON document a line')
    .option('--out <file>', 'a new file that only you can read, instead of stdout', notEmpty)
    .addOption(
      new Option(
        '--resume',
        'continue the interrupted export of --out, with its range, source and format',
      ).conflicts(['since', 'until', 'source', 'csv', 'jsonl']),
    );
  addConfirmOption(command, 'export a large history without a question');
  addPipelineOptions(command)
    .explain(examples)
    .action((options: ExportOptions) =>
      options.resume === true ? resumeExport(options, context) : beginExport(options, context),
    );
}

/** How far an export is, with what it was begun with. */
const stateSchema = z.object({
  /** The table, which {@link HistorySize} describes. */
  tableId: z.string(),
  since: z.string(),
  until: z.string(),
  format: z.enum(['csv', 'jsonl']),
  /** The source that --source named. */
  source: z.string().optional(),
  /** The columns of CSV. */
  columns: z.array(z.string()),
  entries: z.int(),
  keys: z.int(),
  next: z.string().optional(),
});

type State = z.output<typeof stateSchema>;

async function beginExport(options: ExportOptions, context: Context): Promise<void> {
  const { csv = false, jsonl = false, out } = options;
  if (options.since === undefined)
    throw new UsageError('--since is required. To export the data of one number: person export <number>.');
  const range = lastDay(await readRange(options, context), context.clock());
  if (!csv && !jsonl) throw new UsageError('--csv or --jsonl is required.');
  const connection = context.connect(targetOf(options));
  const history = await connection.historyExport();
  const size = await history.size();
  if (size.tableBytes > largeBytes)
    await confirm(
      { text: costOf(size), confirms: 'exports it', refused: 'Nothing was exported.' },
      options,
      context.terminal,
    );
  const state: State = {
    tableId: size.tableId,
    since: range.since,
    until: range.until,
    ...omitUndefined({ source: options.source }),
    format: csv ? 'csv' : 'jsonl',
    entries: 0,
    keys: 0,
    columns: csv ? [...(await csvColumns(connection, timelineFormat))] : [],
  };
  if (out !== undefined) {
    const source = { history, size, target: targetOf(options) };
    return exportToFile(out, await beginFile(out, state), source, context);
  }
  const { terminal } = context;
  for await (const { text } of partsOf(state, { history, size }, context)) {
    terminal.out(text);
    if (terminal.closed()) return;
  }
}

async function resumeExport(options: ExportOptions, context: Context): Promise<void> {
  const { out } = options;
  if (out === undefined)
    throw new UsageError('--resume needs --out, which names the file of the interrupted export.');
  const history = await context.connect(targetOf(options)).historyExport();
  const size = await history.size();
  const file = await resumeFile(out, stateSchema);
  if (file.state.tableId !== size.tableId) {
    await file.close();
    throw new CommandFailure(
      `The export in ${out}.part is of another pipeline: name the one that it was begun with.`,
    );
  }
  await exportToFile(out, file, { history, size, target: targetOf(options) }, context);
}

/** A history and its size. */
interface Source {
  readonly history: HistoryExport;
  readonly size: HistorySize;
}

async function exportToFile(
  path: string,
  file: ResumableFile<State>,
  source: Source & { readonly target: Target },
  context: Context,
): Promise<void> {
  const continues = context.beginWaiting();
  try {
    let written = 0;
    for await (const { text, state, entries } of partsOf(file.state, source, context)) {
      await file.append(text);
      written = entries;
      if (state !== undefined) await file.checkpoint(state);
      if (!(await continues(0))) throw new CommandFailure('Interrupted.');
    }
    await file.complete();
    context.terminal.err(wrote(formatCount(written, 'entry', 'entries'), path));
  } catch (error) {
    context.terminal.err(
      `The export is not complete. To continue it: ${suggest(source.target, `message export --out ${shellQuoted(path)} --resume`)}\n`,
    );
    throw error;
  } finally {
    await file.close();
  }
}

interface Part {
  readonly text: string;
  /** How many entries the export has after this part. */
  readonly entries: number;
  /** How far the export is after this part, if it can be continued there. */
  readonly state?: State;
}

/** Reads an export from a state on, and shows its progress. */
async function* partsOf(
  begun: State,
  { history, size }: Source,
  context: Context,
): AsyncGenerator<Part, void> {
  const rows = begun.format === 'csv' ? csvRows(begun.columns) : jsonLines;
  const head = rows([]);
  if (begun.next === undefined) yield { text: head, entries: begun.entries };
  const progress = showProgress(context, {
    doing: 'Exporting',
    unit: ['key', 'keys'],
    total: size.keys,
    before: begun.keys,
  });
  let { entries, keys } = begun;
  for await (const batch of history.batches(begun, begun.next)) {
    const chosen = batch.entries.filter(
      (entry) => begun.source === undefined || sourceOf(entry) === begun.source,
    );
    entries += chosen.length;
    keys += batch.keys;
    progress(keys, formatCount(entries, 'entry', 'entries'));
    const { next } = batch;
    yield {
      text: rows(chosen),
      entries,
      ...(next === undefined ? {} : { state: { ...begun, entries, keys, next } }),
    };
  }
}

function sourceOf(entry: TimelineEntry): string {
  return splitId(entry.kind === 'message' ? entry.message.messageId : entry.reply.replyId).source;
}

/** Formats entries; CSV begins with its header at the first call. */
type Rows = (entries: readonly TimelineEntry[]) => string;

const jsonLines: Rows = (entries) =>
  entries.map((entry) => `${toJsonLine(timelineFormat.json(entry))}\n`).join('');

function csvRows(columns: readonly string[]): Rows {
  const rows = openCsv(columns);
  return (entries) => rows(entries.map(timelineFormat.csv));
}

/** Describes what an export of a large history reads. */
function costOf({ tableBytes, indexBytes }: HistorySize): string {
  const units = Math.ceil(indexBytes / bytesPerUnit);
  return `The export to S3 (docs/guides/analyse-with-athena.md) does not read the table. This history is large, ${gigabytes(tableBytes)} GB: the export reads all keys of an index of ${gigabytes(indexBytes)} GB, about ${units} read units (${(units * dollarsPerUnit).toFixed(2)} USD), and at least half a unit for each message and reply of the range`;
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
