import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { replaceCode } from '../../local/cloudformation/replace-code.ts';
import { projectContext, synthesize } from '../../local/cloudformation/synthesize.ts';
import { endProcess, type Scene } from './scene/scene.ts';

/**
 * Returns the settings of the pipeline: the minimum timeout, so that messages of a dead process are redelivered soon; every event is
 * published; unverified requests are parked; only events of one rare type are forwarded.
 *
 * @param forwardUrl receives what is forwarded
 */
export const faultSettings = (forwardUrl: string) => ({
  'sms:workerTimeoutSeconds': 10,
  'sms:everyEvent': 'on',
  'sms:parkUnverified': 'always',
  'sms:optOutContacts': 'on',
  'sms:contactSync': 'on',
  'sms:billingWatch': 'on',
  'sms:forwardUrl': forwardUrl,
  'sms:forwardDetailTypes': 'SMS Billing Card Expiring',
});

const projectDirectory = resolve(import.meta.dirname, '../..');

/**
 * Replaces the code of a running pipeline's functions by what is synthesized with another contract. Harsher than Lambda, which lets
 * an old environment finish what it has begun: their processes are killed.
 *
 * @param change of the contract the project has
 */
export async function deployContract(
  { pipeline, receiver }: Pick<Scene, 'pipeline' | 'receiver'>,
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
      ...faultSettings(receiver.url),
      'sms:contractFile': contractFile,
    });
    replaceCode(join(pipeline.directory, 'cdk.out'), assembly);
    for (const label of ['ingest', 'worker', 'setup']) pipeline.processes(label).forEach(endProcess);
  } finally {
    rmSync(directory, { recursive: true });
  }
}
