import { access, open, rename, unlink } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { TimelineEntry } from '../../functions/history/message.ts';
import { lastDay } from '../input/list-options.ts';
import { addPipelineOptions, notEmpty, type TargetOptions, targetOf } from '../input/options.ts';
import { addNumberArgument, type NumberOptions, readSearchedNumber } from '../input/phone-argument.ts';
import { readTime } from '../input/time-argument.ts';
import { openCsv } from '../output/entry-format.ts';
import { timelineFormat } from '../output/timeline-format.ts';
import { viewPersonalRecord } from '../personal-data/record.ts';
import type { HistorySize } from '../stores/history-tables.ts';
import type { Context, Terminal } from '../target/context.ts';
import { CommandFailure, UsageError } from '../target/errors.ts';
import { toJsonLine } from '../text/sanitize.ts';

/** Takes a part of an export. False where nobody reads on, so that there is no use in more. */
type Write = (text: string) => Promise<boolean>;

/**
 * Lets an export write to stdout, or to a new file that only its owner may read. Until it is complete its name ends in
 * `.part`; one that was not written to its end is removed, where the process lives to do it.
 *
 * @param path of the file; undefined for stdout
 * @throws CommandFailure where the file exists, or cannot be written
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
  const file = await explained(part, () => open(part, 'wx', 0o600));
  let isComplete = false;
  try {
    await produce(async (text) => {
      await explained(part, () => file.appendFile(text));
      return true;
    });
    await refuseExisting(path);
    await explained(path, () => rename(part, path));
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

async function explained<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
    throw new CommandFailure(
      error.code === 'EEXIST'
        ? existing(path)
        : `${path} cannot be written (${error.code}); --out names another file.`,
    );
  }
}

interface ExportPhoneOptions extends TargetOptions, NumberOptions {
  readonly out?: string;
}

const phoneExamples = `
Examples:
  npm run -s sms -- export phone +1 202 555 0143 --local
  npm run -s sms -- export phone +12025550143 --out person.jsonl

One JSON document a line, numbers and texts in full: messages, replies, the opt-out ("kind" says which), and what in quarantine
the number occurs in, as it was received: look through that before it is handed out, a body may be about others as well.
Exit codes: 0 also where nothing is known of the number, 1 failed, 2 wrong usage.`;

/** `export phone <number>`: everything that is kept about a number. */
function addExportPhone(parent: Command, context: Context): void {
  const command = parent
    .command('phone')
    .summary('everything about one number')
    .description('Writes everything that is kept about a number as JSON lines.')
    .option('--out <file>', 'a new file that only you can read, instead of stdout', notEmpty);
  addPipelineOptions(addNumberArgument(command))
    .addHelpText('after', phoneExamples)
    .action(async (words: readonly string[], options: ExportPhoneOptions) => {
      refuseMisplaced(parent);
      const phone = await readSearchedNumber(words, options);
      const data = await context.connect(targetOf(options)).personalData(context.clock);
      let found = 0;
      await writeExport(options.out, context.terminal, async (write) => {
        for await (const record of data.records(phone)) {
          found += 1;
          if (!(await write(`${toJsonLine(viewPersonalRecord(record))}\n`))) return;
        }
      });
      if (found === 0)
        context.terminal.err('Nothing is kept about this number. Check that it is written right.\n');
    });
}

/** What stands before `phone` is an option of `export`, and would be dropped in silence. */
function refuseMisplaced(parent: Command): void {
  const given = parent.options.find(
    (option) => parent.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (given !== undefined)
    throw new UsageError(
      `${given.long} stands before "phone", where it does nothing: options of export phone belong behind "phone".`,
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
function refuseLarge({ tableBytes, indexBytes }: HistorySize): void {
  if (tableBytes <= largeBytes) return;
  const units = Math.ceil(indexBytes / bytesPerUnit);
  throw new UsageError(
    `The history is large: ${gigabytes(tableBytes)} GB. This reads all keys of an index of ${gigabytes(indexBytes)} GB, about ${units} read units (${(units * dollarsPerUnit).toFixed(2)} USD), and half a unit or more for each message and reply of the time. --yes does it; the export to S3 (docs/analysis.md) does not read the table.`,
  );
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
