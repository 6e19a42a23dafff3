import type { Command } from 'commander';
import { viewMessage } from '../functions/core/history/view.ts';
import type { Context } from './context.ts';
import { CommandFailure } from './failures.ts';
import { followMessage } from './follow-message.ts';
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

interface MessageOptions extends TargetOptions, RevealOptions {
  readonly follow?: true;
}

const examples = `
Examples:
  npm run -s sms -- history message msg-0001 --local
  npm run -s sms -- history message msg-0001 --json
  npm run -s sms -- history message msg-0001 --follow
  npm run -s sms -- history message -- -id-with-a-hyphen

With --follow it goes on until the status is final; --json then gives the whole message at each report, one document a line.
Exit codes: 0 found, 1 not found or failed, 2 wrong usage.`;

/** `history message <id>`: one message with every report about it. */
export function addHistoryMessage(history: Command, context: Context): void {
  const command = history
    .command('message')
    .summary('one message with its whole history')
    .description('Shows one message: its state, and every delivery report about it, oldest first.')
    .argument('<id>', 'the message id, as the SMS service names it', notEmpty)
    .option('--follow', 'new reports as they come, until the status is final; Ctrl-C ends it');
  addRevealOption(addTargetOptions(command))
    .addHelpText('after', examples)
    .action(async (id: string, options: MessageOptions) => {
      const reader = await context.connect(targetOf(options)).history();
      const message = await reader.message(id);
      if (message === undefined)
        throw new CommandFailure(
          `No message "${sanitize(id)}" in the history. A report shows up a second or two after it was received.`,
        );
      if (options.follow === true) await followMessage(context, options, message, () => reader.message(id));
      else
        printResult(context, options, {
          json: () => viewMessage(message),
          text: (view) => renderMessage(message, view),
        });
    });
}
