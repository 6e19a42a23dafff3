import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as z from 'zod';
import { targetOfCommand } from '../input/apply-target.ts';
import type { Command, CommandTexts } from '../input/command.ts';
import { addTargetOptions, type TargetOptions } from '../input/options.ts';
import { printResult } from '../output/print.ts';
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

const useTexts: CommandTexts = {
  examples: [
    'use local',
    'use prod/eu-west-1/SmsPipeline',
    'use prod/eu-west-1/stack:MyStack',
    'use /eu-west-1',
  ],
  notes: `Writes ${targetFile} into this folder, which holds for the folders below it too. Options and SMS_TARGET win over it.`,
};

/** Adds `use <target>`, which names the pipeline of the commands that are called in this folder. */
export function addUse(program: Command, context: Context): void {
  program
    .command('use')
    .summary('choose the pipeline that commands work with in this folder')
    .description('Chooses the pipeline that commands work with in this folder.')
    .argument('<target>', targetForms)
    .explain(useTexts)
    .action(async (text: string) => {
      if (readTarget(text, '.') === undefined) throw new UsageError(`The target ${namesNoPipeline(text)}`);
      const path = resolve(targetFile);
      await explainFileErrors(
        (code) => `${path} cannot be written (${code}).`,
        () => writeFile(path, `${text}\n`),
      );
      context.terminal.out(`Commands in this folder work with ${sanitize(text)} (${path}).\n`);
    });
}

const chosenTarget = z.object({
  target: z.string().describe('The pipeline, as `sms use` takes it.'),
  chosenBy: z.string(),
});

/** Adds `target`, which shows the pipeline that commands work with, and why. */
export function addTarget(program: Command, context: Context): void {
  const command = program
    .command('target')
    .summary('show the pipeline that commands work with, and why')
    .description('Shows the pipeline that commands work with in this folder, and what chose it.');
  addTargetOptions(command)
    .explain({ examples: ['target', 'target --json', 'target --profile prod'], output: chosenTarget })
    .action(async (options: TargetOptions) => {
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
              target.stack === undefined
                ? ['Stacks', `${sanitize(target.prefix)}-*`]
                : ['Stack', sanitize(target.stack)],
            ],
            view,
          ),
      });
    });
}
