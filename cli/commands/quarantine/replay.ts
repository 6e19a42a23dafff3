import { type Command, Option } from 'commander';
import pMap from 'p-map';
import { createMapper } from '../../../contract/events/mapping.ts';
import type { QuarantineReader } from '../../../functions/lists/quarantine-list-store.ts';
import type { QuarantineReason, QuarantineSummary } from '../../../functions/quarantine/quarantine.ts';
import { readContract } from '../../input/contract-file.ts';
import { lastDay, readRange } from '../../input/list-options.ts';
import {
  addContractOption,
  addTargetOptions,
  type ContractOptions,
  notEmpty,
  type TargetOptions,
  targetOf,
} from '../../input/options.ts';
import { printResult } from '../../output/print.ts';
import { joinPages, readPages } from '../../output/read-pages.ts';
import { reasonMeanings, renderRisky, renderTally, tallyOf } from '../../quarantine/explain-outcomes.ts';
import { type Replayed, replayEntry } from '../../quarantine/replay-entry.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, explainOrName, isPassing } from '../../target/errors.ts';
import { sanitize } from '../../text/sanitize.ts';

interface QuarantineReplayOptions extends TargetOptions, ContractOptions {
  readonly reason?: QuarantineReason;
  readonly since?: string;
  readonly until?: string;
  readonly id?: string;
  readonly dryRun?: true;
  readonly acceptDuplicates?: true;
}

/** Entries that are handled before Ctrl-C is heeded. */
const roundSize = 50;
const concurrency = 10;

const examples = `
Examples:
  npm run -s sms -- quarantine replay --reason bad-time --since 7d --dry-run
  npm run -s sms -- quarantine replay --reason bad-time --since 7d
  npm run -s sms -- quarantine replay --id "<id>" --local

For after the contract was put right and deployed: --contract has to be the deployed one. What it still cannot read stays where it
is. The rest goes to the events queue and through the worker as when it came, under the time it was received; what was stored
before is not stored twice. An entry is removed when the queue has confirmed its
request. What may be stored already under another id, because events.list or events.id have changed since, is sent only with
--accept-duplicates; --dry-run lists it. What was captured, or did not fit, has its signature verified first, by the deployed contract and as of when it came; what did not
fit is sent only where --reason signature-mismatch or --id asks for it. What fails again is in quarantine again, as an entry with a longer id. Run it again where it broke off.
Without --since it is the last 24 hours, or the 24 hours before --until; times as in quarantine list.
Exit codes: 0 also where there is none, 1 failed or interrupted, 2 wrong usage.`;

/** `quarantine replay`: sends what could not become history through the worker once more. */
export function addQuarantineReplay(quarantine: Command, context: Context): void {
  const command = quarantine
    .command('replay')
    .summary('send entries through the worker once more')
    .description(
      'Sends entries through the worker once more, after what was wrong was put right; with --dry-run only says what.',
    )
    .addOption(
      new Option('--reason <reason>', 'only what is kept for this reason').choices(
        Object.keys(reasonMeanings),
      ),
    )
    .option('--since <time>', 'received from this time on', notEmpty)
    .option('--until <time>', 'received before this time', notEmpty)
    .addOption(
      new Option('--id <id>', 'this entry alone').conflicts(['reason', 'since', 'until']).argParser(notEmpty),
    )
    .option('--dry-run', 'say what would be sent, and which entries would be stored twice; change nothing')
    .option('--accept-duplicates', 'also send entries whose events may be stored already, under other ids');
  addContractOption(addTargetOptions(command))
    .addHelpText('after', examples)
    .action((options: QuarantineReplayOptions) => replay(options, context));
}

async function replay(options: QuarantineReplayOptions, context: Context): Promise<void> {
  const contract = await readContract(options.contract);
  const acceptsDuplicates = options.acceptDuplicates === true;
  const reading = { contract, map: createMapper(contract), acceptsDuplicates };
  const find =
    options.id === undefined
      ? await findInRange(options, context)
      : async () => ({ ids: [options.id ?? ''], unasked: [] });
  const connection = context.connect(targetOf(options));
  const quarantine = await connection.quarantine();
  const { ids, unasked } = await find(quarantine);
  const dryRun = options.dryRun === true;
  const requeue = dryRun ? undefined : await connection.requeue();
  const goesOn = dryRun ? async () => true : context.beginWaiting();

  const replayed: Replayed[] = [];
  let isInterrupted = false;
  while (replayed.length < ids.length && !isInterrupted) {
    const round = ids.slice(replayed.length, replayed.length + roundSize);
    const fates = await pMap(round, (id) => replayEntry(id, quarantine, reading, requeue), { concurrency });
    replayed.push(...fates);
    if (endsAll(fates)) break;
    isInterrupted = replayed.length < ids.length && !(await goesOn(0));
  }
  if (options.id !== undefined && replayed[0]?.fate === 'gone')
    throw new CommandFailure(
      `No entry "${sanitize(options.id)}" in quarantine. quarantine list shows the ids.`,
    );
  const tally = tallyOf([...replayed, ...unasked]);
  const notReached = ids.length - replayed.length;
  printResult(context, options, {
    json: () => ({
      ...{ reasons: tally, notReached, dryRun },
      mayBeStoredTwice: replayed.flatMap(({ risky }) => risky ?? []),
    }),
    text: (view) => [renderTally(tally, dryRun, view), renderRisky(replayed)].filter(Boolean).join('\n\n'),
  });
  const again = `${notReached} not reached. Run it again: repeats change nothing.`;
  const failedAt = replayed.findIndex(({ fate }) => fate === 'failed');
  if (failedAt !== -1)
    throw new CommandFailure(
      `Some could not be replayed; ${again} The first is ${sanitize(ids[failedAt] ?? '')}: ${explainOrName(replayed[failedAt]?.error)}`,
    );
  if (isInterrupted) throw new CommandFailure(`Interrupted: ${again}`);
}

/** Whether the entries after a round would fail as well: one that can never be sent must not keep the others back. */
function endsAll(round: readonly Replayed[]): boolean {
  const failed = round.filter(({ fate }) => fate === 'failed');
  return failed.length === round.length || failed.some(({ error }) => isPassing(error));
}

interface Found {
  readonly ids: readonly string[];
  /** What stays because nobody asked for its reason: the forged would go round at each replay. */
  readonly unasked: readonly Replayed[];
}

/**
 * Finds the ids of all entries that are asked for, before the first is sent: what comes back meanwhile is not sent again.
 *
 * @throws UsageError
 */
async function findInRange(
  options: QuarantineReplayOptions,
  context: Context,
): Promise<(quarantine: QuarantineReader) => Promise<Found>> {
  const { reason } = options;
  const range = lastDay(await readRange(options, context), context.clock());
  const query = { ...range, ...(reason === undefined ? {} : { reason }) };
  return async (quarantine) => {
    const pages = readPages((page) => quarantine.list(query, page), { limit: Number.POSITIVE_INFINITY });
    const { entries } = await joinPages(pages);
    const isAsked = (entry: QuarantineSummary) =>
      reason !== undefined || entry.reason !== 'signature-mismatch';
    return {
      ids: entries.filter(isAsked).map(({ id }) => id),
      unasked: entries
        .filter((entry) => !isAsked(entry))
        .map((entry) => ({ reason: entry.reason, fate: 'unasked' })),
    };
  };
}
