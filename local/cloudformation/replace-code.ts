import { cpSync, rmSync } from 'node:fs';
import * as z from 'zod';
import { readCloudAssembly } from './cloud-assembly.ts';

const codeSchema = z.looseObject({ Code: z.looseObject({ S3Key: z.string().optional() }).optional() });

/**
 * Replaces the code of every running function by that of a newly synthesized app. It first copies all code next to the old code, so that a failed
 * copy leaves every function unchanged.
 *
 * @throws Error if a running function is missing in the new app, and errors of node:fs
 */
export function replaceCode(runningAssembly: string, changedAssembly: string): void {
  const changed = codeDirectories(changedAssembly);
  const replacements = new Map<string, string>();
  for (const [name, running] of codeDirectories(runningAssembly)) {
    const code = changed.get(name);
    if (code === undefined) throw new Error(`${name} runs but is missing in the synthesized app`);
    replacements.set(running, code);
  }
  for (const [running, code] of replacements) {
    rmSync(besideOf(running), { recursive: true, force: true });
    cpSync(code, besideOf(running), { recursive: true });
  }
  for (const running of replacements.keys()) {
    // The folder itself is kept, because the processes of the function work in it.
    cpSync(besideOf(running), running, { recursive: true });
    rmSync(besideOf(running), { recursive: true });
  }
}

const besideOf = (directory: string): string => `${directory}.next`;

/** The folder of each function's code, by stack and logical id. */
function codeDirectories(assembly: string): Map<string, string> {
  const directories = new Map<string, string>();
  for (const { name, template, assets } of readCloudAssembly(assembly)) {
    for (const [logicalId, { Type, Properties }] of Object.entries(template.Resources)) {
      if (Type !== 'AWS::Lambda::Function') continue;
      const { S3Key = '' } = codeSchema.safeParse(Properties).data?.Code ?? {};
      const code = assets.get(S3Key);
      if (code !== undefined) directories.set(`${name} ${logicalId}`, code);
    }
  }
  return directories;
}
