import * as z from 'zod';
import type { Command } from '../input/command.ts';
import { checkFields } from '../input/json-option.ts';
import { addTargetOptions, type TargetOptions, targetOf } from '../input/options.ts';
import { printResult } from '../output/print.ts';
import type { Context } from '../target/context.ts';
import { sanitize } from '../text/sanitize.ts';
import { renderTable } from '../text/table.ts';

/** The outputs by stack and name. */
const stackOutputs = z.record(z.string(), z.record(z.string(), z.string()));

/** Outputs that CDK makes for references between stacks hold nothing that the others lack. */
const isReference = (name: string) => name.startsWith('ExportsOutput');

/** Adds `outputs`, which shows the names and addresses of the pipeline's parts. */
export function addOutputs(program: Command, context: Context): void {
  const command = program
    .command('outputs')
    .summary("show the outputs of the pipeline's stacks")
    .description("Shows the outputs of the pipeline's stacks: names and addresses of its parts.");
  addTargetOptions(command)
    .explain({ examples: ['outputs', 'outputs --json'], output: stackOutputs })
    .action(async (options: TargetOptions) => {
      const found = await context.connect(targetOf(options)).outputs();
      const stacks = Object.fromEntries(
        Object.entries(found).map(([stack, outputs]) => [
          stack,
          Object.fromEntries(Object.entries(outputs).filter(([name]) => !isReference(name))),
        ]),
      );
      if (Array.isArray(options.json)) checkFields(options.json, Object.keys(stacks));
      printResult(context, options, {
        json: () => stacks,
        text: (view) =>
          renderTable(
            [{ title: 'STACK' }, { title: 'OUTPUT' }, { title: 'VALUE', whole: true }],
            Object.entries(stacks).flatMap(([stack, outputs]) =>
              Object.entries(outputs).map(([name, value]) => [
                { text: stack },
                { text: sanitize(name) },
                { text: sanitize(value) },
              ]),
            ),
            view,
          ),
      });
    });
}
