import { Option } from 'commander';
import pMap from 'p-map';
import * as z from 'zod';
import { createMapper } from '../../../contract/events/mapping.ts';
import { mainSource } from '../../../contract/events/source-id.ts';
import { omitUndefined } from '../../../functions/base/basics.ts';
import {
  type QuarantineReader,
  type Replayed,
  type ReplayOutcome,
  reasonMeanings,
  replayEntry,
  whyItStays,
  whyTwice,
} from '../../../functions/receive/index.ts';
import type { QuarantineReason, QuarantineSummary } from '../../../functions/receive/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { readDeployedContract } from '../../input/contract-file.ts';
import { readIdsFile } from '../../input/ids-file.ts';
import { lastDay, readRange } from '../../input/list-options.ts';
import {
  addDeployedContractOptions,
  addTargetOptions,
  type DeployedContractOptions,
  notEmpty,
  type TargetOptions,
  targetOf,
} from '../../input/options.ts';
import { printResult, type View } from '../../output/print.ts';
import { showProgress } from '../../output/progress.ts';
import { joinPages, readPages, reportProgress } from '../../output/read-pages.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, explainOrName, isTransient } from '../../target/errors.ts';
import { sanitize } from '../../text/sanitize.ts';
import { renderTable } from '../../text/table.ts';

interface QuarantineReplayOptions extends TargetOptions, DeployedContractOptions {
  readonly reason?: QuarantineReason;
  readonly since?: string;
  readonly until?: string;
  readonly id?: string;
  readonly idsFile?: string;
  readonly dryRun?: true;
  readonly acceptDuplicates?: true;
}

/** How many entries are replayed between two checks for Ctrl-C. */
const roundSize = 50;
const concurrency = 10;

const examples: CommandTexts = {
  examples: [
    'quarantine replay --reason bad-time --since 7d --dry-run',
    'quarantine replay --reason bad-time --since 7d',
    'quarantine replay --id "<id>"',
    'quarantine replay --ids-file quarantine.csv --dry-run',
  ],
  details:
    'Replay after a fixed contract has been deployed. Entries that it still cannot read stay. The other entries go to the events queue with their original receipt time. The worker stores no event twice. An entry is removed once the queue has confirmed its request. An entry whose events may be stored already under other ids, because events.list or events.id have changed since, is sent only with --accept-duplicates; --dry-run lists such entries. The worker verifies requests that were captured or did not match, by the deployed contract and as of their receipt time. Entries with a mismatched signature are sent only with --reason signature-mismatch, --id or --ids-file. The file of --ids-file is a CSV with a column "id", as the console and quarantine list --csv write it; "-" is stdin. An entry that fails again returns to quarantine with a longer id. Run the command again after an interruption. Without --since the range is the last 24 hours, or the 24 hours before --until; times as in quarantine list.',
};

/** Adds `quarantine replay`, which sends entries through the worker again. */
export function addQuarantineReplay(quarantine: Command, context: Context): void {
  const command = quarantine
    .command('replay')
    .summary('send entries through the worker again')
    .description(
      'Sends entries through the worker again after the cause was fixed; --dry-run only lists them.',
    )
    .addOption(
      new Option('--reason <reason>', 'only entries with this reason').choices(Object.keys(reasonMeanings)),
    )
    .option('--since <time>', 'received from this time on', notEmpty)
    .option('--until <time>', 'received before this time', notEmpty)
    .addOption(
      new Option('--id <id>', 'this entry alone')
        .conflicts(['reason', 'since', 'until', 'idsFile'])
        .argParser(notEmpty),
    )
    .addOption(
      new Option('--ids-file <file>', 'the entries of this CSV; "-" is stdin')
        .conflicts(['reason', 'since', 'until'])
        .argParser(notEmpty),
    )
    .option('--dry-run', 'show what would be sent and what would be stored twice; change nothing')
    .option('--accept-duplicates', 'also send entries whose events may be stored already, under other ids');
  addDeployedContractOptions(addTargetOptions(command))
    .explain({ ...examples, output })
    .action((options: QuarantineReplayOptions) => replay(options, context));
}

const output = z.object({
  reasons: z.array(
    z.object({
      reason: z.string(),
      outcomes: z.record(z.string(), z.int()).describe('How many entries, by outcome.'),
    }),
  ),
  notReached: z.int(),
  dryRun: z.boolean(),
  mayBeStoredTwice: z
    .array(z.object({ id: z.string(), risk: z.string() }))
    .describe('Entries that stay, because their events may be stored under other ids.'),
});

async function replay(options: QuarantineReplayOptions, context: Context): Promise<void> {
  const connection = context.connect(targetOf(options));
  const contract = await readDeployedContract(options, connection, context.terminal);
  const acceptsDuplicates = options.acceptDuplicates === true;
  const { source = mainSource } = options;
  const reading = { source, contract, map: createMapper(contract), acceptsDuplicates };
  const named = await namedIds(options);
  const find = named === undefined ? await findInRange(options, context) : undefined;
  const quarantine = await connection.quarantine();
  const { ids, notRequested } = (await find?.(quarantine)) ?? { ids: named ?? [], notRequested: [] };
  const dryRun = options.dryRun === true;
  const requeue = dryRun ? undefined : await connection.requeue();
  const continues = dryRun ? async () => true : context.beginWaiting();

  const progress = showProgress(context, {
    doing: dryRun ? 'Trying' : 'Sending',
    unit: ['entry', 'entries'],
    total: ids.length,
  });
  const replayed: Replayed[] = [];
  let isInterrupted = false;
  while (replayed.length < ids.length && !isInterrupted) {
    const round = ids.slice(replayed.length, replayed.length + roundSize);
    const outcomes = await pMap(round, (id) => replayEntry(id, quarantine, reading, requeue), {
      concurrency,
    });
    replayed.push(...outcomes);
    progress(replayed.length);
    if (wouldAllFail(outcomes)) break;
    isInterrupted = replayed.length < ids.length && !(await continues(0));
  }
  if (options.id !== undefined && replayed[0]?.outcome === 'gone')
    throw new CommandFailure(
      `No entry "${sanitize(options.id)}" in quarantine. quarantine list shows the ids.`,
    );
  const counts = countByReason([...replayed, ...notRequested]);
  const notReached = ids.length - replayed.length;
  printResult(context, options, {
    json: () => ({
      reasons: counts,
      notReached,
      dryRun,
      mayBeStoredTwice: replayed.flatMap(({ risky }) => risky ?? []),
    }),
    text: (view) => [renderCounts(counts, dryRun, view), renderRisky(replayed)].filter(Boolean).join('\n\n'),
  });
  const again = `${notReached} not reached. Run it again: repeats change nothing.`;
  const failedAt = replayed.findIndex(({ outcome }) => outcome === 'failed');
  if (failedAt !== -1)
    throw new CommandFailure(
      `Some could not be replayed; ${again} The first is ${sanitize(ids[failedAt] ?? '')}: ${explainOrName(replayed[failedAt]?.error)}`,
    );
  if (isInterrupted) throw new CommandFailure(`Interrupted: ${again}`);
}

/** Returns the ids that the options name; undefined if these name a reason or a range. @throws CommandFailure */
async function namedIds({ id, idsFile }: QuarantineReplayOptions): Promise<readonly string[] | undefined> {
  if (id !== undefined) return [id];
  return idsFile === undefined ? undefined : readIdsFile(idsFile);
}

/** Returns whether the entries after a round would fail too. A single entry that always fails must not block the others. */
function wouldAllFail(round: readonly Replayed[]): boolean {
  const failed = round.filter(({ outcome }) => outcome === 'failed');
  return failed.length === round.length || failed.some(({ error }) => isTransient(error));
}

interface Found {
  readonly ids: readonly string[];
  /** Entries with a mismatched signature stay unless they are asked for: otherwise forged requests would be replayed every time. */
  readonly notRequested: readonly Replayed[];
}

/**
 * Finds the ids of all entries before the first is sent, so that an entry that returns to quarantine is not sent again.
 *
 * @throws UsageError
 */
async function findInRange(
  options: QuarantineReplayOptions,
  context: Context,
): Promise<(quarantine: QuarantineReader) => Promise<Found>> {
  const { reason } = options;
  const range = lastDay(await readRange(options, context), context.clock());
  const query = omitUndefined({ ...range, reason });
  return async (quarantine) => {
    const pages = readPages((page) => quarantine.list(query, page), { limit: Number.POSITIVE_INFINITY });
    const { entries } = await joinPages(reportProgress(pages, { at: (entry) => entry.receivedAt }, context));
    const isAsked = (entry: QuarantineSummary) =>
      reason !== undefined || entry.reason !== 'signature-mismatch';
    return {
      ids: entries.filter(isAsked).map(({ id }) => id),
      notRequested: entries
        .filter((entry) => !isAsked(entry))
        .map((entry) => ({ reason: entry.reason, outcome: 'notRequested' })),
    };
  };
}

/** Counts entries by reason, in alphabetical order, and by outcome. */
type ReasonCounts = readonly {
  readonly reason: string;
  readonly outcomes: Readonly<Record<ReplayOutcome, number>>;
}[];

const none = {
  sent: 0,
  gone: 0,
  failed: 0,
  notRequested: 0,
  'other-source': 0,
  unreadable: 0,
  unverifiable: 0,
  unwrappable: 0,
  unidentifiable: 0,
};

/** Lists the entries that stay because their events may be stored twice. */
function renderRisky(replayed: readonly Replayed[]): string {
  const lines = replayed.flatMap(({ risky, reason = 'unknown' }) =>
    risky === undefined ? [] : [`  ${sanitize(risky.id)}  ${reason}: ${whyTwice[risky.risk]}`],
  );
  if (lines.length === 0) return '';
  return [
    'May be stored twice:',
    ...lines,
    'message get and number show show what is stored. --accept-duplicates sends these entries as well.',
  ].join('\n');
}

/** Explains why entries were not sent. */
const whyNot: readonly (readonly [ReplayOutcome, string])[] = [
  ['unreadable', 'the contract still cannot read them'],
  ['other-source', whyItStays['other-source']],
  ['unverifiable', whyItStays.unverifiable],
  ['unwrappable', whyItStays.unwrappable],
  ['unidentifiable', whyItStays.unidentifiable],
  ['notRequested', 'the signature did not match; --reason signature-mismatch has it verified again'],
  ['gone', 'no longer in quarantine'],
  ['failed', 'could not be read, sent or removed'],
];

const fixContract =
  'Correct the contract until sms contract diff can read them, then deploy it and replay again.';

function countByReason(replayed: readonly Replayed[]): ReasonCounts {
  const counts = new Map<string, Record<ReplayOutcome, number>>();
  for (const { reason = 'unknown', outcome } of replayed) {
    const outcomes = counts.get(reason) ?? { ...none };
    outcomes[outcome] += 1;
    counts.set(reason, outcomes);
  }
  return [...counts]
    .map(([reason, outcomes]) => ({ reason, outcomes }))
    .sort((a, b) => (a.reason < b.reason ? -1 : 1));
}

function renderCounts(counts: ReasonCounts, dryRun: boolean, view: View): string {
  if (counts.length === 0) return 'No entry in quarantine matches.';
  const total = (outcome: ReplayOutcome) => counts.reduce((sum, { outcomes }) => sum + outcomes[outcome], 0);
  const table = renderTable(
    [{ title: 'REASON' }, { title: dryRun ? 'WOULD BE SENT' : 'SENT' }, { title: 'NOT SENT' }],
    counts.map(({ reason, outcomes: { sent, ...others } }) => [
      { text: sanitize(reason), format: 'yellow' },
      { text: String(sent) },
      { text: String(Object.values(others).reduce((sum, count) => sum + count, 0)) },
    ]),
    view,
  );
  const reasons = whyNot
    .filter(([outcome]) => total(outcome) > 0)
    .map(([outcome, why]) => `Not sent, ${total(outcome)}: ${why}.`);
  const end = dryRun
    ? 'Nothing was changed: this was a dry run.'
    : total('sent') > 0
      ? 'The worker processes them within seconds. Entries that fail again return to quarantine.'
      : `Nothing was sent.${total('unreadable') > 0 ? ` ${fixContract}` : ''}`;
  return [table, ...(reasons.length === 0 ? [] : [reasons.join('\n')]), view.style('dim', end)].join('\n\n');
}
