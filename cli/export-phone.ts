import type { Command } from 'commander';
import { viewPersonalRecord } from '../functions/core/personal-data/view.ts';
import type { Context } from './context.ts';
import { writeExport } from './export-output.ts';
import { UsageError } from './failures.ts';
import { addPipelineOptions, notEmpty, type TargetOptions, targetOf } from './options.ts';
import { addNumberArgument, type NumberOptions } from './phone-argument.ts';
import { readSearchedNumber } from './searched-number.ts';
import { toJsonLine } from './text/sanitize.ts';

interface ExportPhoneOptions extends TargetOptions, NumberOptions {
  readonly out?: string;
}

const examples = `
Examples:
  npm run -s sms -- export phone +1 202 555 0143 --local
  npm run -s sms -- export phone +12025550143 --out person.jsonl

One JSON document a line, numbers and texts in full: messages, replies, the opt-out ("kind" says which), and what in quarantine
the number occurs in, as it was received: look through that before it is handed out, a body may be about others as well.
Exit codes: 0 also where nothing is known of the number, 1 failed, 2 wrong usage.`;

/** `export phone <number>`: everything that is kept about a number. */
export function addExportPhone(parent: Command, context: Context): void {
  const command = parent
    .command('phone')
    .summary('everything about one number')
    .description('Writes everything that is kept about a number as JSON lines.')
    .option('--out <file>', 'a new file that only you can read, instead of stdout', notEmpty);
  addPipelineOptions(addNumberArgument(command))
    .addHelpText('after', examples)
    .action(async (words: readonly string[], options: ExportPhoneOptions) => {
      refuseMisplaced(parent);
      const phone = await readSearchedNumber(words, options);
      const data = await context.connect(targetOf(options)).personalData(context.clock);
      let found = 0;
      await writeExport(options.out, context.terminal, async (write) => {
        for await (const record of data.records(phone)) {
          found += 1;
          if (!(await write(`${toJsonLine(viewPersonalRecord(record))}\n`))) return;
        }
      });
      if (found === 0)
        context.terminal.err('Nothing is kept about this number. Check that it is written right.\n');
    });
}

/** What stands before `phone` is an option of `export`, and would be dropped in silence. */
function refuseMisplaced(parent: Command): void {
  const given = parent.options.find(
    (option) => parent.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (given !== undefined)
    throw new UsageError(
      `${given.long} stands before "phone", where it does nothing: options of export phone belong behind "phone".`,
    );
}
