import type { Command } from 'commander';
import type { ContractMismatch } from '../../../contract/drift/drift-watch.ts';
import { daysOf } from '../../../functions/lists/time-range.ts';
import { addTargetOptions, notEmpty, type TargetOptions, targetOf } from '../../input/options.ts';
import { readTime } from '../../input/time-argument.ts';
import { printResult, type View } from '../../output/print.ts';
import { type RepeatedNovelty, summarizeDrift } from '../../stores/drift-summary.ts';
import type { Context } from '../../target/context.ts';
import { UsageError } from '../../target/errors.ts';
import { sanitize } from '../../text/sanitize.ts';
import { renderTable } from '../../text/table.ts';

const advice: Readonly<Record<ContractMismatch['kind'], string>> = {
  status: 'Say what the word means under "statuses" of the contract.',
  kind: 'Let "events.kind" give sms.status or sms.reply for it, or switch such events off at the service.',
  'field-missing':
    'Mend the expression where the service moved the field; where it may be missing, add a sample without it.',
  format: 'Mend the contract where the service writes it in another way; where both are right, add a sample.',
};

/** Novelties for people: a table, the shape of an event for each, and what to do. @param since the first day, yyyy-mm-dd */
function renderDrift(novelties: readonly RepeatedNovelty[], since: string, view: View): string {
  if (novelties.length === 0)
    return `No event since ${since} (UTC) differs from the contract and its samples.`;
  const { length } = novelties;
  const title = view.style(
    'bold',
    `Events differ from the contract in ${length} ${length === 1 ? 'way' : 'ways'} since ${since} (UTC)`,
  );
  const table = renderTable(
    [
      { title: '' },
      { title: 'LAST SEEN' },
      { title: 'DAYS' },
      { title: 'FIELD', maximum: 32 },
      { title: 'EXPECTED', maximum: 24 },
      { title: 'CAME' },
    ],
    novelties.map(({ days, field, expected, found, word }, index) => [
      { text: `${index + 1}` },
      { text: days[0] ?? '' },
      { text: `${days.length}` },
      { text: sanitize(field) },
      { text: sanitize(expected) },
      { text: word === undefined ? sanitize(found) : `"${sanitize(word)}"`, format: 'yellow' },
    ]),
    view,
  );
  const shapes = novelties.map(({ shape }, index) => `${index + 1}  ${sanitize(shape)}`);
  // A later version may know more kinds.
  const steps = [...new Set(novelties.flatMap(({ kind }) => advice[kind] ?? []))];
  return [
    title,
    table,
    [view.style('dim', 'The keys of one event each, with the types of their values:'), ...shapes].join('\n'),
    steps.map((step) => view.style('dim', `→ ${step}`)).join('\n'),
  ].join('\n\n');
}

interface DriftOptions extends TargetOptions {
  readonly since: string;
}

/** How long a day is kept. */
const maxDays = 90;
const dayMs = 86_400_000;

const examples = `
Examples:
  npm run -s sms -- contract drift --local
  npm run -s sms -- contract drift --since 30d --json

The pipeline compares each verified event with the contract and its samples: a word for a status or a kind that the contract does not
know, a field that every sample has and the event does not, a value of another type or that cannot be read. Each is written down once
a day (UTC), ${maxDays} days long, with the keys of one event and the types of their values; never a value. What is as it should be goes
away with a sample that shows it.
Exit codes: 0 also where there is none, 1 failed, 2 wrong usage.`;

/** `contract drift`: in what ways events differ from the contract and its samples. */
export function addContractDrift(contract: Command, context: Context): void {
  const command = contract
    .command('drift')
    .summary('in what ways events differ from the contract')
    .description('Shows in what ways the events of the last days differ from the contract and its samples.')
    .option('--since <time>', 'from the day of this time on, in UTC', notEmpty, '7d');
  addTargetOptions(command)
    .addHelpText('after', examples)
    .action(async (options: DriftOptions) => {
      const now = context.clock();
      const since = await readTime(options.since, { option: '--since', now, zone: context.terminal.zone });
      if (Date.parse(since) > now) throw new UsageError(`--since "${options.since}" is still to come.`);
      const oldest = Math.max(Date.parse(since), now - maxDays * dayMs);
      const range = { since: new Date(oldest).toISOString(), until: new Date(now + 1).toISOString() };
      const dates = [...daysOf(range)].map(({ date }) => date);
      const reader = await context.connect(targetOf(options)).drift();
      const novelties = summarizeDrift(await reader.days(dates));
      printResult(context, options, {
        json: () => ({ since: dates.at(-1), novelties }),
        text: (view) => renderDrift(novelties, dates.at(-1) ?? '', view),
      });
    });
}
