import * as z from 'zod';
import { formatCount } from '../../../functions/base/basics.ts';
import { endLine, itemLine } from '../../copies/file-copy.ts';
import { readParts } from '../../copies/read-parts.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addPipelineOptions, notEmpty, type TargetOptions, wholeTargetOf } from '../../input/options.ts';
import { showProgress } from '../../output/progress.ts';
import { beginFile, type ResumableFile, resumeFile } from '../../output/resumable-file.ts';
import { wrote } from '../../output/write-export.ts';
import { type HistoryItems, segments } from '../../stores/history-items.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure } from '../../target/errors.ts';
import { suggest } from '../../target/suggest.ts';
import { shellQuoted } from '../../text/format.ts';

interface ExportOptions extends TargetOptions {
  readonly out: string;
  readonly resume?: true;
}

const texts: CommandTexts = {
  examples: [
    'history export --out history.jsonl',
    'history export --out history.jsonl --resume   (it was interrupted)',
  ],
  details:
    'Writes every item of the history and of the quarantine as DynamoDB has it, one JSON document a line, in no order: numbers, texts, opt-outs and receipts of erasures. history join takes the file in again, also in another account. DynamoDB may show what arrives meanwhile or not. Until the file is complete its name ends in .part, and .part.json beside it says where --resume continues. Insights are not in it, because they follow from the history. To hand data to other programs, use message export.',
};

/** Adds `history export`, which writes the whole history to a file. */
export function addHistoryExport(history: Command, context: Context): void {
  const command = history
    .command('export')
    .summary('write the whole history to a file, as a backup or to move it')
    .description('Writes every item of the history and the quarantine to a file that history join reads.')
    .requiredOption('--out <file>', 'a new file that only you can read', notEmpty)
    .option('--resume', 'continue the interrupted export of --out');
  addPipelineOptions(command)
    .explain(texts)
    .action((options: ExportOptions) => exportHistory(options, context));
}

const parts = (['history', 'quarantine'] as const).flatMap((table) =>
  Array.from({ length: segments }, (_, segment) => ({ table, segment, name: `${table} ${segment}` })),
);

const stateSchema = z.object({
  tables: z.array(z.string()),
  items: z.int(),
  /** The keys of the receipts of erasures that were complete when the export began. */
  erasures: z.array(z.string()),
  /** Where each part continues; null if it is done. */
  parts: z.record(z.string(), z.string().nullable()),
});

type State = z.output<typeof stateSchema>;

async function exportHistory(options: ExportOptions, context: Context): Promise<void> {
  const { out } = options;
  const target = wholeTargetOf(options);
  const here = await context.connect(target).historyItems();
  const tables = Object.values(here.tables).map(({ id }) => id);
  const file =
    options.resume === true
      ? await resumeFile(out, stateSchema)
      : await beginFile<State>(out, { tables, items: 0, erasures: await erasuresOf(here), parts: {} });
  try {
    if (file.state.tables.join() !== tables.join())
      throw new CommandFailure(
        `The export in ${out}.part is of another pipeline: name the one that it was begun with.`,
      );
    const items = await writeItems(file, here, context);
    await file.append(endLine(items));
    await file.complete();
    context.terminal.err(wrote(formatCount(items, 'item', 'items'), out));
    await warnOfErasures(here, file.state, context);
  } catch (error) {
    context.terminal.err(
      `The export is not complete. To continue it: ${suggest(target, `history export --out ${shellQuoted(out)} --resume`)}\n`,
    );
    throw error;
  } finally {
    await file.close();
  }
}

/** Writes the parts that are left. @returns how many items the file has then @throws CommandFailure after an interruption */
async function writeItems(file: ResumableFile<State>, here: HistoryItems, context: Context): Promise<number> {
  const continues = context.beginWaiting();
  const { tables, erasures } = file.state;
  const done = new Map(Object.entries(file.state.parts));
  let { items } = file.state;
  const progress = showProgress(context, {
    doing: 'Exporting',
    unit: ['item', 'items'],
    total: here.tables.history.items + here.tables.quarantine.items || undefined,
    before: items,
  });
  let writing = Promise.resolve();
  let isInterrupted = false;
  await readParts(
    parts.filter(({ name }) => done.get(name) !== null),
    ({ table, segment, name }) => here.scan(table, segment, done.get(name) ?? undefined),
    async ({ name }, page) => {
      // One page after another, because a checkpoint counts the bytes of all pages before it.
      writing = writing.then(async () => {
        await file.append(page.items.map(itemLine).join(''));
        items += page.items.length;
        done.set(name, page.next ?? null);
        await file.checkpoint({ tables, items, erasures, parts: Object.fromEntries(done) });
      });
      await writing;
      progress(items);
      if (!(await continues(0))) isInterrupted = true;
      return !isInterrupted;
    },
  );
  if (isInterrupted && parts.some(({ name }) => done.get(name) !== null))
    throw new CommandFailure('Interrupted.');
  return items;
}

const erasuresOf = async (here: HistoryItems): Promise<string[]> =>
  (await here.erasures()).filter(({ state }) => state?.S === 'done').map(({ pk }) => pk?.S ?? '');

/** Says that the file may have persons who were erased after it was begun, and lack their receipts. */
async function warnOfErasures(here: HistoryItems, { erasures }: State, { terminal }: Context): Promise<void> {
  const known = new Set(erasures);
  const count = (await here.erasures()).filter(({ pk }) => !known.has(pk?.S ?? '')).length;
  if (count > 0)
    terminal.err(
      `warning: ${formatCount(count, 'erasure was', 'erasures were')} not complete when the export began, so the file may have what was erased. Delete it, and export again.\n`,
    );
}
