import { cpSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { readCloudAssembly } from './cloud-assembly.ts';

const codeSchema = z.looseObject({ Code: z.looseObject({ S3Key: z.string() }) });

/**
 * Puts the code of every function of a synthesized app in the place of that of a running one. All of it is copied beside first, so
 * that a copy that fails leaves every function with the code it has.
 *
 * @throws Error where a function that runs is not in what was synthesized; as node:fs
 */
export function replaceCode(runningAssembly: string, changedAssembly: string): void {
  const changed = codeDirectories(changedAssembly);
  const replacements = new Map<string, string>();
  for (const [name, running] of codeDirectories(runningAssembly)) {
    const code = changed.get(name);
    if (code === undefined) throw new Error(`${name} runs, and is not in what was synthesized`);
    replacements.set(running, code);
  }
  for (const [running, code] of replacements) {
    rmSync(besideOf(running), { recursive: true, force: true });
    cpSync(code, besideOf(running), { recursive: true });
  }
  for (const running of replacements.keys()) {
    // Into the folder that is there: processes of the functions work in it.
    cpSync(besideOf(running), running, { recursive: true });
    rmSync(besideOf(running), { recursive: true });
  }
}

const besideOf = (directory: string): string => `${directory}.next`;

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
