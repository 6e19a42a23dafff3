import type { Command } from 'commander';
import { canonicalStatuses } from '../functions/core/statuses.ts';
import type { Context } from './context.ts';
import {
  addListOptions,
  addStatusOption,
  type ListOptions,
  listNotes,
  openRange,
  readFilter,
  type StatusOptions,
} from './list/list-options.ts';
import { showList } from './list/show-list.ts';
import { timelineFormat } from './list/timeline-format.ts';
import { addContractOption, type ContractOptions, targetOf } from './options.ts';
import { readCountry, readPhone } from './phone-argument.ts';
import { showPhone } from './show.ts';

interface HistoryPhoneOptions extends ListOptions, StatusOptions, ContractOptions {
  readonly country?: string;
}

const examples = `
Examples:
  npm run -s sms -- history phone +1 202 555 0143 --local
  npm run -s sms -- history phone "(202) 555-0143" --country US --limit 50
  npm run -s sms -- history phone +12025550143 --since yesterday --json
  npm run -s sms -- history phone +12025550143 --follow

A number without a country code is read as one of --country, else of the contract's events.defaultCountry.
With --status replies are left out.${listNotes}
Exit codes: 0 also where nothing is known of the number, 1 failed, 2 wrong usage.`;

/** `history phone <number>`: messages to a number and replies from it. */
export function addHistoryPhone(history: Command, context: Context): void {
  const command = history
    .command('phone')
    .summary('the timeline of one number: messages and replies')
    .description('Shows the messages to a number and the replies from it, newest first.')
    .argument('<number...>', 'the number, as people write it')
    .option('--country <code>', 'country of a number without a country code, for example BR');
  addContractOption(addListOptions(addStatusOption(command, canonicalStatuses)))
    .addHelpText('after', examples)
    .action(async (words: readonly string[], options: HistoryPhoneOptions) => {
      const country = options.country === undefined ? undefined : readCountry(options.country);
      const phone = await readPhone(
        words.join(' '),
        async () => country ?? contractCountry(options.contract),
      );
      const filter = readFilter(options, canonicalStatuses);
      await showList(context, options, {
        range: openRange,
        open: async () => {
          const history = await context.connect(targetOf(options)).history();
          return (range, page) => history.phone({ phone, ...filter, ...range }, page);
        },
        format: timelineFormat,
        title: (view) => `messages to ${showPhone(phone, view)} (→) and replies from it (←)`,
        nothing: (view) => `Nothing in the history of ${showPhone(phone, view)}`,
      });
    });
}

/** Loaded where it is needed: validating a contract takes a large library. */
async function contractCountry(path: string): Promise<string | null> {
  const { readContract } = await import('./contract-file.ts');
  return (await readContract(path)).events.defaultCountry;
}
