import { Option } from 'commander';
import * as z from 'zod';
import { maskNumbers } from '../../../contract/phone/mask.ts';
import { formatCount } from '../../../functions/base/basics.ts';
import { randomGeneration } from '../../../functions/history/io.ts';
import {
  countOf,
  forgetProgress,
  type JoinResult,
  type JoinTally,
  joinCopy,
  readReceipts,
} from '../../copies/join-copy.ts';
import { type ItemOutcome, type JoinedEntry, joinedKinds } from '../../copies/join-page.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addConfirmOption, type ConfirmOptions, confirm } from '../../input/confirm.ts';
import { openRange, readRange } from '../../input/list-options.ts';
import { addTargetOptions, notEmpty, wholeTargetOf } from '../../input/options.ts';
import { correct } from '../../insights/correct.ts';
import { readKeywords } from '../../insights/keywords.ts';
import { measure } from '../../insights/measure.ts';
import { printResult, type View } from '../../output/print.ts';
import { countProgress, showProgress } from '../../output/progress.ts';
import { erasedPersons, type KnownErasures } from '../../personal-data/erased-persons.ts';
import type { HistoryItems } from '../../stores/history-items.ts';
import type { HistoryCopy } from '../../stores/table-copy.ts';
import type { Connection } from '../../target/connection.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, explainOrName, ReportedFailure } from '../../target/errors.ts';
import { MissingOutput } from '../../target/stack/outputs.ts';
import { sanitize } from '../../text/sanitize.ts';
import { renderTable } from '../../text/table.ts';
import { addCopyOptions, type CopyOptions, openCopy } from './copy-options.ts';

interface JoinCommandOptions extends CopyOptions, ConfirmOptions {
  readonly dryRun?: true;
  readonly preferCopy?: true;
  readonly publish?: true;
  readonly keywords?: string;
}

export const countsSchema = z
  .record(z.string(), z.record(z.string(), z.int()))
  .describe('How many items of each kind have each outcome.');

export const namedSchema = z
  .array(z.object({ kind: z.string(), key: z.string(), outcome: z.string() }))
  .describe('The first 100 items of each kind and outcome, without those that are equal or newer here.');

const joinSchema = z.object({
  dryRun: z.boolean(),
  items: z.int().describe('Items of the copy that were compared.'),
  written: z.int().describe('Items that were written, or would be.'),
  others: z.int().describe('Items of the copy that only its pipeline needs, which are left out.'),
  counts: countsSchema,
  named: namedSchema,
  problems: z.array(z.string()),
});

const joinTexts: CommandTexts = {
  output: joinSchema,
  examples: [
    'history join --from-table sms-restored --dry-run',
    'history join --from-table sms-restored --confirm',
    'history join --from-file history.jsonl --confirm',
  ],
  details:
    'What another copy of the history has is added to this history: messages, replies, opt-outs, the quarantine and the receipts of erasures. The result is the union of both, so the command can be run at any time and any number of times, also while events arrive. Nothing is published, except with --publish. Persons who were erased here stay erased. What is older than this history keeps items is left out. The figures are recounted at the end. After an interruption the same command continues. It exits with 1 if something could not be joined. docs/guides/restore.md and docs/guides/move.md have the steps.',
};

/** Adds `history join`, which adds what another copy of the history has. */
export function addHistoryJoin(history: Command, context: Context): void {
  const command = history
    .command('join')
    .summary('add what another copy of the history has')
    .description('Joins another copy of the history into this one; --dry-run only counts.');
  addCopyOptions(command)
    .option(
      '--prefer-copy',
      'if both have a report, entry or receipt with another content, the copy is right',
    )
    .option('--publish', 'publish what is new here, and start automations by it')
    .option('--keywords <file>', 'the keywords that were deployed, for the figures', notEmpty)
    .addOption(new Option('--dry-run', 'count what would happen; write nothing').conflicts(['confirm']));
  addConfirmOption(command, 'join it without a question');
  addTargetOptions(command)
    .explain(joinTexts)
    .action((options: JoinCommandOptions) => join(options, context));
}

async function join(options: JoinCommandOptions, context: Context): Promise<void> {
  const isDryRun = options.dryRun === true;
  const connection = context.connect(wholeTargetOf(options));
  const range = openRange(await readRange(options, context));
  const keywordOf = await readKeywords(options.keywords);
  const here = await connection.historyItems();
  const copy = await openCopy(options, connection, here);
  const erased = await readErasures(here, copy, connection, context);
  if (!isDryRun)
    await confirm(
      {
        text: `The items of ${copy.name} are added to the history${options.publish === true ? ', and published' : ''} (--dry-run only counts them)`,
        confirms: 'adds them',
        refused: 'Nothing was joined.',
      },
      options,
      context.terminal,
    );
  const progressPath = isDryRun ? undefined : `${copy.name.split('/').at(-1)}.join-progress`;
  const run = { connection, copy, here, erased, range, isDryRun, progressPath };
  const result = await joinOrExplain(run, options, context);
  const { tally } = result;
  const problems = [...result.doubts, ...problemsOf(tally), ...(await erasedMeanwhile(result, here))];
  if (!isDryRun && (tally.written > 0 || result.isResumed))
    problems.push(...(await recount(connection, keywordOf, context)));
  if (progressPath !== undefined) await forgetProgress(progressPath);
  printResult(context, options, {
    json: () => ({ dryRun: isDryRun, ...tally, named: inOrder(tally.named), problems }),
    text: (view) =>
      [
        ...renderCounts(tally, view),
        ...renderNamed(tally.named, doubtful),
        ...problems.map(sanitize),
        isDryRun ? 'Nothing was written: this was a dry run.' : ending(tally, problems, options),
      ].join('\n'),
  });
  if (problems.length > 0) throw new ReportedFailure('The join is not complete.');
}

export interface JoinCommandRun {
  readonly connection: Connection;
  readonly copy: HistoryCopy & { readonly name: string };
  readonly here: HistoryItems;
  readonly erased: KnownErasures;
  readonly range: { readonly since?: string; readonly until?: string };
  readonly isDryRun: boolean;
  readonly progressPath: string | undefined;
  readonly onItems?: (entries: readonly JoinedEntry[]) => void;
}

export async function joinOrExplain(
  { connection, copy, here, erased, range, isDryRun, progressPath, onItems }: JoinCommandRun,
  options: Pick<JoinCommandOptions, 'preferCopy' | 'publish'>,
  context: Context,
): Promise<JoinResult> {
  const rules = {
    ...(await connection.historySettings()),
    prefersCopy: options.preferCopy === true,
    isQuiet: options.publish !== true,
  };
  const now = context.clock();
  const continues = isDryRun ? async () => true : context.beginWaiting();
  const progress = showProgress(context, {
    doing: isDryRun ? 'Comparing' : 'Joining',
    unit: ['item', 'items'],
    total: copy.total,
  });
  try {
    const result = await joinCopy({
      copy,
      options: { here, rules, erased, range, now: now / 1000, isDryRun, newGeneration: randomGeneration },
      progressPath,
      identity: JSON.stringify([here.tables.history.id, rules, range]),
      async onPage(tally) {
        progress(
          tally.items,
          formatCount(tally.written, 'item is added or changed', 'items are added or changed'),
        );
        return continues(0);
      },
      ...(onItems !== undefined && { onItems }),
    });
    if (result.kind === 'interrupted') throw new CommandFailure('Interrupted.');
    return result;
  } catch (error) {
    if (progressPath !== undefined)
      context.terminal.err(
        `The join is not complete. The same command continues it. Its progress is in ${sanitize(progressPath)}.\n`,
      );
    throw error;
  }
}

/** Reads who was erased from the history, and from that of the copy. @throws CommandFailure while an erasure runs */
export async function readErasures(
  here: HistoryItems,
  copy: HistoryCopy,
  connection: Connection,
  context: Context,
): Promise<KnownErasures> {
  const own = await here.erasures();
  const onRead = countProgress(context, { doing: 'Looking for erasures', unit: ['item', 'items'] });
  const receipts = [...own, ...(await readReceipts(copy, context.clock() / 1000, onRead))];
  const erasureKey = await connection.erasureKey();
  const keys = receipts.length === 0 ? [] : await erasureKey.read();
  const erased = erasedPersons(receipts, keys, new Date(context.clock()).toISOString());
  const [running] = erased.running;
  if (running !== undefined)
    throw new CommandFailure(
      `An erasure is running, or was interrupted: receipt ${receiptOf(running)}. Complete it first (sms person erase --resume), so that the join cannot bring the person back.`,
    );
  if (erased.unknown.length > 0)
    context.terminal.err(
      `warning: ${formatCount(erased.unknown.length, 'erasure is', 'erasures are')} known only by a key that the secret ${erasureKey.name} lacks, so the persons cannot be left out. Add the key of the pipeline that erased them to the secret, behind a blank.\n`,
    );
  return erased;
}

/** Returns what to do about persons who were erased while the join was running. */
async function erasedMeanwhile({ knownErasures }: JoinResult, here: HistoryItems): Promise<string[]> {
  const ids = (await here.erasures()).map(({ pk }) => pk?.S ?? '');
  const receipts = ids.filter((id) => !knownErasures.has(id)).map(receiptOf);
  return receipts.length === 0
    ? []
    : [
        `${formatCount(receipts.length, 'person was', 'persons were')} erased while the join was running, and may be there again. Erase them once more: those of the ${receipts.length === 1 ? 'receipt' : 'receipts'} ${receipts.join(', ')}.`,
      ];
}

const receiptOf = (key: string): string => key.slice(key.indexOf('#') + 1);

const failing: Readonly<Partial<Record<ItemOutcome, string>>> = {
  broken: 'cannot be read in this history and stays as it is. --prefer-copy replaces it by the copy',
  unreadable: 'cannot be read in the copy',
  'still-here':
    'of the copy are of persons who were erased there, and this history has them too. Erase these persons here',
  unsearched:
    'of the copy have more in them than could be searched for persons who were erased, so they are left out. Look at each (docs/guides/restore.md, "The outcomes")',
  'too-large': 'would be larger than DynamoDB accepts',
};

export function problemsOf(tally: JoinTally): string[] {
  const failed = Object.entries(failing).flatMap(([outcome, text]) => {
    const count = countOf(tally, outcome);
    return count === 0 ? [] : [`${formatCount(count, 'item', 'items')} ${text}.`];
  });
  if (tally.items > 0) return failed;
  return [
    tally.others === 0
      ? 'The copy has no items.'
      : `The copy has ${formatCount(tally.others, 'item', 'items')}, and none is a message, a reply, an opt-out, a receipt of an erasure or an entry of a quarantine. It is probably not a history.`,
  ];
}

const meanings: Readonly<Record<ItemOutcome, string>> = {
  equal: 'the same in both',
  newer: 'this history has all of it, and more',
  added: 'this history did not have it',
  completed: 'the copy has a report, version or statement more',
  conflict: 'the same report, entry or receipt has another content in both',
  repaired: 'this history had it, but spoiled',
  broken: 'it cannot be read here',
  erased: 'the person was erased, so it is left out',
  'still-here': 'the person was erased, and this history still has it',
  unsearched: 'more in it than could be searched for erased persons, so it is left out',
  expired: 'older than this history keeps items, so it is left out',
  'out-of-range': 'nothing of it was received in the range',
  unreadable: 'it cannot be read in the copy',
  'too-large': 'too large with what both have',
  unfinished: 'the erasure was not complete in the copy, so its receipt is left out',
};

/** Returns the lines of the table of outcomes, and an empty one after it. */
export function renderCounts(tally: JoinTally, view: View): string[] {
  const rows = joinedKinds.flatMap((kind) =>
    Object.entries(meanings).flatMap(([outcome, meaning]) => {
      const count = countOf(tally, outcome, kind);
      return count === 0
        ? []
        : [[{ text: kind }, { text: outcome }, { text: String(count) }, { text: meaning }]];
    }),
  );
  if (rows.length === 0) return [];
  return [
    renderTable([{ title: 'KIND' }, { title: 'OUTCOME' }, { title: 'ITEMS' }, { title: '' }], rows, view),
    '',
  ];
}

/** The outcomes of items that a person has to look at. */
export const doubtful: readonly string[] = [
  'conflict',
  'repaired',
  'broken',
  'unreadable',
  'still-here',
  'unsearched',
  'too-large',
] satisfies ItemOutcome[];

/** Orders names, because the parts of a copy are read at the same time. */
export function inOrder(named: JoinTally['named']): JoinTally['named'] {
  const order = ({ kind, outcome, key }: JoinTally['named'][number]) => `${kind} ${outcome} ${key}`;
  return named.toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** The key of an opt-out is a number. */
function nameOf({ kind, key }: JoinTally['named'][number]): string {
  return kind === 'opt-out' ? maskNumbers(sanitize(key)) : sanitize(key);
}

const maxShown = 5;

/** Names the first items with each of some outcomes. */
export function renderNamed(all: JoinTally['named'], outcomes: readonly string[]): string[] {
  return outcomes.flatMap((outcome) => {
    const named = inOrder(all).filter((one) => one.outcome === outcome);
    if (named.length === 0) return [];
    const shown = named.slice(0, maxShown).map(nameOf);
    return [
      `${outcome}: ${shown.join(', ')}${named.length > maxShown ? ' and more, which --json lists' : ''}`,
    ];
  });
}

function ending(tally: JoinTally, problems: readonly string[], { publish }: JoinCommandOptions): string {
  const published = publish === true ? 'What is new is published.' : 'Nothing was published.';
  if (problems.length > 0) return `Everything else is joined. ${published}`;
  return tally.written === 0
    ? 'The join is complete: there was nothing to add.'
    : `The join is complete. ${published}`;
}

/** A send of which replies are just being counted cannot be compared, and is counted again so often. */
const maxRecounts = 5;

/**
 * Corrects the figures, which count an item again that was deleted and is there again. Without insights there are none.
 *
 * @returns what to do if that fails: what was joined stays joined
 */
async function recount(
  connection: Connection,
  keywordOf: Parameters<typeof measure>[1],
  context: Context,
): Promise<string[]> {
  try {
    const sources = await connection.recount(context.newId);
    const onRead = countProgress(context, { doing: 'Recounting the figures', unit: ['item', 'items'] });
    for (let attempt = 0; attempt < maxRecounts; attempt++) {
      const { differences, corrected, disturbed } = await measure(sources, keywordOf, context.clock, onRead);
      if (differences.length > 0) await correct(sources.writer(), corrected, differences);
      if (disturbed === 0) return [];
    }
    return ['The figures of some sends were changing and are not counted again. Run: sms insights rebuild'];
  } catch (error) {
    if (error instanceof MissingOutput) return [];
    const reason = error instanceof CommandFailure ? error.message : explainOrName(error);
    return [`The figures are not counted again (${reason}). Run: sms insights rebuild`];
  }
}
