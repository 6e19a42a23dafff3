import { Option } from 'commander';
import pMap from 'p-map';
import * as z from 'zod';
import { diagnoseSignature, type SignatureDiagnosis } from '../../../contract/checks/diagnose-signature.ts';
import { contractHash } from '../../../contract/events/body.ts';
import { createMapper } from '../../../contract/events/mapping.ts';
import { mainSource } from '../../../contract/events/source-id.ts';
import type { Secrets } from '../../../discovery/captured/capture.ts';
import { formatCount } from '../../../functions/base/basics.ts';
import type { BoundedRange } from '../../../functions/history/shapes.ts';
import {
  bodyOfEvent,
  decodeEnvelope,
  hasWholeBody,
  type NotReplayable,
  type Reading,
  replayableRequest,
  requestOf,
  whyItStays,
} from '../../../functions/receive/index.ts';
import { type QuarantinedEntry, wasCaptured } from '../../../functions/receive/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { readContract } from '../../input/contract-file.ts';
import { addCsvOption, type CsvOptions } from '../../input/json-option.ts';
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
import type { View } from '../../output/print.ts';
import { printEntries } from '../../output/print-entries.ts';
import { joinPages, readPages } from '../../output/read-pages.ts';
import type { Context } from '../../target/context.ts';
import { formatTime } from '../../text/format.ts';
import { sanitize } from '../../text/sanitize.ts';
import { renderTable } from '../../text/table.ts';

interface ContractDiffOptions extends TargetOptions, CsvOptions, ContractOptions, SecretOptions {
  readonly limit: number;
  readonly since?: string;
  readonly until?: string;
}

const concurrency = 10;

const examples: CommandTexts = {
  examples: [
    'contract diff --contract new.json',
    'contract diff --since 30d --contract new.json --secret-from-service',
    'contract diff --limit 5000 --contract new.json --json',
  ],
  details:
    'Shows how a contract that is not deployed yet would read each quarantine entry, newest first. With a secret it also verifies the entries that were not verified on receipt. The command changes nothing. Without --since the range is the last 24 hours, or the 24 hours before --until; times as in the lists (message list --help).',
};

/** Adds `contract diff`, which shows how another contract would read the quarantine. */
export function addContractDiff(contract: Command, context: Context): void {
  const command = contract
    .command('diff')
    .summary('show how another contract would read the quarantine')
    .description('Compares how a contract that is not deployed yet reads the entries in quarantine.')
    .addOption(
      new Option('--against <what>', 'what to compare with').choices(['quarantine']).default('quarantine'),
    )
    .option('--limit <count>', 'how many entries at most', wholeNumber(1, 100_000), 1000)
    .option('--since <time>', 'received from this time on', notEmpty)
    .option('--until <time>', 'received before this time', notEmpty);
  addSecretOptions(addContractOption(addCsvOption(addTargetOptions(command))))
    .explain({ ...examples, output: quarantineDiff })
    .action((options: ContractDiffOptions) => diff(options, context));
}

async function diff(options: ContractDiffOptions, context: Context): Promise<void> {
  const contract = await readContract(options.contract);
  const range = lastDay(await readRange(options, context), context.clock());
  const secrets = await readSecrets(options, context);
  const quarantine = await context.connect(targetOf(options)).quarantine();
  const pages = readPages((page) => quarantine.list(range, page), { limit: options.limit });
  const { entries } = await joinPages(pages);
  const { source = mainSource } = options;
  const reading = { source, contract, map: createMapper(contract) };
  const reread = await pMap(
    entries,
    async ({ id }): Promise<RereadEntry[]> => {
      const entry = await quarantine.entry(id);
      // The entry may have been replayed or have expired since it was listed.
      return entry === undefined ? [] : [rereadEntry(entry, reading, secrets)];
    },
    { concurrency },
  );
  const result = diffOf(contractHash(contract), range, reread.flat());
  const { entries: groups, ...about } = result;
  printEntries(context, options, {
    entries: groups,
    about,
    csvColumns: Object.keys(group.shape),
    csv: ({ becomes, examples, ...rest }) => ({
      ...rest,
      becomes: becomes.join('; '),
      examples: examples.join(' '),
    }),
    text: (view) => renderDiff(result, options.until !== undefined, view),
  });
}

/** How a contract reads an entry. It never contains what the entry holds. */
interface RereadEntry {
  readonly id: string;
  /** The reason the entry was kept for, with the field it is about. */
  readonly reason: string;
  /** The hash of the contract that the entry was received with. */
  readonly contract: string | undefined;
  /** The kinds of the entry's events, or why there are none; each once. */
  readonly becomes: readonly string[];
  /** Whether a replay would send the entry and could read one of its events. */
  readonly isReplayable: boolean;
  /** Why a replay would leave the entry in quarantine. */
  readonly stays?: NotReplayable;
  /** The result of verifying an entry that was not verified on receipt. */
  readonly signature: SignatureDiagnosis['kind'] | undefined;
}

/** Reasons that do not depend on how an entry is read. */
const independentReasons: ReadonlySet<string> = new Set(['message-full', 'storage-refused']);

function rereadEntry(entry: QuarantinedEntry, reading: Reading, secrets: Secrets): RereadEntry {
  const { id, field, contract } = entry;
  return {
    id,
    reason: withField(entry.reason, field),
    contract,
    ...(independentReasons.has(entry.reason)
      ? { becomes: [`${entry.reason}, whatever the contract`], isReplayable: false }
      : readBody(entry, reading)),
    signature: signatureOf(entry, reading, secrets),
  };
}

function readBody(
  entry: QuarantinedEntry,
  reading: Reading,
): Pick<RereadEntry, 'becomes' | 'isReplayable' | 'stays'> {
  const replayable = replayableRequest(entry, reading);
  const stays = 'stays' in replayable ? { stays: replayable.stays } : {};
  const body = bodyOf(entry, reading);
  if (body === undefined)
    return { becomes: ['no event that events.list finds'], isReplayable: false, ...stays };
  const mapped = reading.map(body, entry.signedId, entry.receivedAt, requestOf(entry));
  const outcomes = mapped.map((outcome) =>
    outcome.kind === 'event' ? outcome.event.kind : withField(outcome.reason, outcome.field),
  );
  return {
    becomes: [...new Set(outcomes)].sort(),
    isReplayable: 'envelope' in replayable && mapped.some(({ kind }) => kind === 'event'),
    ...stays,
  };
}

function bodyOf(entry: QuarantinedEntry, { contract, map }: Reading): Uint8Array | undefined {
  const { reason, raw } = entry;
  if (reason === 'not-an-envelope') return decodeEnvelope(Buffer.from(raw).toString())?.body;
  return hasWholeBody(entry) ? raw : bodyOfEvent(raw, contract, map, requestOf(entry));
}

function signatureOf(
  entry: QuarantinedEntry,
  { contract }: Reading,
  secrets: Secrets,
): SignatureDiagnosis['kind'] | undefined {
  const { headers, url, raw, receivedAt, method } = entry;
  if (headers === undefined || url === undefined) return undefined;
  const at = Date.parse(receivedAt);
  const request = { headers, url, method, body: raw, masked: wasCaptured(entry) };
  return diagnoseSignature(contract, request, secrets(at), at).kind;
}

function withField(reason: string, field: string | undefined): string {
  return field === undefined ? reason : `${reason} (${field})`;
}

const group = z.object({
  reason: z.string(),
  contract: z.string().exactOptional().describe('Hash of the contract they were received by.'),
  becomes: z.array(z.string()),
  isReplayable: z.boolean(),
  stays: z.string().exactOptional().describe('Why a replay would leave them in quarantine.'),
  signature: z.string().exactOptional().describe('What verifying unverified entries gives.'),
  count: z.int(),
  examples: z.array(z.string()).describe('Ids of the newest entries.'),
});

const quarantineDiff = z.object({
  contract: z.string().describe('Hash of the contract that is compared.'),
  since: z.string(),
  until: z.string(),
  compared: z.int().describe('How many quarantine entries were compared.'),
  replayable: z.int().describe('How many of them a replay would send and could read.'),
  entries: z
    .array(group)
    .describe('Groups of quarantine entries that the contract reads alike, the largest first.'),
});

/** Entries that a contract reads alike. */
interface EntryGroup extends Omit<RereadEntry, 'id'> {
  readonly count: number;
  /** The ids of the newest entries. */
  readonly examples: readonly string[];
}

interface QuarantineDiff extends BoundedRange {
  /** The hash of the contract that is compared. */
  readonly contract: string;
  readonly compared: number;
  /** How many entries a replay would send and could read. */
  readonly replayable: number;
  /** The largest group first. */
  readonly entries: readonly EntryGroup[];
}

const maxExamples = 3;

function diffOf(
  contract: string,
  { since, until }: BoundedRange,
  entries: readonly RereadEntry[],
): QuarantineDiff {
  const groups = Map.groupBy(entries, ({ id: _, ...group }) => JSON.stringify(group));
  return {
    contract,
    since,
    until,
    compared: entries.length,
    replayable: entries.filter(({ isReplayable }) => isReplayable).length,
    entries: [...groups.values()]
      .flatMap((members): EntryGroup[] => {
        const [first] = members;
        if (first === undefined) return [];
        const { id: _, ...group } = first;
        return [
          { ...group, count: members.length, examples: members.slice(0, maxExamples).map(({ id }) => id) },
        ];
      })
      .sort((a, b) => b.count - a.count),
  };
}

function renderDiff(diff: QuarantineDiff, hasEnd: boolean, view: View): string {
  const since = formatTime(diff.since, view.zone);
  const range = hasEnd ? `${since} to ${formatTime(diff.until, view.zone)}` : `since ${since}`;
  const title = `Contract ${diff.contract} and ${formatCount(diff.compared, 'quarantine entry', 'quarantine entries')}, ${range}`;
  if (diff.compared === 0) return `${title}: nothing to compare.`;
  const table = renderTable(
    [
      { title: 'ENTRIES' },
      { title: 'KEPT FOR' },
      { title: 'BY CONTRACT' },
      { title: 'WOULD BE' },
      { title: 'SIGNATURE' },
      { title: 'FOR EXAMPLE', whole: true },
    ],
    diff.entries.map(({ count, reason, contract, becomes, isReplayable, stays, signature, examples }) => [
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
  const staying = Map.groupBy(diff.entries, ({ stays }) => stays);
  const explanations = [...staying].flatMap(([stays, groups]) => {
    if (!hasReasonToShow(stays)) return [];
    const total = groups.reduce((sum, { count }) => sum + count, 0);
    return [`Stays, ${total}: ${whyItStays[stays]}.`];
  });
  const replayable = `${diff.replayable} of ${diff.compared} hold an event that this contract reads, and can be sent. Once it is deployed, quarantine replay sends them through the worker; a signature-mismatch only with --reason signature-mismatch.`;
  return [title, table, [...explanations, replayable].join('\n')].join('\n\n');
}

/** Returns false for unreadable entries: the column WOULD BE already says why. */
function hasReasonToShow(stays: NotReplayable | undefined): stays is keyof typeof whyItStays {
  return stays !== undefined && stays !== 'unreadable';
}
