import type { Command } from 'commander';
import { viewMessage } from '../functions/core/history/view.ts';
import type { Context } from './context.ts';
import { CommandFailure } from './failures.ts';
import {
  addRevealOption,
  addTargetOptions,
  notEmpty,
  type RevealOptions,
  type TargetOptions,
  targetOf,
} from './options.ts';
import { printResult } from './print.ts';
import { renderMessage } from './render-message.ts';
import { sanitize } from './text/sanitize.ts';

const examples = `
Examples:
  npm run -s sms -- history message msg-0001 --local
  npm run -s sms -- history message msg-0001 --json
  npm run -s sms -- history message -- -id-with-a-hyphen

Exit codes: 0 found, 1 not found or failed, 2 wrong usage.`;

/** `history message <id>`: one message with every report about it. */
export function addHistoryMessage(history: Command, context: Context): void {
  const command = history
    .command('message')
    .summary('one message with its whole history')
    .description('Shows one message: its state, and every delivery report about it, oldest first.')
    .argument('<id>', 'the message id, as the SMS service names it', notEmpty);
  addRevealOption(addTargetOptions(command))
    .addHelpText('after', examples)
    .action(async (id: string, options: TargetOptions & RevealOptions) => {
      const reader = await context.connect(targetOf(options)).history();
      const message = await reader.message(id);
      if (message === undefined)
        throw new CommandFailure(
          `No message "${sanitize(id)}" in the history. A report shows up a second or two after it was received.`,
        );
      printResult(context, options, {
        json: () => viewMessage(message),
        text: (view) => renderMessage(message, view),
      });
    });
}
