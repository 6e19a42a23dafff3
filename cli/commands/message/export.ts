import { Option } from 'commander';
import type { TimelineEntry } from '../../../functions/history/message.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { lastDay, readRange } from '../../input/list-options.ts';
import { addPipelineOptions, notEmpty, type TargetOptions, targetOf } from '../../input/options.ts';
import { openCsv } from '../../output/entry-format.ts';
import { timelineFormat } from '../../output/timeline-format.ts';
import { writeExport } from '../../output/write-export.ts';
import type { HistorySize } from '../../stores/history-tables.ts';
import type { Context } from '../../target/context.ts';
import { UsageError } from '../../target/errors.ts';
import { toJsonLine } from '../../text/sanitize.ts';

interface ExportOptions extends TargetOptions {
  readonly since?: string;
  readonly until?: string;
  readonly csv?: true;
  readonly jsonl?: true;
  readonly out?: string;
  readonly confirm?: true;
}

const examples: CommandTexts = {
  examples: [
    'message export --since yesterday --until today --csv > day.csv',
    'message export --since 2h --jsonl --out last.jsonl',
  ],
  details:
    'Exports messages by the time they were first seen and replies by the time they were sent, in no order, with numbers and texts in full. Times as in the lists (message list --help). Messages whose reports had no number are missing; the export to S3 (docs/analysis.md) has them. The command reads the keys of the whole history, whatever the range. It is meant for small volumes; above 1 GB it requires --confirm.',
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
    .option('--confirm', 'export even if the history is large');
  addPipelineOptions(command)
    .explain(examples)
    .action(async (options: ExportOptions) => {
      const { csv = false, jsonl = false, confirm = false, out } = options;
      if (options.since === undefined)
        throw new UsageError(
          '--since is required. To export the data of one number: person export <number>.',
        );
      const range = lastDay(await readRange(options, context), context.clock());
      if (!csv && !jsonl) throw new UsageError('--csv or --jsonl is required.');
      const history = await context.connect(targetOf(options)).historyExport();
      if (!confirm) refuseLarge(await history.size());
      await writeExport(out, context.terminal, async (write) => {
        const format = csv ? await csvRows() : jsonLines;
        if (!(await write(format([])))) return;
        for await (const entry of history.entries(range)) if (!(await write(format([entry])))) return;
      });
    });
}

/** Formats entries; CSV begins with its header at the first call. */
type Rows = (entries: readonly TimelineEntry[]) => string;

const jsonLines: Rows = (entries) =>
  entries.map((entry) => `${toJsonLine(timelineFormat.json(entry))}\n`).join('');

async function csvRows(): Promise<Rows> {
  const rows = await openCsv(timelineFormat.csvColumns);
  return (entries) => rows(entries.map(timelineFormat.csv));
}

/** @throws UsageError for a history whose keys are expensive to read */
function refuseLarge({ tableBytes, indexBytes }: HistorySize): void {
  if (tableBytes <= largeBytes) return;
  const units = Math.ceil(indexBytes / bytesPerUnit);
  throw new UsageError(
    `The history is large: ${gigabytes(tableBytes)} GB. The export reads all keys of an index of ${gigabytes(indexBytes)} GB, about ${units} read units (${(units * dollarsPerUnit).toFixed(2)} USD), and at least half a unit for each message and reply of the range. --confirm confirms it; the export to S3 (docs/analysis.md) does not read the table.`,
  );
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
