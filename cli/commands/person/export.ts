import { formatCount } from '../../../functions/base/basics.ts';
import type { Command, CommandTexts } from '../../input/command.ts';
import { addPipelineOptions, notEmpty, type TargetOptions, wholeTargetOf } from '../../input/options.ts';
import { addNumberArgument, type NumberOptions, readSearchedNumber } from '../../input/phone-argument.ts';
import { countProgress } from '../../output/progress.ts';
import { writeExport, wrote } from '../../output/write-export.ts';
import { viewPersonalRecord } from '../../personal-data/record.ts';
import type { Context } from '../../target/context.ts';
import { toJsonLine } from '../../text/sanitize.ts';
import { unsearchedWarning } from './render-erasure.ts';

interface PersonExportOptions extends TargetOptions, NumberOptions {
  readonly out?: string;
}

const texts: CommandTexts = {
  examples: ['person export +1 202 555 0143', 'person export +12025550143 --out person.jsonl'],
  details:
    'One JSON document a line, numbers and texts in full: messages, replies, the opt-out, and quarantine entries that contain the number, as received ("kind" names each). Review quarantine entries before you hand them out: a body may be about other people too.',
};

/** Adds `person export <number>`, which writes everything that is stored about a number. */
export function addPersonExport(person: Command, context: Context): void {
  const command = person
    .command('export')
    .summary('export everything about one number')
    .description('Writes everything that is stored about a number as JSON lines.')
    .option('--out <file>', 'a new file that only you can read, instead of stdout', notEmpty);
  addPipelineOptions(addNumberArgument(command))
    .explain(texts)
    .action(async (words: readonly string[], options: PersonExportOptions) => {
      const phone = await readSearchedNumber(words, options, context);
      const onRead = countProgress(context, { doing: 'Searching', unit: ['item', 'items'] });
      const unsearched: string[] = [];
      const onUnsearched = (id: string) => void unsearched.push(id);
      const connection = context.connect(wholeTargetOf(options));
      const data = await connection.personalData(context.clock, onRead, onUnsearched);
      let count = 0;
      await writeExport(options.out, context.terminal, async (write) => {
        for await (const record of data.records(phone)) {
          count += 1;
          if (!(await write(`${toJsonLine(viewPersonalRecord(record))}\n`))) return;
        }
      });
      const { terminal } = context;
      if (unsearched.length > 0) terminal.err(`warning: ${unsearchedWarning(unsearched)}\n`);
      if (options.out !== undefined && count > 0)
        terminal.err(wrote(formatCount(count, 'record'), options.out));
      if (count === 0) terminal.err('Nothing is stored about this number. Check its spelling.\n');
    });
}
