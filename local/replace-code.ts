import { cpSync } from 'node:fs';
import { z } from 'zod';
import { readCloudAssembly } from './assembly/cloud-assembly.ts';

const codeSchema = z.looseObject({ Code: z.looseObject({ S3Key: z.string() }) });

/**
 * Puts the code of every function of a synthesized app in the place of that of a running one.
 *
 * @throws Error where a function that runs is not in what was synthesized
 */
export function replaceCode(runningAssembly: string, changedAssembly: string): void {
  const changed = codeDirectories(changedAssembly);
  for (const [name, running] of codeDirectories(runningAssembly)) {
    const code = changed.get(name);
    if (code === undefined) throw new Error(`${name} runs, and is not in what was synthesized`);
    cpSync(code, running, { recursive: true });
  }
}

/** Where each function's code lies, by stack and logical id. */
function codeDirectories(assembly: string): Map<string, string> {
  const directories = new Map<string, string>();
  for (const { name, template, assets } of readCloudAssembly(assembly)) {
    for (const [logicalId, { Type, Properties }] of Object.entries(template.Resources)) {
      if (Type !== 'AWS::Lambda::Function') continue;
      const { S3Key } = codeSchema.parse(Properties).Code;
      const code = assets.get(S3Key);
      if (code !== undefined) directories.set(`${name} ${logicalId}`, code);
    }
  }
  return directories;
}
