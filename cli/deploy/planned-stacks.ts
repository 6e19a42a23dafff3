import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { CommandFailure } from '../failures.ts';
import { parseTemplate, type Template } from './template.ts';

/** A stack that is about to be deployed. */
export interface PlannedStack {
  readonly name: string;
  readonly template: Template;
}

const manifestSchema = z.looseObject({
  artifacts: z.record(
    z.string(),
    z.looseObject({
      type: z.string(),
      properties: z
        .looseObject({ templateFile: z.string().optional(), stackName: z.string().optional() })
        .default({}),
    }),
  ),
});

/**
 * The stacks that `cdk synth` wrote to a directory.
 * @throws CommandFailure where a file is not as `cdk synth` writes it
 */
export async function readPlannedStacks(directory: string): Promise<PlannedStack[]> {
  const manifest = join(directory, 'manifest.json');
  const parsed = manifestSchema.safeParse(JSON.parse(await readFile(manifest, 'utf8')));
  if (!parsed.success)
    throw new CommandFailure(`${manifest} is not a manifest of the CDK. Delete the directory and try again.`);
  const stacks = Object.entries(parsed.data.artifacts).filter(
    ([, { type }]) => type === 'aws:cloudformation:stack',
  );
  return await Promise.all(
    stacks.map(async ([id, { properties }]) => {
      const file = join(directory, properties.templateFile ?? `${id}.template.json`);
      const template = parseTemplate(await readFile(file, 'utf8'));
      if (template === undefined)
        throw new CommandFailure(`${file} is not a template. Delete the directory and try again.`);
      return { name: properties.stackName ?? id, template };
    }),
  );
}
