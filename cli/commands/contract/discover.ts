import { Option } from 'commander';
import pMap from 'p-map';
import type { Capture } from '../../../discovery/captured/capture.ts';
import { contractToWrite, type Writable } from '../../../discovery/contract-to-write.ts';
import { type Discovery, discover } from '../../../discovery/discovery.ts';
import { formatCount } from '../../../functions/base/basics.ts';
import type { BoundedRange } from '../../../functions/history/shapes.ts';
import type { QuarantineReader } from '../../../functions/receive/index.ts';
import { type QuarantinedEntry, wasCaptured } from '../../../functions/receive/shapes.ts';
import { readCaptureFile } from '../../input/capture-file.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { readContractToTest } from '../../input/contract-file.ts';
import { lastDay, readRange } from '../../input/list-options.ts';
import {
  addContractOption,
  addTargetOptions,
  type ContractOptions,
  notEmpty,
  type RevealOptions,
  type TargetOptions,
  targetOf,
  wholeNumber,
} from '../../input/options.ts';
import { addSecretOptions, readSecrets, type SecretOptions } from '../../input/secret-options.ts';
import { printResult, viewOf } from '../../output/print.ts';
import { readPages } from '../../output/read-pages.ts';
import type { Context } from '../../target/context.ts';
import { CommandFailure, UsageError } from '../../target/errors.ts';
import { suggest } from '../../target/suggest.ts';
import { formatTime, shellQuoted } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';
import { askForGuesses } from './ask-for-guesses.ts';
import {
  type Change,
  changesOf,
  discoveryDocument,
  discoveryJson,
  renderChanges,
  renderDiscovery,
} from './render-discovery.ts';
import { writeContract } from './write-contract.ts';

/** The reasons for which requests are kept whole, with their headers. */
const reasons = ['captured', 'signature-mismatch'] as const;

/** Reads the newest requests that were kept with all their headers. @param last how many at most */
async function readCaptured(
  quarantine: QuarantineReader,
  range: BoundedRange,
  last: number,
): Promise<readonly Capture[]> {
  const lists = await Promise.all(
    reasons.map(async (reason) => {
      const ids: { readonly id: string; readonly receivedAt: string }[] = [];
      const pages = readPages((page) => quarantine.list({ ...range, reason }, page), {
        limit: Number.POSITIVE_INFINITY,
      });
      for await (const { entries } of pages) {
        ids.push(...entries);
        if (ids.length >= last) break;
      }
      return ids;
    }),
  );
  const newest = lists
    .flat()
    .sort((a, b) => (a.receivedAt < b.receivedAt ? 1 : -1))
    .slice(0, last);
  const entries = await pMap(newest, ({ id }) => quarantine.entry(id), { concurrency: 10 });
  return entries.flatMap((entry) => {
    const capture = entry === undefined ? undefined : captureOf(entry);
    return capture === undefined ? [] : [capture];
  });
}

/** Returns undefined for an entry that is not a whole request. */
function captureOf(entry: QuarantinedEntry): Capture | undefined {
  const { id, receivedAt, index, raw, headers, url, method } = entry;
  if (headers === undefined || url === undefined || index !== undefined) return undefined;
  const masked = wasCaptured(entry);
  return { name: id, method: method ?? 'POST', url, headers, body: raw, receivedAt, masked, id };
}

interface DiscoverOptions extends TargetOptions, ContractOptions, RevealOptions, SecretOptions {
  readonly file?: readonly string[];
  readonly fromQuarantine?: true;
  readonly since?: string;
  readonly limit: number;
  readonly write?: true;
  readonly acceptGuesses?: true;
}

const examples: CommandTexts = {
  examples: [
    'contract discover --secret-from-service',
    'contract discover --file capture.http --secret-file secret.txt',
    'contract discover --secret-from-service --write',
  ],
  details:
    'Finds the signature scheme of captured requests by trying those that services use, and the fields of their bodies by names, by the form of values and by repetition. "certain" places have one answer. "guessed" places need a review: the command asks about them on a terminal, and --accept-guesses accepts them. Captures come from quarantine (contract capture on), those of the last 24 hours, or from files as in contract test, HAR files, transcripts of curl -v with the command line, or JSON from the API of the ngrok agent or webhook.site. Without a secret the command proposes only the mapping. --write puts signature, mapping, words and samples into the contract\'s file if the whole contract is valid. Samples are made from captured events: phone numbers, texts, ids and times in them are invented. Names of fields, words that the contract lists and codes of errors stay, so read the samples before you commit them. --reveal shows numbers and texts.',
};

/** Adds `contract discover`, which finds the signature scheme and the mapping in captured requests. */
export function addContractDiscover(contract: Command, context: Context): void {
  const command = contract
    .command('discover')
    .summary('find the signature scheme and the mapping in captured requests')
    .description(
      'Finds the signature scheme and the fields of captured requests, and writes them into the contract.',
    )
    .addOption(
      new Option(
        '--from-quarantine',
        'requests that the pipeline captured (the default without --file)',
      ).conflicts('file'),
    )
    .option('--file <capture...>', 'files with captured requests; "-" is stdin')
    .option('--since <time>', 'captured from this time on (default: the last 24 hours)', notEmpty)
    .option('--limit <count>', 'how many of them at most, the newest', wholeNumber(1, 5000), 200)
    .option('--write', "write the result into the contract's file")
    .option('--accept-guesses', 'accept the guesses')
    .option('--reveal', 'show phone numbers and texts');
  addSecretOptions(addContractOption(addTargetOptions(command)))
    .explain({ ...examples, output: discoveryDocument })
    .action((options: DiscoverOptions) => run(options, context));
}

const noBodies = 'No body can be read: the output says what they are, and what to do.';
const moreCaptures = 'More captures, of delivery reports and of replies, would help.';

async function run(options: DiscoverOptions, context: Context): Promise<void> {
  if (options.file?.includes('-') === true && options.secretFile === '-')
    throw new UsageError('--file - and --secret-file - both read stdin: put one of them into a file.');
  const before = await readContractToTest(options.contract);
  const captures = await readCaptures(options, context);
  const secrets = await readSecrets(options, context);
  const { terminal } = context;
  const mayAsk = options.acceptGuesses !== true && options.json === undefined;
  const view = viewOf(terminal, options.reveal === true);
  const answer =
    mayAsk && terminal.ask !== undefined
      ? askForGuesses(terminal.ask, terminal, view)
      : async (proposals: Discovery['proposals']) => proposals;
  const discovery = await discover(captures, secrets, before, context.clock(), answer);
  const wasAnswered = options.acceptGuesses === true || (mayAsk && terminal.ask !== undefined);
  const guesses = wasAnswered ? 0 : discovery.proposals.filter(({ isCertain }) => !isCertain).length;
  const writable = options.write === true && guesses === 0 ? contractToWrite(discovery, before) : undefined;
  if (writable !== undefined) await writeContract(options.contract, writable.contract);
  const changes = writable === undefined ? [] : changesOf(before, writable.contract);
  printResult(context, options, {
    json: () => discoveryJson(discovery, writable, changes, view),
    text: () => [renderDiscovery(discovery, view), ...written(writable, changes, options)].join('\n'),
  });
  if (options.write !== true) {
    const hasMapping = discovery.mapping.events.some(({ kind }) => kind !== undefined);
    if (discovery.signature?.kind === 'found' || hasMapping) return;
    const remedy = discovery.bodies.bodies.length === 0 ? noBodies : moreCaptures;
    throw new CommandFailure(`Neither a signature scheme nor a mapping was found. ${remedy}`);
  }
  if (guesses > 0)
    throw new CommandFailure(
      `Nothing was written: ${formatCount(guesses, 'place is guessed', 'places are guessed')}. --accept-guesses accepts the guesses; on a terminal without --json the command asks about each.`,
    );
  if (writable === undefined)
    throw new CommandFailure(
      `Nothing was written: neither a signature scheme nor a mapping was found. ${moreCaptures}`,
    );
  if (writable.isHalf)
    throw new CommandFailure(
      `Only a part was written. ${writable.missing.join(' ')} Run the command again with what is missing, or edit these places of ${options.contract} by hand.`,
    );
}

/** @throws CommandFailure if there are none */
async function readCaptures(options: DiscoverOptions, context: Context): Promise<readonly Capture[]> {
  if (options.file !== undefined)
    return (await Promise.all(options.file.map(notEmpty).map(readCaptureFile))).flat();
  const range = lastDay(await readRange(options, context), context.clock());
  const target = targetOf(options);
  const captures = await readCaptured(await context.connect(target).quarantine(), range, options.limit);
  if (captures.length > 0) return captures;
  throw new CommandFailure(
    `Nothing was captured since ${formatTime(range.since, context.terminal.zone)}. If a capture is on, let the service send events; ${suggest(target, 'contract capture status')} shows it. To begin one: ${suggest(target, 'contract capture on --for 2h')}. Or name files with --file.`,
  );
}

function written(
  writable: Writable | undefined,
  changes: readonly Change[],
  options: DiscoverOptions & { readonly contract: string },
): string[] {
  if (writable === undefined) return [];
  const target = targetOf(options);
  const deploy = target.local ? 'the running pipeline reloads it within seconds' : 'npm run deploy';
  return [
    '',
    ...(changes.length === 0
      ? [`${sanitize(options.contract)} contains all of that already.`]
      : [`Written to ${sanitize(options.contract)}:`, renderChanges(changes)]),
    ...writable.missing,
    '',
    `Next: ${deploy}; then ${suggest(target, `quarantine replay${contractFlag(options.contract)}`)}`,
  ];
}

function contractFlag(path: string): string {
  return path.endsWith('/contract.json') ? '' : ` --contract ${shellQuoted(path)}`;
}
