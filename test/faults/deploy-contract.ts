import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import type { Contract } from '../../functions/core/contract/contract.ts';
import { readCloudAssembly } from '../../local/assembly/cloud-assembly.ts';
import { projectContext, synthesize } from '../../local/assembly/synthesize.ts';
import type { LocalPipeline } from '../support/local-pipeline.ts';
import { endProcess } from './scene.ts';
import { faultSettings } from './settings.ts';

const codeSchema = z.looseObject({ Code: z.looseObject({ S3Key: z.string() }) });

const projectDirectory = resolve(import.meta.dirname, '../..');

/**
 * Replaces the code of a running pipeline's functions by what is synthesized with another contract. Harsher than Lambda, which lets
 * an old environment finish what it has begun: their processes are killed.
 *
 * @param change of the contract the project has
 */
export async function deployContract(
  pipeline: LocalPipeline,
  change: (contract: Contract) => object,
): Promise<void> {
  const directory = mkdtempSync(`${pipeline.directory}-contract-`);
  try {
    const contract: Contract = JSON.parse(readFileSync(join(projectDirectory, 'contract.json'), 'utf8'));
    const contractFile = join(directory, 'contract.json');
    writeFileSync(contractFile, JSON.stringify(change(contract)));
    const assembly = join(directory, 'cdk.out');
    await synthesize(projectDirectory, assembly, {
      ...projectContext(projectDirectory),
      ...faultSettings,
      'sms:contractFile': contractFile,
    });
    const changed = codeDirectories(assembly);
    for (const [name, running] of codeDirectories(join(pipeline.directory, 'cdk.out'))) {
      const code = changed.get(name);
      if (code === undefined) throw new Error(`${name} runs, and is not in what was synthesized`);
      cpSync(code, running, { recursive: true });
    }
    for (const label of ['ingest', 'worker', 'setup']) pipeline.processes(label).forEach(endProcess);
  } finally {
    rmSync(directory, { recursive: true });
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
