import { resolve } from 'node:path';
import * as z from 'zod';
import { givenTargetOptions, targetOfCommand } from '../input/apply-target.ts';
import type { Command } from '../input/command.ts';
import { addTargetOptions, type TargetOptions } from '../input/options.ts';
import { printResult } from '../output/print.ts';
import { replaceFile } from '../output/replace-file.ts';
import type { Context } from '../target/context.ts';
import {
  namesNoPipeline,
  readTarget,
  targetFile,
  targetForms,
  writeTarget,
} from '../target/default-target.ts';
import { explainFileErrors, UsageError } from '../target/errors.ts';
import { sanitize } from '../text/sanitize.ts';
import { renderFields } from '../text/table.ts';

const chosenTarget = z.object({
  target: z.string().describe('The pipeline, as `sms target` accepts it.'),
  chosenBy: z.string(),
});

/** Adds `target`, which shows the pipeline that commands work with, or chooses it. */
export function addTarget(program: Command, context: Context): void {
  const command = program
    .command('target')
    .summary('show or choose the pipeline that commands work with')
    .description(
      'Shows the pipeline that commands work with in this folder, and what chose it. With a target it chooses that one.',
    )
    .argument('[target]', targetForms);
  addTargetOptions(command)
    .explain({
      examples: ['target', 'target --json', 'target local', 'target prod/eu-west-1/SmsPipeline'],
      notes: `With a target it writes ${targetFile} into this folder, which holds for the folders below it too. Options and SMS_TARGET win over it.`,
      output: chosenTarget,
    })
    .action(async (chosen: string | undefined, options: TargetOptions) => {
      if (chosen !== undefined) {
        const ignored = givenTargetOptions(command);
        if (ignored.length > 0)
          throw new UsageError(
            `The argument names the whole pipeline, so leave out ${ignored.join(', ')}: ${targetForms}.`,
          );
        const path = await choose(chosen);
        printResult(context, options, {
          json: () => ({ target: chosen, chosenBy: path }),
          text: () => `Commands in this folder work with ${sanitize(chosen)} (${sanitize(path)}).`,
        });
        return;
      }
      const { target, chosenBy } = targetOfCommand(command, await context.targetSources());
      const by = chosenBy.length === 0 ? 'the defaults' : chosenBy.join(', then ');
      printResult(context, options, {
        json: () => ({ target: writeTarget(target), chosenBy: by }),
        text: (view) =>
          renderFields(
            [
              ['Target', view.style('bold', sanitize(writeTarget(target)))],
              ['Chosen by', sanitize(by)],
              ...(target.local
                ? [['Folder', sanitize(target.directory)] as const]
                : [
                    ['Profile', sanitize(target.profile ?? "the AWS CLI's")] as const,
                    ['Region', sanitize(target.region ?? "the AWS CLI's")] as const,
                  ]),
              ['Stack', sanitize(target.stack)],
            ],
            view,
          ),
      });
    });
}

/** Names the pipeline of the commands in this folder. @returns the path of the written file @throws UsageError for a text that names none */
async function choose(text: string): Promise<string> {
  if (readTarget(text, '.') === undefined) throw new UsageError(`The target ${namesNoPipeline(text)}`);
  const path = resolve(targetFile);
  await explainFileErrors(
    (code) => `${path} cannot be written (${code}).`,
    // Other users could choose the pipeline by a file that they can write, and a link to another file is replaced.
    () => replaceFile(path, `${text}\n`, 0o644),
  );
  return path;
}
