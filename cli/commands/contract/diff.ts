import { type Command, Option } from 'commander';
import pMap from 'p-map';
import { contractHash } from '../../../contract/events/identity.ts';
import { createMapper } from '../../../contract/events/mapping.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import type { BoundedRange } from '../../../functions/lists/time-range.ts';
import { readContract } from '../../input/contract-file.ts';
import { lastDay, readRange } from '../../input/list-options.ts';
import {
  addContractOption,
  addTargetOptions,
  type ContractOptions,
  notEmpty,
  type TargetOptions,
  targetOf,
  wholeNumber,
} from '../../input/options.ts';
import { addSecretOptions, readSecrets, type SecretOptions } from '../../input/secret-options.ts';
import { printResult, type View } from '../../output/print.ts';
import { joinPages, readPages } from '../../output/read-pages.ts';
import { whyItStays } from '../../quarantine/explain-outcomes.ts';
import type { NotReplayable } from '../../quarantine/replayable-request.ts';
import { createReread, type RereadMessage } from '../../stores/reread-message.ts';
import type { Context } from '../../target/context.ts';
import { sanitize } from '../../text/sanitize.ts';
import { renderTable } from '../../text/table.ts';
import { formatTime } from '../../text/time.ts';
import { refuseLarge } from '../export.ts';
import {
  type Counted,
  type Diff,
  type HistoryDiff,
  historyDiff,
  type QuarantineDiff,
  quarantineDiff,
  type RereadEntry,
  rereadEntry,
} from './difference.ts';

function renderQuarantineDiff(diff: QuarantineDiff, view: View): string {
  const title = `Contract ${diff.contract} and ${diff.entries} quarantine entries${during(diff, view)}`;
  if (diff.entries === 0) return `${title}: nothing to compare.`;
  const table = renderTable(
    [
      { title: 'ENTRIES' },
      { title: 'KEPT FOR' },
      { title: 'BY CONTRACT' },
      { title: 'WOULD BE' },
      { title: 'SIGNATURE' },
      { title: 'FOR EXAMPLE', whole: true },
    ],
    diff.groups.map(({ count, reason, contract, becomes, isReplayable, stays, signature, examples }) => [
      { text: String(count) },
      { text: sanitize(reason), format: 'yellow' },
      {
        text:
          contract === undefined ? 'unknown' : contract === diff.contract ? 'this one' : sanitize(contract),
      },
      {
        text: `${becomes.map(sanitize).join(', ')}${hasReasonToShow(stays) ? `; stays (${stays})` : ''}`,
        format: isReplayable ? 'green' : 'red',
      },
      { text: signature ?? '' },
      { text: sanitize(examples[0] ?? '') },
    ]),
    view,
  );
  return [
    title,
    table,
    [
      ...staying(diff).map(([stays, count]) => `Stays, ${count}: ${whyItStays[stays]}.`),
      `${diff.replayable} of ${diff.entries} hold an event that this contract reads, and can be sent. Once it is deployed, quarantine replay sends them through the worker; a signature-mismatch only with --reason signature-mismatch.`,
    ].join('\n'),
  ].join('\n\n');
}

/** Of what no event can be read, what it would be says why. */
function hasReasonToShow(stays: NotReplayable | undefined): stays is keyof typeof whyItStays {
  return stays !== undefined && stays !== 'unreadable';
}

/** Why entries would stay, and how many. */
function staying({ groups }: QuarantineDiff): (readonly [keyof typeof whyItStays, number])[] {
  const reasons = new Set(groups.map(({ stays }) => stays).filter(hasReasonToShow));
  return [...reasons].map((reason) => {
    const counts = groups.filter(({ stays }) => stays === reason).map(({ count }) => count);
    return [reason, counts.reduce((sum, count) => sum + count, 0)];
  });
}

function renderHistoryDiff(diff: HistoryDiff, view: View): string {
  const { messages, reports, isPart, changedReports, words, codes, statuses } = diff;
  const title = `Contract ${diff.contract} and ${reports} reports of ${messages} messages${during(diff, view)}${isPart ? ' (any of that time, not the newest)' : ''}: ${changedReports} would differ`;
  const line = (what: string, { from, to, count }: Counted) =>
    `${what}: ${sanitize(from ?? 'no reason')} -> ${sanitize(to ?? 'no reason')} (${count})`;
  const lines = [
    ...words.map((one) => line(`word "${sanitize(one.word)}"`, one)),
    ...codes.map((one) => line(`error code "${sanitize(one.code)}"`, one)),
    ...statuses.map((one) => line('messages', one)),
  ];
  return [
    title,
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
    view.style(
      'dim',
      'Not compared: webhook and events. The history keeps words, codes and times, not bodies, so what expressions would find there nobody can say; contract test --file does it with a captured request. What is stored stays as it is.',
    ),
  ].join('\n\n');
}

function during({ since, until }: Diff, { zone }: View): string {
  return `, ${formatTime(since, zone)} to ${formatTime(until, zone)}`;
}

interface ContractDiffOptions extends TargetOptions, ContractOptions, SecretOptions {
  readonly against: 'quarantine' | 'history';
  readonly last: number;
  readonly since?: string;
  readonly until?: string;
  readonly yes?: true;
}

const concurrency = 10;

const examples = `
Examples:
  npm run -s sms -- contract diff --against quarantine --contract new.json
  npm run -s sms -- contract diff --against quarantine --since 30d --contract new.json --secret-from-service
  npm run -s sms -- contract diff --against history --last 5000 --contract new.json --json

Says what a contract that is not deployed yet would change; changes nothing itself.
quarantine: what it would read each entry as, newest first, and, where a secret is given, whether what was not verified would be.
history: what its "statuses" and "errors" would make of the words and codes that are stored, of so many reports of messages first
seen in that time: any of them, not the newest. Bodies are not kept: what its expressions would find there, nobody can say. What is stored stays.
Without --since it is the last 24 hours, or the 24 hours before --until; times as in the lists (history failed --help).
Exit codes: 0 also where nothing would change, 1 failed, 2 wrong usage.`;

/** `contract diff`: what another contract would make of what was received before. */
export function addContractDiff(contract: Command, context: Context): void {
  const command = contract
    .command('diff')
    .summary('what a contract would read otherwise')
    .description('Compares what a contract that is not deployed yet makes of what was received before.')
    .addOption(
      new Option('--against <what>', 'what was received before')
        .choices(['quarantine', 'history'])
        .makeOptionMandatory(),
    )
    .option('--last <count>', 'how many entries, or reports, at most', wholeNumber(1, 100_000), 1000)
    .option('--since <time>', 'received, or first seen, from this time on', notEmpty)
    .option('--until <time>', 'before this time', notEmpty)
    .option('--yes', 'against the history also where it is large');
  addSecretOptions(addContractOption(addTargetOptions(command)))
    .addHelpText('after', examples)
    .action(async (options: ContractDiffOptions) => {
      const contract = await readContract(options.contract);
      const range = lastDay(await readRange(options, context), context.clock());
      await (options.against === 'quarantine'
        ? diffQuarantine(contract, range, options, context)
        : diffHistory(contract, range, options, context));
    });
}

async function diffQuarantine(
  contract: Contract,
  range: BoundedRange,
  options: ContractDiffOptions,
  context: Context,
): Promise<void> {
  const secrets = await readSecrets(options, context);
  const quarantine = await context.connect(targetOf(options)).quarantine();
  const pages = readPages((page) => quarantine.list(range, page), { limit: options.last });
  const { entries } = await joinPages(pages);
  const reading = { contract, map: createMapper(contract) };
  const reread = await pMap(
    entries,
    async ({ id }): Promise<RereadEntry[]> => {
      const entry = await quarantine.entry(id);
      // It may have been replayed, or have expired, in between.
      return entry === undefined ? [] : [rereadEntry(entry, reading, secrets)];
    },
    { concurrency },
  );
  const diff = quarantineDiff(contractHash(contract), range, reread.flat());
  printResult(context, options, { json: () => diff, text: (view) => renderQuarantineDiff(diff, view) });
}

async function diffHistory(
  contract: Contract,
  range: BoundedRange,
  options: ContractDiffOptions,
  context: Context,
): Promise<void> {
  const history = await context.connect(targetOf(options)).historyExport();
  if (options.yes !== true) refuseLarge(await history.size());
  const reread = createReread(contract);
  const found: RereadMessage[] = [];
  let isPart = false;
  let left = options.last;
  for await (const entry of history.entries(range)) {
    if (entry.kind !== 'message') continue;
    if (left <= 0) {
      isPart = true;
      break;
    }
    const message = reread(entry.message);
    found.push(message);
    left -= message.reports;
  }
  const diff = historyDiff(contractHash(contract), range, found, isPart);
  printResult(context, options, { json: () => diff, text: (view) => renderHistoryDiff(diff, view) });
}
