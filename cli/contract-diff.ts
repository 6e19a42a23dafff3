import { type Command, Option } from 'commander';
import pMap from 'p-map';
import type { Contract } from '../functions/core/contract/contract.ts';
import { contractHash } from '../functions/core/contract/hash.ts';
import { createReread, type RereadMessage } from '../functions/core/contract/reread-message.ts';
import { createMapper } from '../functions/core/events/mapping.ts';
import type { BoundedRange } from '../functions/core/history/listing.ts';
import type { Context } from './context.ts';
import { historyDiff, quarantineDiff } from './contract-difference.ts';
import { readContract } from './contract-file.ts';
import { refuseLarge } from './export.ts';
import { lastDay, readRange } from './list/list-options.ts';
import { joinPages, readPages } from './list/read-pages.ts';
import {
  addContractOption,
  addTargetOptions,
  type ContractOptions,
  notEmpty,
  type TargetOptions,
  targetOf,
  wholeNumber,
} from './options.ts';
import { printResult } from './print.ts';
import { renderHistoryDiff, renderQuarantineDiff } from './render-contract-diff.ts';
import { type RereadEntry, rereadEntry } from './reread-quarantined.ts';
import { addSecretOptions, readSecrets, type SecretOptions } from './secret-options.ts';

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
