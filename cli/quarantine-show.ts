import { type Command, Option } from 'commander';
import { viewQuarantineEntry } from '../functions/core/history/view.ts';
import type { Context } from './context.ts';
import { CommandFailure, UsageError } from './failures.ts';
import { addTargetOptions, notEmpty, type RevealOptions, type TargetOptions, targetOf } from './options.ts';
import { printResult } from './print.ts';
import { renderQuarantined } from './render-quarantined.ts';
import { sanitize } from './text/sanitize.ts';

interface QuarantineShowOptions extends TargetOptions, RevealOptions {
  readonly raw?: true;
}

const examples = `
Examples:
  npm run -s sms -- quarantine show "2026-01-15T12:00:05.000Z#<request id>#0" --local
  npm run -s sms -- quarantine show "<id>" --reveal
  npm run -s sms -- quarantine show "<id>" --raw > event.json

What was received may hold phone numbers and texts: it is shown with --reveal, with --json, and with --raw.
Exit codes: 0 found, 1 not found or failed, 2 wrong usage.`;

/** `quarantine show <id>`: one entry, and what was received. */
export function addQuarantineShow(quarantine: Command, context: Context): void {
  const command = quarantine
    .command('show')
    .summary('one entry with what was received')
    .description('Shows why something that was received could not become history, and what it was.')
    .argument('<id>', 'the id of the entry, as quarantine list shows it', notEmpty)
    .option('--reveal', 'show what was received')
    .addOption(
      new Option('--raw', 'write what was received to stdout, byte by byte, and nothing else').conflicts([
        'json',
        'reveal',
      ]),
    );
  addTargetOptions(command)
    .addHelpText('after', examples)
    .action(async (id: string, options: QuarantineShowOptions) => {
      const { terminal } = context;
      if (options.raw === true && terminal.columns !== undefined)
        throw new UsageError(
          '--raw writes bytes as they came, which may steer a terminal: pipe them into a file or a command, or use --reveal.',
        );
      const quarantine = await context.connect(targetOf(options)).quarantine();
      const entry = await quarantine.entry(id);
      if (entry === undefined)
        throw new CommandFailure(
          `No entry "${sanitize(id)}" in quarantine. quarantine list shows the ids; an entry goes when its retention ends.`,
        );
      if (options.raw === true) terminal.bytes(entry.raw);
      else
        printResult(context, options, {
          json: () => viewQuarantineEntry(entry),
          text: (view) => renderQuarantined(entry, view),
        });
    });
}
