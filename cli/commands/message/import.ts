import { extname } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { ContractFileError } from '../../../contract/document/contract-file-store.ts';
import { loadImportMapping, mappingNames } from '../../../contract/document/import-mapping-file-store.ts';
import { contentId } from '../../../contract/events/body.ts';
import { mainSource } from '../../../contract/events/source-id.ts';
import { columnsOf } from '../../../contract/imports/columns.ts';
import { createRowReader } from '../../../contract/imports/row-reader.ts';
import type { ImportMapping } from '../../../contract/schema/import-mapping-schema.ts';
import { formatCount } from '../../../functions/base/basics.ts';
import { type ChunkOptions, doubtKinds, importChunk, outcomes } from '../../imports/import-chunk.ts';
import { addChunk, emptyTally, maxProblems, openImportLog } from '../../imports/import-progress.ts';
import { chunksOf, type ImportFile, inspectFile, type RowFormat, readRows } from '../../imports/read-rows.ts';
import { type ImportedFile, renderImportedFile } from '../../imports/render-import.ts';
import { renderSurvey, type Survey, surveyFile, surveySchema } from '../../imports/survey.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addConfirmOption, type ConfirmOptions, confirm } from '../../input/confirm.ts';
import { readContract } from '../../input/contract-file.ts';
import { addTargetOptions, notEmpty, type TargetOptions, targetOf } from '../../input/options.ts';
import { readKeywords } from '../../insights/keywords.ts';
import { printResult, viewOf } from '../../output/print.ts';
import { showProgress } from '../../output/progress.ts';
import { clockOfAws } from '../../target/clock-of-aws.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, ReportedFailure, UsageError } from '../../target/errors.ts';
import { sanitize } from '../../text/sanitize.ts';
import { undoImport, undoSchema } from './undo-import.ts';

interface ImportOptions extends TargetOptions, ConfirmOptions {
  readonly undo?: string;
  readonly mapping?: string;
  readonly contract?: string;
  readonly format?: RowFormat;
  readonly dryRun?: true;
  readonly publish?: true;
  readonly optOuts?: true;
  readonly keywords?: string;
  readonly restart?: true;
}

const resultSchema = z.object({
  dryRun: z.boolean(),
  files: z.array(
    z.object({
      file: z.string(),
      rows: z.int(),
      ...surveySchema.shape,
      outcomes: z
        .record(z.enum(outcomes), z.int())
        .describe('How many rows were new, changed their message, were known, and so on.'),
      words: z
        .array(z.object({ word: z.string(), status: z.string(), isKnown: z.boolean(), rows: z.int() }))
        .describe('The words of the status that were found.'),
      problems: z
        .array(
          z.object({
            line: z.int().describe('The line in which the row ends.'),
            firstLine: z.int().optional().describe('The line in which it begins, if it has several.'),
            reason: z.string(),
            field: z.string().optional(),
          }),
        )
        .describe(`The rows that were rejected, at most ${maxProblems} of a file.`),
      reasons: z.record(z.string(), z.int()).describe('How many rows were rejected for each reason.'),
      rejectedLines: z.int().describe('How many lines of the file the rejected rows are.'),
      doubts: z
        .array(z.object({ kind: z.enum(doubtKinds), rows: z.int(), line: z.int() }))
        .describe('How many rows that were not rejected have a doubtful value, and the line of the first.'),
      missingColumns: z
        .array(z.object({ column: z.string(), field: z.string() }))
        .describe('Columns that the mapping names and the file does not have.'),
      optOuts: z.int().describe('Rows that say that their number opted out.'),
      optIns: z.int().describe('Rows that say that their number opted in again. Those of CSV are doubts.'),
      rejectedFile: z.string().optional(),
    }),
  ),
});

const texts: CommandTexts = {
  output: z.union([resultSchema, undoSchema]),
  examples: [
    'message import log.csv --mapping twilio-log --dry-run',
    'message import log.csv --mapping twilio-log --confirm',
    'message import old.csv --mapping mapping.json --confirm',
    'message import --undo imp-0123456789abcdef0123456789abcdef --dry-run',
  ],
  details:
    'Each row becomes a delivery report of its message, with the time of the row as the time of its receipt. A row that was imported before changes nothing, so the command can be run again at any time. A file that is not UTF-8 or UTF-16, that lacks a column which the mapping needs, or that has no row to import is refused before anything is written. Before that the command shows how each field is read. The progress is in <file>.import-progress: after an interruption the same command continues there. Rows that cannot be read are in <file>.rejected.jsonl with their content, which holds personal data; the command goes on, and exits with 1 at the end. Rows that are older than the history is kept are left out, but their opt-outs are recorded as those of other rows. Events are published only with --publish, and only for rows that were not imported before. A number opts out by a row only with --opt-outs or --publish, and the opt-out is published. An import has an id, which follows from its file, its mapping and the source. --undo removes what the import with an id added, and publishes nothing. It reads the whole history, and can be repeated after an interruption. docs/guides/import.md describes mappings.',
};

/** Adds `message import <files...>`, which takes in the history of another system. */
export function addMessageImport(message: Command, context: Context): void {
  const command = message
    .command('import')
    .summary('import messages from the export of another system')
    .description(
      'Imports delivery reports from CSV or JSON lines; --dry-run only counts what it would store.',
    )
    .argument('[files...]', 'files of CSV with a header, or of JSON lines')
    .option(
      '--mapping <file>',
      `how a row becomes a report: a file, or ${mappingNames().join(' or ')}`,
      notEmpty,
    )
    .option(
      '--contract <file>',
      'a contract or preset in place of the one that the mapping extends',
      notEmpty,
    )
    .addOption(
      new Option('--format <format>', 'the format of the files (default: by the end of their names)').choices(
        ['csv', 'jsonl'],
      ),
    )
    .addOption(
      new Option('--dry-run', 'read everything and count what would be stored; write nothing').conflicts([
        'confirm',
        'restart',
      ]),
    )
    .option('--publish', 'publish the events of the rows on the bus, and record opt-outs')
    .option('--opt-outs', 'opt out the numbers of rows that say so, which is published')
    .option('--keywords <file>', 'the keywords of replies that were deployed', notEmpty)
    .option('--restart', 'begin from the first row, whatever was imported before an interruption')
    .addOption(
      new Option('--undo <id>', 'remove what the import with this id added, instead of importing')
        .argParser(importId)
        .conflicts(['mapping', 'contract', 'format', 'publish', 'optOuts', 'keywords', 'restart']),
    );
  addConfirmOption(command, 'import, or undo, without a question');
  addTargetOptions(command)
    .explain(texts)
    .action((files: readonly string[], options: ImportOptions) =>
      options.undo === undefined
        ? importFiles(files, options, context)
        : undoImport(files, { ...options, undo: options.undo }, context),
    );
}

/** Reads the id of an import. */
function importId(text: string): string {
  if (!/^imp-[0-9a-f]{32}$/.test(text))
    throw new InvalidArgumentError(
      'Expected the id of an import, such as imp-0123456789abcdef0123456789abcdef.',
    );
  return text;
}

/** Without the column of one of these a report or a reply is wrong, and not only shorter. */
const neededFields = [
  'only',
  ...['messageId', 'recipient', 'status', 'occurredAt'].map((field) => `report.${field}`),
  ...['only', 'replyId', 'from', 'text', 'occurredAt'].map((field) => `replies.${field}`),
];

/** What every file of a command has in common. */
interface Plan
  extends Pick<
    ChunkOptions,
    'read' | 'access' | 'source' | 'publishes' | 'recordsOptOuts' | 'keywordOf' | 'isDryRun'
  > {
  readonly mapping: ImportMapping;
  readonly restarts: boolean;
}

/** A file whose rows were read once, without the database. */
interface SurveyedFile {
  readonly input: ImportFile;
  readonly survey: Survey;
}

async function importFiles(
  files: readonly string[],
  options: ImportOptions,
  context: Context,
): Promise<void> {
  if (files.length === 0)
    throw new UsageError('Expected a file to import, or --undo and the id of an import.');
  const formats = files.map((file) => formatOf(file, options));
  const mapping = await readMapping(options);
  const keywordOf = await readKeywords(options.keywords);
  const isDryRun = options.dryRun === true;
  const publishes = options.publish === true;
  const recordsOptOuts = publishes || options.optOuts === true;
  const columns = columnsOf(mapping);
  const needs = new Set([...neededFields, ...(recordsOptOuts ? ['report.errorCode', 'replies.optOut'] : [])]);
  // All files, so that nothing is written if one of them is not what the mapping describes.
  const inspected: ImportFile[] = [];
  for (const [index, file] of files.entries())
    inspected.push(
      await inspectFile(file, formats[index] ?? 'csv', columns, needs, mapping.quotes === 'none'),
    );
  const connection = context.connect(targetOf(options));
  const source = options.source ?? onlySourceOf(await connection.sources());
  const read = createRowReader(mapping);
  const surveyed: SurveyedFile[] = [];
  for (const input of inspected)
    surveyed.push({ input, survey: await survey(input, { mapping, source, read }, context) });
  showSurveys(surveyed, options, context);
  if (!isDryRun)
    await confirm(
      {
        text: `The rows of ${formatCount(files.length, 'file', 'files')} are imported${publishes ? ', and their events are published' : ' without events on the bus'} (--dry-run only counts them)`,
        confirms: 'imports them',
        refused: 'Nothing was imported.',
      },
      options,
      context.terminal,
    );
  const plan: Plan = {
    mapping,
    read,
    isDryRun,
    publishes,
    access: await connection.historyImport(),
    recordsOptOuts,
    keywordOf,
    source,
    restarts: options.restart === true,
  };
  const continues = isDryRun ? async () => true : context.beginWaiting();
  // Opt-outs are received now, before or after an erasure, which has the time of AWS.
  const importing = { ...context, clock: await clockOfAws(connection, context.clock) };
  const results: ImportedFile[] = [];
  for (const file of surveyed) results.push(await importFile(file, plan, importing, continues));
  printResult(context, options, {
    json: () => ({
      dryRun: isDryRun,
      files: results.map(({ file, survey, tally, missing, rejectedFile }) => ({
        file,
        ...survey,
        ...tally,
        missingColumns: missing,
        rejectedFile,
      })),
    }),
    text: (view) => results.map((result) => renderImportedFile(result, plan, view)).join('\n\n'),
  });
  if (results.some(({ tally }) => tally.outcomes.rejected > 0))
    throw new ReportedFailure('Some rows were rejected.');
}

/** Returns the source of rows for which the command names none. @throws UsageError if there are several: the rows of one get ids of that source */
function onlySourceOf(sources: readonly string[]): string {
  if (sources.length > 1)
    throw new UsageError(
      `The pipeline has several sources: --source is required, and names one of ${sources.join(', ')}.`,
    );
  return mainSource;
}

/** @throws UsageError */
function formatOf(file: string, { format }: ImportOptions): RowFormat {
  if (format !== undefined) return format;
  const end = extname(file).toLowerCase();
  if (end === '.csv') return 'csv';
  if (end === '.jsonl' || end === '.ndjson') return 'jsonl';
  throw new UsageError(
    `${file}: --format csv or --format jsonl is required, because the name ends in neither .csv nor .jsonl.`,
  );
}

/** @throws UsageError, CommandFailure */
async function readMapping({ mapping, contract }: ImportOptions): Promise<ImportMapping> {
  if (mapping === undefined)
    throw new UsageError(
      `--mapping is required: how a row becomes a report. Expected a file, or one of: ${mappingNames().join(', ')}.`,
    );
  const base = contract === undefined ? undefined : await readContract(contract);
  try {
    return loadImportMapping(mapping, base);
  } catch (error) {
    if (error instanceof ContractFileError) throw new CommandFailure(error.message);
    throw error;
  }
}

/** Reads a file as an import does, before anything is written. */
function survey(
  input: ImportFile,
  { read, ...rules }: Pick<Plan, 'mapping' | 'source' | 'read'>,
  context: Context,
): Promise<Survey> {
  const progress = showProgress(context, {
    doing: 'Checking',
    unit: ['row', 'rows'],
    total: rowsIn(input),
  });
  return surveyFile(input, rules, read, progress);
}

/** A text may have several lines, so this is an estimate. */
function rowsIn({ layout, lines }: ImportFile): number {
  return layout === undefined ? lines : lines - layout.fromLine;
}

/** Shows how the rows are read. With --json the result has it, so only a question needs it before. */
function showSurveys(
  surveyed: readonly SurveyedFile[],
  { json, confirm: isConfirmed, dryRun }: ImportOptions,
  { terminal }: Context,
): void {
  const isAsked = !isConfirmed && !dryRun && terminal.ask !== undefined;
  if (json !== undefined && !isAsked) return;
  const show = json === undefined ? terminal.out : terminal.err;
  for (const { input, survey } of surveyed)
    show(`${renderSurvey(input.path, survey, viewOf(terminal, false))}\n\n`);
}

async function importFile(
  { input, survey }: SurveyedFile,
  plan: Plan,
  context: Context,
  continues: (milliseconds: number) => Promise<boolean>,
): Promise<ImportedFile> {
  const { path: file, hash, missing } = input;
  const identity = {
    file: hash,
    mapping: contentId([survey.importId, plan.publishes, plan.recordsOptOuts]),
    pipeline: plan.access.tableName,
  };
  let log = plan.isDryRun ? undefined : await openImportLog(file, identity, plan.restarts);
  if (
    log !== undefined &&
    log.begun.rows > 0 &&
    (await isUndone({ input, survey }, log.begun.rows, plan, context))
  ) {
    context.terminal.err('What was imported is no longer in the history, so the import begins again.\n');
    log = await openImportLog(file, identity, true);
  }
  let tally = log?.begun ?? emptyTally;
  if (tally.rows > 0)
    context.terminal.err(
      `Continuing after ${formatCount(tally.rows, 'row', 'rows')}, where the import was interrupted.\n`,
    );
  const progress = showProgress(context, {
    doing: plan.isDryRun ? 'Reading' : 'Importing',
    unit: ['row', 'rows'],
    total: rowsIn(input),
    before: tally.rows,
  });
  const numbers = new Map<string, string>();
  try {
    for await (const chunk of chunksOf(readRows(input, plan.read, tally.rows))) {
      // What an import has stored, it reads from the history.
      if (!plan.isDryRun) numbers.clear();
      const { importId } = survey;
      const result = await importChunk(chunk, {
        ...plan,
        importId,
        recordsOptIns: recordsOptIns(input),
        numbers,
        now: context.clock(),
      });
      tally = addChunk(tally, result);
      await log?.checkpoint(tally, result.rejected);
      progress(tally.rows);
      if (!(await continues(0))) throw new CommandFailure('Interrupted.');
    }
  } catch (error) {
    if (log !== undefined)
      context.terminal.err(
        `The import of ${sanitize(file)} is not complete: ${formatCount(tally.rows, 'row is', 'rows are')} done. The same command continues there if the file is unchanged.\n`,
      );
    throw error;
  }
  await log?.complete();
  const isRejected = tally.outcomes.rejected > 0;
  return {
    file,
    survey,
    tally,
    missing,
    ...(log !== undefined && isRejected && { rejectedFile: log.rejectedPath }),
  };
}

/** Only in JSON lines is it certain where a row begins and ends. */
function recordsOptIns({ layout }: ImportFile): boolean {
  return layout === undefined;
}

/**
 * Returns whether the history has none of the rows any more that were imported before an interruption. Rows that were not imported, such as those
 * that are too old, say nothing, so the first chunk with others decides.
 *
 * @param begun how many rows were done
 */
async function isUndone(
  { input, survey }: SurveyedFile,
  begun: number,
  plan: Plan,
  context: Context,
): Promise<boolean> {
  const { importId } = survey;
  const rules = {
    ...plan,
    importId,
    recordsOptIns: recordsOptIns(input),
    isDryRun: true,
    now: context.clock(),
  };
  let read = 0;
  for await (const chunk of chunksOf(readRows(input, plan.read))) {
    if (read >= begun) return false;
    read += chunk.length;
    const { rows } = await importChunk(chunk, { ...rules, numbers: new Map() });
    if (rows.includes('known')) return false;
    if (rows.includes('new') || rows.includes('changed')) return true;
  }
  return false;
}
