import { type Command, Option } from 'commander';
import type { Capture } from './capture.ts';
import { readCaptureFile } from './capture-file.ts';
import type { Context } from './context.ts';
import { readContractToTest } from './contract-file.ts';
import { askForGuesses } from './discover/answer-guesses.ts';
import { type Change, changesOf } from './discover/contract-changes.ts';
import { contractToWrite, type Writable } from './discover/contract-to-write.ts';
import { type Discovery, discover } from './discover/discovery.ts';
import { discoveryJson } from './discover/discovery-json.ts';
import { readCaptured } from './discover/read-captured.ts';
import { count, renderChanges, renderDiscovery } from './discover/render-discovery.ts';
import { writeContract } from './discover/write-contract.ts';
import { CommandFailure, UsageError } from './failures.ts';
import { lastDay, readRange } from './list/list-options.ts';
import {
  addContractOption,
  addPipelineOptions,
  type ContractOptions,
  notEmpty,
  type RevealOptions,
  sameTarget,
  type TargetOptions,
  targetOf,
  wholeNumber,
} from './options.ts';
import { printResult, viewOf } from './print.ts';
import { addSecretOptions, readSecrets, type SecretOptions } from './secret-options.ts';

interface DiscoverOptions extends TargetOptions, ContractOptions, RevealOptions, SecretOptions {
  readonly file?: readonly string[];
  readonly fromQuarantine?: true;
  readonly since?: string;
  readonly last: number;
  readonly write?: true;
  readonly yes?: true;
}

const examples = `
Examples:
  npm run -s sms -- contract discover --secret-from-service --local
  npm run -s sms -- contract discover --file capture.http --secret-file secret.txt
  npm run -s sms -- contract discover --secret-from-service --write

Finds how captured requests are signed by trying what services do, and where things are in their bodies by names, by what values
look like and by what repeats. "certain" is what has one answer; "guessed" what to look at: on a terminal it is asked for, and
--yes takes it. Captures come out of quarantine (contract capture on), the last 24 hours of them, or from files as in contract test.
Without a secret only the mapping is proposed.
--write puts signature, mapping, words and samples into the contract's file, once the whole of it holds. Samples are made of
captured events: every number, text, id, name and time in them is invented.
Numbers and texts are shown with --reveal.
Exit codes: 0 done, 1 failed or nothing could be written, 2 wrong usage.`;

/** `contract discover`: finds the signature scheme and the mapping in captured requests. */
export function addContractDiscover(contract: Command, context: Context): void {
  const command = contract
    .command('discover')
    .summary('find the signature scheme and the mapping in captured requests')
    .description(
      'Finds how captured requests are signed and where things are in them, and writes it into the contract.',
    )
    .addOption(
      new Option('--from-quarantine', 'what the pipeline captured (as without --file)').conflicts('file'),
    )
    .option('--file <capture...>', 'files with captured requests; "-" is stdin')
    .option('--since <time>', 'captured from this time on (default: the last 24 hours)', notEmpty)
    .option('--last <count>', 'how many of them at most, the newest', wholeNumber(1, 5000), 200)
    .option('--write', "write what was found into the contract's file")
    .option('--yes', 'take the guesses')
    .option('--reveal', 'show phone numbers and texts')
    .option('--json', 'exactly one JSON document on stdout; errors go to stderr as text');
  addSecretOptions(addContractOption(addPipelineOptions(command)))
    .addHelpText('after', examples)
    .action((options: DiscoverOptions) => run(options, context));
}

async function run(options: DiscoverOptions, context: Context): Promise<void> {
  if (options.file?.includes('-') === true && options.secretFile === '-')
    throw new UsageError('--file - and --secret-file - both read stdin: put one of them into a file.');
  const before = await readContractToTest(options.contract);
  const captures = await readCaptures(options, context);
  const secrets = await readSecrets(options, context);
  const { terminal } = context;
  const mayAsk = options.yes !== true && options.json !== true;
  const view = viewOf(terminal, options.reveal === true);
  const answer =
    mayAsk && terminal.ask !== undefined
      ? askForGuesses(terminal.ask, terminal, view)
      : async (proposals: Discovery['proposals']) => proposals;
  const discovery = await discover(captures, secrets, before, context.clock(), answer);
  const wasAnswered = options.yes === true || (mayAsk && terminal.ask !== undefined);
  const guesses = wasAnswered ? 0 : discovery.proposals.filter(({ isCertain }) => !isCertain).length;
  const writable = options.write === true && guesses === 0 ? contractToWrite(discovery, before) : undefined;
  if (writable !== undefined) await writeContract(options.contract, writable.contract);
  const changes = writable === undefined ? [] : changesOf(before, writable.contract);
  printResult(context, options, {
    json: () => discoveryJson(discovery, writable, changes, view),
    text: () => [renderDiscovery(discovery, view), ...written(writable, changes, options)].join('\n'),
  });
  if (options.write !== true) return;
  if (guesses > 0)
    throw new CommandFailure(
      `Nothing was written: ${count(guesses, 'place is guessed', 'places are guessed')}. --yes takes the guesses; on a terminal, without --json, each is asked for.`,
    );
  if (writable === undefined)
    throw new CommandFailure(
      'Nothing was written: neither a signature scheme nor a mapping was found. More captures, of delivery reports and of replies, would help.',
    );
}

/** @throws CommandFailure where there are none */
async function readCaptures(options: DiscoverOptions, context: Context): Promise<readonly Capture[]> {
  if (options.file !== undefined)
    return (await Promise.all(options.file.map(notEmpty).map(readCaptureFile))).flat();
  const range = lastDay(await readRange(options, context), context.clock());
  const target = targetOf(options);
  const captures = await readCaptured(await context.connect(target).quarantine(), range, options.last);
  if (captures.length > 0) return captures;
  throw new CommandFailure(
    `Nothing was captured since ${range.since}. Turn it on, then let the service send events: npm run -s sms -- contract capture on --for 2h${sameTarget(target)}. Or name files with --file.`,
  );
}

function written(
  writable: Writable | undefined,
  changes: readonly Change[],
  options: DiscoverOptions & { readonly contract: string },
): string[] {
  if (writable === undefined) return [];
  const target = targetOf(options);
  const deploy = target.local ? 'the pipeline that runs takes it over in a moment' : 'npm run deploy';
  return [
    '',
    ...(changes.length === 0
      ? [`${options.contract} said all of that already.`]
      : [`Written to ${options.contract}:`, renderChanges(changes)]),
    ...writable.missing,
    '',
    `Next: ${deploy}; then npm run -s sms -- quarantine replay${contractFlag(options.contract)}${sameTarget(target)}`,
  ];
}

function contractFlag(path: string): string {
  return path.endsWith('/contract.json') ? '' : ` --contract ${path}`;
}
