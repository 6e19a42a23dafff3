import * as z from 'zod';
import type { Command } from '../input/command.ts';
import { addCsvOption, type CsvOptions } from '../input/json-option.ts';
import { addTargetOptions, type TargetOptions, targetOf } from '../input/options.ts';
import { printEntries } from '../output/print-entries.ts';
import type { Context } from '../target/context.ts';
import { sanitize } from '../text/sanitize.ts';
import { renderTable } from '../text/table.ts';

const output = z.object({ name: z.string(), value: z.string() });

/** Adds `outputs`, which shows the names and addresses of the pipeline's parts. */
export function addOutputs(program: Command, context: Context): void {
  const command = program
    .command('outputs')
    .summary('show the outputs of the pipeline')
    .description('Shows the outputs of the pipeline: names and addresses of its parts.');
  addCsvOption(addTargetOptions(command))
    .explain({
      examples: ['outputs', 'outputs --json name,value'],
      output: z.object({ entries: z.array(output) }),
    })
    .action(async (options: TargetOptions & CsvOptions) => {
      const outputs = await context.connect(targetOf(options)).outputs();
      const entries = Object.entries(outputs).map(([name, value]) => ({ name, value }));
      await printEntries(context, options, {
        entries,
        csvColumns: Object.keys(output.shape),
        csv: (entry) => entry,
        text: (view) =>
          renderTable(
            [{ title: 'OUTPUT' }, { title: 'VALUE', whole: true }],
            entries.map(({ name, value }) => [{ text: sanitize(name) }, { text: sanitize(value) }]),
            view,
          ),
      });
    });
}
