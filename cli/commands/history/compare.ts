import * as z from 'zod';
import { formatCount } from '../../../functions/base/basics.ts';
import type { JoinTally } from '../../copies/join-copy.ts';
import {
  type JoinedEntry,
  type JoinedKind,
  joinedKinds,
  keyOfEntry,
  onlyHereEntry,
} from '../../copies/join-page.ts';
import { KeySet } from '../../copies/key-set.ts';
import { readParts } from '../../copies/read-parts.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { openRange, readRange } from '../../input/list-options.ts';
import { addTargetOptions, wholeTargetOf } from '../../input/options.ts';
import { printResult } from '../../output/print.ts';
import { countProgress } from '../../output/progress.ts';
import { type HistoryItems, segments } from '../../stores/history-items.ts';
import type { Context } from '../../target/context.ts';
import { ReportedFailure } from '../../target/errors.ts';
import { sanitize } from '../../text/sanitize.ts';
import { addCopyOptions, type CopyOptions, openCopy } from './copy-options.ts';
import {
  countsSchema,
  doubtful,
  inOrder,
  joinOrExplain,
  namedSchema,
  problemsOf,
  readErasures,
  renderCounts,
  renderNamed,
} from './join.ts';

const compareSchema = z.object({
  isEqual: z.boolean(),
  items: z.int().describe('Items of the copy that were compared.'),
  others: z.int().describe('Items of the copy that only its pipeline needs.'),
  counts: countsSchema,
  onlyHere: z
    .record(z.string(), z.int())
    .describe(
      'How many items of each kind this history has and the copy has not, or has only as one that a join leaves out.',
    ),
  named: z
    .array(
      namedSchema.element.extend({ outcome: z.string().describe('An outcome of a join, or only-here.') }),
    )
    .describe('The first 100 items of each kind that differ in the same way.'),
  problems: z.array(z.string()),
});

type Named = JoinTally['named'][number];

const maxNamed = 100;

/** Keeps the first differences of each kind. */
function createNames() {
  const named: Named[] = [];
  const counts = new Map<string, number>();
  return {
    named,
    add(one: Named) {
      const name = `${one.kind} ${one.outcome}`;
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      if (count < maxNamed) named.push(one);
    },
  };
}

const compareTexts: CommandTexts = {
  output: compareSchema,
  examples: [
    'history compare --from-table sms-restored',
    'history compare --from-file history.jsonl --json isEqual',
  ],
  details:
    'Reads both copies once and writes nothing. It exits with 0 if they are equal, and with 1 if not. When an item expires and the marks of writes do not count, but an opt-out and the receipt of an erasure must not expire. What arrives meanwhile may be a difference, so run it again. It needs about 100 MB of memory for a million items.',
};

/** Adds `history compare`, which says whether another copy is equal to the history. */
export function addHistoryCompare(history: Command, context: Context): void {
  const command = history
    .command('compare')
    .summary('say whether another copy of the history is equal')
    .description('Compares another copy of the history with this one, and names what differs.');
  addTargetOptions(addCopyOptions(command))
    .explain(compareTexts)
    .action((options: CopyOptions) => compare(options, context));
}

/**
 * The outcomes of items that a join leaves out of a history. They are no difference, unless this history has the item and would not leave out its
 * own.
 */
const leftOut: readonly string[] = ['out-of-range', 'expired', 'erased', 'unfinished'];

/** The outcomes that are no difference. */
const sameOutcomes = ['equal', ...leftOut];

async function compare(copyOptions: CopyOptions, context: Context): Promise<void> {
  const connection = context.connect(wholeTargetOf(copyOptions));
  const range = openRange(await readRange(copyOptions, context));
  const here = await connection.historyItems();
  const copy = await openCopy(copyOptions, connection, here);
  const erased = await readErasures(here, copy, connection, context);
  const seen = new KeySet();
  const names = createNames();
  const onItems = (entries: readonly JoinedEntry[]) => {
    for (const entry of entries) {
      if (!leftOut.includes(entry.outcome)) seen.add(entry.key);
      if (entry.sameAs !== undefined) seen.add(entry.sameAs);
      // What a join does not name: the history has a report more.
      if (entry.outcome === 'newer') names.add(entry);
    }
  };
  const run = { connection, copy, here, erased, range, isDryRun: true, progressPath: undefined, onItems };
  const { tally, doubts } = await joinOrExplain(run, {}, context);
  const { retentionDays } = await connection.historySettings();
  const options = { range, rules: { retentionDays }, now: context.clock() / 1000 };
  const only = new Map<JoinedKind, number>();
  await readOnlyHere(here, seen, options, context, (entry) => {
    only.set(entry.kind, (only.get(entry.kind) ?? 0) + 1);
    names.add(entry);
  });
  const named = inOrder([...tally.named, ...names.named]);
  const onlyHere = joinedKinds.flatMap((kind) => {
    const count = only.get(kind);
    return count === undefined ? [] : [[kind, count] as const];
  });
  const problems = [...doubts, ...problemsOf(tally)];
  const different = Object.values(tally.counts).some((counts) =>
    Object.entries(counts).some(([outcome, count]) => !sameOutcomes.includes(outcome) && count > 0),
  );
  const isEqual = !different && only.size === 0 && problems.length === 0;
  printResult(context, copyOptions, {
    json: () => ({ isEqual, ...tally, named, onlyHere: Object.fromEntries(onlyHere), problems }),
    text: (view) =>
      [
        ...renderCounts(tally, view),
        ...renderNamed(named, [...doubtful, 'newer', 'only-here']),
        ...onlyHere.map(
          ([kind, count]) =>
            `Only here: ${formatCount(count, `item of the kind ${kind}`, `items of the kind ${kind}`)}.`,
        ),
        ...problems.map(sanitize),
        isEqual ? 'Both copies are equal.' : 'The copies differ.',
      ].join('\n'),
  });
  if (!isEqual) throw new ReportedFailure('The copies differ.');
}

/**
 * Reads the items of the history that the copy does not have.
 *
 * @param seen the keys that the copy has
 * @param onItem called with each of them
 */
async function readOnlyHere(
  here: HistoryItems,
  seen: Pick<KeySet, 'has'>,
  options: Parameters<typeof onlyHereEntry>[1],
  context: Context,
  onItem: (entry: NonNullable<ReturnType<typeof onlyHereEntry>>) => void,
): Promise<void> {
  const read = countProgress(context, { doing: 'Reading this history', unit: ['item', 'items'] });
  const parts = (['history', 'quarantine'] as const).flatMap((table) =>
    Array.from({ length: segments }, (_, segment) => ({ table, segment })),
  );
  await readParts(
    parts,
    ({ table, segment }) => here.scan(table, segment),
    async (_, { items }) => {
      for (const item of items) {
        const entry = seen.has(keyOfEntry(item)) ? undefined : onlyHereEntry(item, options);
        if (entry !== undefined) onItem(entry);
      }
      read(items.length);
      return true;
    },
  );
}
