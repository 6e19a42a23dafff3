import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectContext } from '../../../contract/document/project-store.ts';
import type { Contract } from '../../../contract/schema/contract-schema.ts';
import { replaceCode } from '../../../local/cloudformation/replace-code.ts';
import { synthesize } from '../../../local/cloudformation/synthesize.ts';
import { endProcess } from '../../engine/run.ts';
import type { Scene } from './scene.ts';

const projectDirectory = resolve(import.meta.dirname, '../../..');

/**
 * Replaces the code of a running pipeline's functions by the code that is synthesized with another contract, and ends their processes. Lambda
 * lets the processes of the old code finish their invocations, so this is the harder test.
 *
 * @param change makes the new contract from that of the project
 */
export async function deployContract(
  { pipeline, settings }: Pick<Scene, 'pipeline' | 'settings'>,
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
      ...settings,
      'sms:contractFile': contractFile,
    });
    replaceCode(join(pipeline.directory, 'cdk.out'), assembly);
    for (const label of ['ingest', 'worker', 'setup']) pipeline.processes(label).forEach(endProcess);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
