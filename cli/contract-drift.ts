import type { Command } from 'commander';
import { summarizeDrift } from '../functions/core/drift/drift-summary.ts';
import { daysOf } from '../functions/core/history/days.ts';
import type { Context } from './context.ts';
import { UsageError } from './failures.ts';
import { readTime } from './list/time-argument.ts';
import { addTargetOptions, notEmpty, type TargetOptions, targetOf } from './options.ts';
import { printResult } from './print.ts';
import { renderDrift } from './render-drift.ts';

interface DriftOptions extends TargetOptions {
  readonly since: string;
}

/** How long a day is kept. */
const mostDays = 90;
const dayMs = 86_400_000;

const examples = `
Examples:
  npm run -s sms -- contract drift --local
  npm run -s sms -- contract drift --since 30d --json

The pipeline compares each verified event with the contract and its samples: a word for a status or a kind that the contract does not
know, a field that every sample has and the event does not, a value of another type or that cannot be read. Each is written down once
a day (UTC), ${mostDays} days long, with the keys of one event and the types of their values; never a value. What is as it should be goes
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
      const oldest = Math.max(Date.parse(since), now - mostDays * dayMs);
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
