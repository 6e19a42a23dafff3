import type { Command } from 'commander';
import type { Context } from './context.ts';
import { CommandFailure } from './failures.ts';
import { addTargetOptions, notEmpty, type TargetOptions, targetOf } from './options.ts';
import { printResult } from './print.ts';
import { renderReceipt, viewReceipt } from './render-erasure.ts';
import { sanitize } from './text/sanitize.ts';

const examples = `
Examples:
  npm run -s sms -- erase receipt <id> --local
  npm run -s sms -- erase receipt <id> --json

Exit codes: 0 found, 1 not found or failed, 2 wrong usage.`;

/** `erase receipt <id>`: that an erasure was done, and what it took. */
export function addEraseReceipt(erase: Command, context: Context): void {
  const command = erase
    .command('receipt')
    .summary('what an erasure deleted')
    .description('Shows the receipt of an erasure: when it was done and how much it deleted, not whose.')
    .argument('<id>', 'the id of the receipt, as erase phone told it', notEmpty);
  addTargetOptions(command)
    .addHelpText('after', examples)
    .action(async (id: string, options: TargetOptions) => {
      const data = await context.connect(targetOf(options)).personalData(context.clock);
      const receipt = await data.receipts.read(id);
      if (receipt === undefined) throw new CommandFailure(`There is no receipt "${sanitize(id)}".`);
      printResult(context, options, {
        json: () => viewReceipt(receipt),
        text: (view) => renderReceipt(receipt, view),
      });
    });
}
