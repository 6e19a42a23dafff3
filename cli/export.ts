import { type Command, Option } from 'commander';
import type { HistorySize } from '../functions/adapters/history-export.ts';
import type { TimelineEntry } from '../functions/core/history/timeline.ts';
import type { Context } from './context.ts';
import { writeExport } from './export-output.ts';
import { addExportPhone } from './export-phone.ts';
import { UsageError } from './failures.ts';
import { openCsv } from './list/csv.ts';
import { lastDay } from './list/list-options.ts';
import { readTime } from './list/time-argument.ts';
import { timelineFormat } from './list/timeline-format.ts';
import { addPipelineOptions, notEmpty, type TargetOptions, targetOf } from './options.ts';
import { toJsonLine } from './text/sanitize.ts';

interface ExportOptions extends TargetOptions {
  readonly since?: string;
  readonly until?: string;
  readonly csv?: true;
  readonly jsonl?: true;
  readonly out?: string;
  readonly yes?: true;
}

const examples = `
Examples:
  npm run -s sms -- export --since yesterday --until today --csv > day.csv
  npm run -s sms -- export --since 2h --jsonl --out last.jsonl --local
  npm run -s sms -- export phone +1 202 555 0143

Messages by when they were first seen, replies by when they were sent, in no order, numbers and texts in full. Times as in the
lists (history failed --help). Messages whose number no report told are missing; the export to S3 (docs/analysis.md) has them.
It reads the keys of the whole history, whatever the time: meant for small volumes, and above 1 GB only done with --yes.
Exit codes: 0 also where there is nothing, 1 failed, 2 wrong usage.`;

/** Bytes of the history from which on an export has to be asked for twice. */
const largeBytes = 1_000_000_000;

/** DynamoDB reads 8 KB a unit where it need not be the very latest. */
const bytesPerUnit = 8192;

/** On demand, us-east-1, 2026. */
const dollarsPerUnit = 0.125 / 1_000_000;

/** `export`: the messages and replies of a time; `export phone <number>`: everything about a number. */
export function addExport(program: Command, context: Context): void {
  const command = program
    .command('export')
    .summary('the history of a time, or of one number, as a file')
    .description(
      'Writes the messages and replies of a time as CSV or JSON lines; export phone those of a number.',
    )
    .enablePositionalOptions()
    .option('--since <time>', 'from this time on', notEmpty)
    .option('--until <time>', 'before this time (default: all there is)', notEmpty)
    .addOption(new Option('--csv', 'CSV with a header (RFC 4180)').conflicts('jsonl'))
    .option('--jsonl', 'one JSON document a line')
    .option('--out <file>', 'a new file that only you can read, instead of stdout', notEmpty)
    .option('--yes', 'also where the history is large');
  addPipelineOptions(command)
    .addHelpText('after', examples)
    .action(async (options: ExportOptions) => {
      const { csv = false, jsonl = false, yes = false, out } = options;
      const range = await readRange(options, context);
      if (!csv && !jsonl) throw new UsageError('--csv or --jsonl has to say what is to be written.');
      const history = await context.connect(targetOf(options)).historyExport();
      if (!yes) refuseLarge(await history.size());
      await writeExport(out, context.terminal, async (write) => {
        const format = csv ? await csvRows() : jsonLines;
        if (!(await write(format([])))) return;
        for await (const entry of history.entries(range)) if (!(await write(format([entry])))) return;
      });
    });
  addExportPhone(command, context);
}

async function readRange({ since, until }: ExportOptions, { clock, terminal }: Context) {
  if (since === undefined)
    throw new UsageError(
      '--since has to say from when on; to export what is kept about one number: export phone <number>.',
    );
  const reading = { now: clock(), zone: terminal.zone };
  return lastDay(
    {
      since: await readTime(since, { ...reading, option: '--since' }),
      ...(until === undefined ? {} : { until: await readTime(until, { ...reading, option: '--until' }) }),
    },
    reading.now,
  );
}

/** Turns entries into text; CSV begins with its header at the first call. */
type Rows = (entries: readonly TimelineEntry[]) => string;

const jsonLines: Rows = (entries) =>
  entries.map((entry) => `${toJsonLine(timelineFormat.json(entry))}\n`).join('');

async function csvRows(): Promise<Rows> {
  const rows = await openCsv(timelineFormat.csvColumns);
  return (entries) => rows(entries.map(timelineFormat.csv));
}

/** @throws UsageError for a history whose keys are dear to read */
export function refuseLarge({ tableBytes, indexBytes }: HistorySize): void {
  if (tableBytes <= largeBytes) return;
  const units = Math.ceil(indexBytes / bytesPerUnit);
  throw new UsageError(
    `The history is large: ${gigabytes(tableBytes)} GB. This reads all keys of an index of ${gigabytes(indexBytes)} GB, about ${units} read units (${(units * dollarsPerUnit).toFixed(2)} USD), and half a unit or more for each message and reply of the time. --yes does it; the export to S3 (docs/analysis.md) does not read the table.`,
  );
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
