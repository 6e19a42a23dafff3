import * as z from 'zod';
import { formatCount } from '../../../functions/base/basics.ts';
import { consideredKind, type JoinedEntry, type JoinedKind, keyOfEntry } from '../../copies/join-page.ts';
import { readParts } from '../../copies/read-parts.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { openRange, readRange } from '../../input/list-options.ts';
import { addTargetOptions, wholeTargetOf } from '../../input/options.ts';
import { printResult } from '../../output/print.ts';
import { countProgress } from '../../output/progress.ts';
import { type HistoryItems, segments } from '../../stores/history-items.ts';
import type { Context } from '../../target/context.ts';
import { ReportedFailure } from '../../target/errors.ts';
import { addCopyOptions, type CopyOptions, openCopy } from './copy-options.ts';
import {
  countsSchema,
  joinOrExplain,
  namedSchema,
  openHere,
  problemsOf,
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
    .describe('How many items of each kind this history has and the copy has not.'),
  named: namedSchema,
  problems: z.array(z.string()),
});

const compareTexts: CommandTexts = {
  output: compareSchema,
  examples: [
    'history compare --from-table sms-restored',
    'history compare --from-file history.jsonl --json counts',
  ],
  details:
    'Reads both copies once and writes nothing. It exits with 0 if they are equal, and with 1 if not. The times of deletion and the marks of writes do not count. What arrives meanwhile may be a difference, so run it again. It needs about 100 MB of memory for a million items.',
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

async function compare(options: CopyOptions, context: Context): Promise<void> {
  const connection = context.connect(wholeTargetOf(options));
  const range = openRange(await readRange(options, context));
  const { here, erased } = await openHere(connection, context);
  const copy = await openCopy(options, connection, here);
  const seen = new Set<string>();
  const onItems = (entries: readonly JoinedEntry[]) => {
    for (const { key } of entries) seen.add(key);
  };
  const run = { connection, copy, here, erased, range, isDryRun: true, progressPath: undefined, onItems };
  const { tally } = await joinOrExplain(run, {}, context);
  const { retentionDays } = await connection.historySettings();
  const only = await countOnlyHere(
    here,
    seen,
    { range, rules: { retentionDays }, now: context.clock() / 1000 },
    context,
  );
  const problems = [...copy.doubts(), ...problemsOf(tally)];
  const different = Object.values(tally.counts).some((counts) =>
    Object.entries(counts).some(
      ([outcome, count]) => !['equal', 'out-of-range'].includes(outcome) && count > 0,
    ),
  );
  const isEqual = !different && only.size === 0 && problems.length === 0;
  printResult(context, options, {
    json: () => ({ isEqual, ...tally, onlyHere: Object.fromEntries(only), problems }),
    text: (view) =>
      [
        ...renderCounts(tally, view),
        ...renderNamed(tally),
        ...[...only].map(
          ([kind, count]) =>
            `Only here: ${formatCount(count, `item of the kind ${kind}`, `items of the kind ${kind}`)}.`,
        ),
        ...problems,
        isEqual ? 'Both copies are equal.' : 'The copies differ.',
      ].join('\n'),
  });
  if (!isEqual) throw new ReportedFailure('The copies differ.');
}

/** Counts the items of the history that the copy does not have. @param seen the keys that the copy has */
async function countOnlyHere(
  here: HistoryItems,
  seen: ReadonlySet<string>,
  options: Parameters<typeof consideredKind>[1],
  context: Context,
): Promise<ReadonlyMap<JoinedKind, number>> {
  const counts = new Map<JoinedKind, number>();
  const read = countProgress(context, { doing: 'Reading this history', unit: ['item', 'items'] });
  const parts = (['history', 'quarantine'] as const).flatMap((table) =>
    Array.from({ length: segments }, (_, segment) => ({ table, segment })),
  );
  await readParts(
    parts,
    ({ table, segment }) => here.scan(table, segment),
    async (_, { items }) => {
      for (const item of items) {
        const kind = consideredKind(item, options);
        if (kind !== undefined && !seen.has(keyOfEntry(item))) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      }
      read(items.length);
      return true;
    },
  );
  return counts;
}
