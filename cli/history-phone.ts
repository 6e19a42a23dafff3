import type { Command } from 'commander';
import { viewPhone } from '../functions/core/history/view.ts';
import type { Context } from './context.ts';
import {
  addContractOption,
  addRevealOption,
  addTargetOptions,
  type ContractOptions,
  type RevealOptions,
  type TargetOptions,
  targetOf,
  wholeNumber,
} from './options.ts';
import { readCountry, readPhone } from './phone-argument.ts';
import { printResult } from './print.ts';
import { renderTimeline } from './render-timeline.ts';

interface HistoryPhoneOptions extends TargetOptions, ContractOptions, RevealOptions {
  readonly limit: number;
  readonly country?: string;
}

const examples = `
Examples:
  npm run -s sms -- history phone +1 202 555 0143 --local
  npm run -s sms -- history phone "(202) 555-0143" --country US --limit 50
  npm run -s sms -- history phone +12025550143 --json

A number without a country code is read as one of --country, else of the contract's events.defaultCountry.
In tables numbers are masked (+12025•••43) unless --reveal; with --json they are in full.
Exit codes: 0 also where nothing is known of the number, 1 failed, 2 wrong usage.`;

/** `history phone <number>`: messages to a number and replies from it. */
export function addHistoryPhone(history: Command, context: Context): void {
  const command = history
    .command('phone')
    .summary('the timeline of one number: messages and replies')
    .description('Shows the messages to a number and the replies from it, newest first.')
    .argument('<number...>', 'the number, as people write it')
    .option('--limit <count>', 'how many entries at most', wholeNumber(1, 1000), 20)
    .option('--country <code>', 'country of a number without a country code, for example BR');
  addRevealOption(addTargetOptions(addContractOption(command)))
    .addHelpText('after', examples)
    .action(async (words: readonly string[], options: HistoryPhoneOptions) => {
      const country = options.country === undefined ? undefined : readCountry(options.country);
      const phone = await readPhone(
        words.join(' '),
        async () => country ?? contractCountry(options.contract),
      );
      const reader = await context.connect(targetOf(options)).history();
      const entries = await reader.timeline(phone, options.limit);
      printResult(context, options, {
        json: () => viewPhone(phone, entries),
        text: (view) => renderTimeline({ phone, entries, limit: options.limit }, view),
      });
    });
}

/** Loaded where it is needed: validating a contract takes a large library. */
async function contractCountry(path: string): Promise<string | null> {
  const { readContract } = await import('./contract-file.ts');
  return (await readContract(path)).events.defaultCountry;
}
