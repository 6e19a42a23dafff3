import * as z from 'zod';
import type { Command } from '../input/command.ts';
import { addCsvOption, type CsvOptions } from '../input/json-option.ts';
import { addTargetOptions, type TargetOptions, targetOf } from '../input/options.ts';
import { printEntries } from '../output/print-entries.ts';
import type { Context } from '../target/context.ts';
import { sanitize } from '../text/sanitize.ts';
import { renderTable } from '../text/table.ts';

const output = z.object({ stack: z.string(), name: z.string(), value: z.string() });

/** Outputs that CDK makes for references between stacks hold nothing that the others lack. */
const isReference = (name: string) => name.startsWith('ExportsOutput');

/** Adds `outputs`, which shows the names and addresses of the pipeline's parts. */
export function addOutputs(program: Command, context: Context): void {
  const command = program
    .command('outputs')
    .summary("show the outputs of the pipeline's stacks")
    .description("Shows the outputs of the pipeline's stacks: names and addresses of its parts.");
  addCsvOption(addTargetOptions(command))
    .explain({
      examples: ['outputs', 'outputs --json name,value'],
      output: z.object({ entries: z.array(output) }),
    })
    .action(async (options: TargetOptions & CsvOptions) => {
      const stacks = await context.connect(targetOf(options)).outputs();
      const entries = Object.entries(stacks).flatMap(([stack, outputs]) =>
        Object.entries(outputs)
          .filter(([name]) => !isReference(name))
          .map(([name, value]) => ({ stack, name, value })),
      );
      await printEntries(context, options, {
        entries,
        csvColumns: Object.keys(output.shape),
        csv: (entry) => entry,
        text: (view) =>
          renderTable(
            [{ title: 'STACK' }, { title: 'OUTPUT' }, { title: 'VALUE', whole: true }],
            entries.map(({ stack, name, value }) => [
              { text: stack },
              { text: sanitize(name) },
              { text: sanitize(value) },
            ]),
            view,
          ),
      });
    });
}
