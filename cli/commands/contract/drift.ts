import * as z from 'zod';
import type { DriftDay } from '../../../contract/drift/drift-watch.ts';
import type { ContractMismatch } from '../../../contract/drift/mismatch.ts';
import { unreadAdvice } from '../../../contract/drift/unread-advice.ts';
import { mainSource } from '../../../contract/events/source-id.ts';
import { formatCount } from '../../../functions/base/basics.ts';
import { daysOf } from '../../../functions/history/shapes.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addCsvOption, type CsvOptions } from '../../input/json-option.ts';
import { addTargetOptions, notEmpty, type TargetOptions, targetOf } from '../../input/options.ts';
import { readTime } from '../../input/time-argument.ts';
import type { View } from '../../output/print.ts';
import { printEntries } from '../../output/print-entries.ts';
import type { Context } from '../../target/context.ts';
import { UsageError } from '../../target/errors.ts';
import { sanitize } from '../../text/sanitize.ts';
import { renderTable } from '../../text/table.ts';

interface DriftOptions extends TargetOptions, CsvOptions {
  readonly since: string;
}

/** How long the pipeline keeps the mismatches of a day. */
const maxDays = 90;
const dayMs = 86_400_000;

const mismatch = z.object({
  id: z.string(),
  source: z.string().exactOptional().describe('The source whose events differ; left out for `main`.'),
  kind: z.string(),
  field: z.string(),
  expected: z.string(),
  found: z.string(),
  word: z.string().exactOptional(),
  example: z.string().exactOptional().describe('What a value that was kept as received looks like, masked.'),
  events: z.int().exactOptional().describe('How many events showed it on the newest day, at least.'),
  days: z.array(z.string()).describe('In UTC, newest first.'),
  shape: z.string().describe('The keys of one event with the types of their values.'),
});

const examples: CommandTexts = {
  output: z.object({ since: z.string().describe('A day in UTC.'), entries: z.array(mismatch) }),
  examples: ['contract drift', 'contract drift --since 30d --json'],
  details: `The pipeline compares each verified event with the contract and its samples. It records a status or a kind that the contract does not list, a field that every sample has and the event lacks, a value that has another type, and a value that could not be read and was kept as received. Each mismatch is recorded once a day (UTC) and kept for ${maxDays} days, with the number of events, the keys of one event and the types of their values. Of a value that was kept as received, it shows a masked example. To accept a mismatch, add a sample that shows it.`,
};

/** Adds `contract drift`, which shows where events deviate from the contract and its samples. */
export function addContractDrift(contract: Command, context: Context): void {
  const command = contract
    .command('drift')
    .summary('show where events deviate from the contract')
    .description('Shows where the events of the last days deviate from the contract and its samples.')
    .option('--since <time>', 'from the day of this time on, in UTC', notEmpty, '7d');
  addCsvOption(addTargetOptions(command))
    .explain(examples)
    .action(async (options: DriftOptions) => {
      const now = context.clock();
      const since = await readTime(options.since, { option: '--since', now, zone: context.terminal.zone });
      if (Date.parse(since) > now) throw new UsageError(`--since "${options.since}" is in the future.`);
      const oldest = Math.max(Date.parse(since), now - maxDays * dayMs);
      const range = { since: new Date(oldest).toISOString(), until: new Date(now + 1).toISOString() };
      const dates = [...daysOf(range)].map(({ date }) => date);
      const readDays = await context.connect(targetOf(options)).drift();
      const mismatches = summarize(await readDays(dates)).filter(
        ({ source = mainSource }) => options.source === undefined || source === options.source,
      );
      printEntries(context, options, {
        entries: mismatches,
        about: { since: dates.at(-1) },
        csvColumns: Object.keys(mismatch.shape),
        csv: (entry) => ({ ...entry, days: entry.days.join(' ') }),
        text: (view) => renderDrift(mismatches, dates.at(-1) ?? '', view),
      });
    });
}

/** A mismatch with the days on which it was seen. */
interface RepeatedMismatch extends ContractMismatch {
  readonly id: string;
  /** yyyy-mm-dd in UTC, newest first. */
  readonly days: readonly string[];
  /** The shape of the first event on the newest day that had the mismatch. */
  readonly shape: string;
  /** How many events had it on the newest day, at least. */
  readonly events?: number;
}

/** Lists each mismatch once, ordered by its newest day, then by its place in the contract. */
function summarize(days: readonly DriftDay[]): RepeatedMismatch[] {
  const newestFirst = days.toSorted((a, b) => compare(b.day, a.day));
  const seen = newestFirst.flatMap(({ day, mismatches }) =>
    [...mismatches].map(([id, mismatch]) => ({ day, id, mismatch })),
  );
  return [...Map.groupBy(seen, ({ id }) => id)]
    .flatMap(([id, sightings]): RepeatedMismatch[] => {
      const [newest] = sightings;
      if (newest === undefined) return [];
      const { foundAt: _, ...mismatch } = newest.mismatch;
      return [{ id, ...mismatch, days: sightings.map(({ day }) => day) }];
    })
    .sort((a, b) => compare(b.days[0], a.days[0]) || compare(a.field, b.field) || compare(a.id, b.id));
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const adviceOn: Readonly<Record<Exclude<ContractMismatch['kind'], 'unread'>, string>> = {
  status: 'Define the word under "statuses" of the contract.',
  kind: 'Map it to sms.status or sms.reply in "events.kind", or switch such events off at the service.',
  'field-missing':
    'Fix the expression if the service moved the field. If the field is optional, add a sample without it.',
  format: 'Fix the contract if the service changed the format. If both formats are valid, add a sample.',
};

/** Returns what to do about a mismatch. A later version may record kinds that this one does not know. */
function adviceAbout({ kind, found }: ContractMismatch): string | undefined {
  return kind === 'unread' ? unreadAdvice({ found }) : adviceOn[kind];
}

/** Shows what was received: the type, a word of the service, or why a value could not be read. */
function receivedOf(found: string, word: string | undefined, example: string | undefined): string {
  if (word !== undefined) return `"${sanitize(word)}"`;
  return example === undefined ? sanitize(found) : `${sanitize(found)}: ${sanitize(example)}`;
}

/** Renders a table of mismatches, the shape of one event for each, and advice. @param since yyyy-mm-dd */
function renderDrift(mismatches: readonly RepeatedMismatch[], since: string, view: View): string {
  if (mismatches.length === 0)
    return `No event since ${since} (UTC) deviates from the contract and its samples.`;
  const title = `Events deviate from the contract in ${formatCount(mismatches.length, 'way')} since ${since} (UTC)`;
  const hasSources = mismatches.some(({ source }) => source !== undefined);
  const table = renderTable(
    [
      { title: '' },
      ...(hasSources ? [{ title: 'SOURCE' }] : []),
      { title: 'LAST SEEN' },
      { title: 'DAYS' },
      { title: 'EVENTS' },
      { title: 'FIELD', maximum: 32 },
      { title: 'EXPECTED', maximum: 24 },
      { title: 'RECEIVED' },
    ],
    mismatches.map(({ source = mainSource, days, events, field, expected, found, word, example }, index) => [
      { text: `${index + 1}` },
      ...(hasSources ? [{ text: sanitize(source) }] : []),
      { text: days[0] ?? '' },
      { text: `${days.length}` },
      { text: events === undefined ? '' : `${events}` },
      { text: sanitize(field) },
      { text: sanitize(expected) },
      { text: receivedOf(found, word, example), format: 'yellow' },
    ]),
    view,
  );
  const shapes = mismatches.map(({ shape }, index) => `${index + 1}  ${sanitize(shape)}`);
  const steps = [...new Set(mismatches.flatMap((mismatch) => adviceAbout(mismatch) ?? []))];
  return [
    view.style('bold', title),
    table,
    [view.style('dim', 'The keys of one event each, with the types of their values:'), ...shapes].join('\n'),
    steps.map((step) => view.style('dim', `→ ${step}`)).join('\n'),
  ].join('\n\n');
}
