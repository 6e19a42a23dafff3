import { access, open, rename, unlink } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { TimelineEntry } from '../../../functions/history/message.ts';
import { lastDay, readRange } from '../../input/list-options.ts';
import { addPipelineOptions, notEmpty, type TargetOptions, targetOf } from '../../input/options.ts';
import { addNumberArgument, type NumberOptions, readSearchedNumber } from '../../input/phone-argument.ts';
import { openCsv } from '../../output/entry-format.ts';
import { timelineFormat } from '../../output/timeline-format.ts';
import { viewPersonalRecord } from '../../personal-data/record.ts';
import type { HistorySize } from '../../stores/history-tables.ts';
import type { Context, Terminal } from '../../target/context.ts';
import { CommandFailure, explainFileErrors, UsageError } from '../../target/errors.ts';
import { toJsonLine } from '../../text/sanitize.ts';

/** Writes a part of an export. Returns false once the reader has closed the pipe, so that the export can stop. */
type Write = (text: string) => Promise<boolean>;

/**
 * Writes an export to stdout, or to a new file that only its owner may read. The name of an incomplete file ends in `.part`; the
 * file is removed if the export fails.
 *
 * @param path of the file; undefined for stdout
 * @throws CommandFailure if the file exists or cannot be written
 */
async function writeExport(
  path: string | undefined,
  { out, closed }: Pick<Terminal, 'out' | 'closed'>,
  produce: (write: Write) => Promise<void>,
): Promise<void> {
  if (path === undefined)
    return produce(async (text) => {
      out(text);
      return !closed();
    });
  await refuseExisting(path);
  const part = `${path}.part`;
  const file = await withPath(part, () => open(part, 'wx', 0o600));
  let isComplete = false;
  try {
    await produce(async (text) => {
      await withPath(part, () => file.appendFile(text));
      return true;
    });
    await refuseExisting(path);
    await withPath(path, () => rename(part, path));
    isComplete = true;
  } finally {
    await file.close();
    if (!isComplete) await unlink(part);
  }
}

async function refuseExisting(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new CommandFailure(existing(path));
}

function existing(path: string): string {
  return `${path} exists, and an export overwrites nothing: remove it, or name another file with --out.`;
}

function withPath<T>(path: string, operation: () => Promise<T>): Promise<T> {
  return explainFileErrors(
    (code) =>
      code === 'EEXIST' ? existing(path) : `${path} cannot be written (${code}); --out names another file.`,
    operation,
  );
}

interface ExportPhoneOptions extends TargetOptions, NumberOptions {
  readonly out?: string;
}

const phoneExamples = `
Examples:
  npm run -s sms -- export phone +1 202 555 0143 --local
  npm run -s sms -- export phone +12025550143 --out person.jsonl

One JSON document a line, numbers and texts in full: messages, replies, the opt-out, and quarantine entries that contain the
number, as received ("kind" names each). Review quarantine entries before you hand them out: a body may be about other people too.
Exit codes: 0 also where nothing is stored about the number, 1 failed, 2 wrong usage.`;

/** Adds `export phone <number>`, which writes everything that is stored about a number. */
function addExportPhone(parent: Command, context: Context): void {
  const command = parent
    .command('phone')
    .summary('export everything about one number')
    .description('Writes everything that is stored about a number as JSON lines.')
    .option('--out <file>', 'a new file that only you can read, instead of stdout', notEmpty);
  addPipelineOptions(addNumberArgument(command))
    .addHelpText('after', phoneExamples)
    .action(async (words: readonly string[], options: ExportPhoneOptions) => {
      refuseMisplaced(parent);
      const phone = await readSearchedNumber(words, options);
      const data = await context.connect(targetOf(options)).personalData(context.clock);
      let count = 0;
      await writeExport(options.out, context.terminal, async (write) => {
        for await (const record of data.records(phone)) {
          count += 1;
          if (!(await write(`${toJsonLine(viewPersonalRecord(record))}\n`))) return;
        }
      });
      if (count === 0) context.terminal.err('Nothing is stored about this number. Check its spelling.\n');
    });
}

/** Rejects options before `phone`: they belong to `export` and would be ignored silently. */
function refuseMisplaced(parent: Command): void {
  const misplaced = parent.options.find(
    (option) => parent.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (misplaced !== undefined)
    throw new UsageError(
      `${misplaced.long} is before "phone", where it has no effect: put the options of export phone after "phone".`,
    );
}

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

Exports messages by the time they were first seen and replies by the time they were sent, in no order, with numbers and texts in
full. Times as in the lists (history failed --help). Messages whose reports had no number are missing; the export to S3
(docs/analysis.md) has them. The command reads the keys of the whole history, whatever the range. It is meant for small volumes;
above 1 GB it requires --yes.
Exit codes: 0 also where there is nothing, 1 failed, 2 wrong usage.`;

/** Above this size of the history an export requires --yes. */
const largeBytes = 1_000_000_000;

/** One read unit covers 8 KB of eventually consistent reads. */
const bytesPerUnit = 8192;

/** The price on demand in us-east-1, 2026. */
const dollarsPerUnit = 0.125 / 1_000_000;

/** Adds `export`, which writes the messages and replies of a range, and `export phone <number>`. */
export function addExport(program: Command, context: Context): void {
  const command = program
    .command('export')
    .summary('export the history of a range of time, or of one number')
    .description(
      'Writes the messages and replies of a range of time as CSV or JSON lines; export phone those of a number.',
    )
    .enablePositionalOptions()
    .option('--since <time>', 'from this time on', notEmpty)
    .option('--until <time>', 'before this time (default: no limit)', notEmpty)
    .addOption(new Option('--csv', 'CSV with a header (RFC 4180)').conflicts('jsonl'))
    .option('--jsonl', 'one JSON document a line')
    .option('--out <file>', 'a new file that only you can read, instead of stdout', notEmpty)
    .option('--yes', 'export even if the history is large');
  addPipelineOptions(command)
    .addHelpText('after', examples)
    .action(async (options: ExportOptions) => {
      const { csv = false, jsonl = false, yes = false, out } = options;
      if (options.since === undefined)
        throw new UsageError('--since is required. To export the data of one number: export phone <number>.');
      const range = lastDay(await readRange(options, context), context.clock());
      if (!csv && !jsonl) throw new UsageError('--csv or --jsonl is required.');
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
    `The history is large: ${gigabytes(tableBytes)} GB. The export reads all keys of an index of ${gigabytes(indexBytes)} GB, about ${units} read units (${(units * dollarsPerUnit).toFixed(2)} USD), and at least half a unit for each message and reply of the range. --yes confirms it; the export to S3 (docs/analysis.md) does not read the table.`,
  );
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
