import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { projectFolder } from '../../contract/document/project-store.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { readContract } from './contract-file.ts';

/** Error codes for a contract that lists none. They are made up, like the service. */
export const sampleErrors: Contract['errors'] = {
  '30003': 'unreachable',
  '30004': 'blocked',
  '30005': 'invalid_number',
  '30006': 'landline',
  '30007': 'spam',
  '30022': 'throttled',
  '30036': 'expired',
  '30410': 'carrier_rejected',
  '21610': 'opted_out',
};

/**
 * Writes a contract with error codes for the sample, where the project's contract lists none.
 *
 * @returns its file; undefined where the project's contract has codes
 */
export function addErrors(directory: string, projectContractFile: string): string | undefined {
  const { errors } = readContract(projectFolder, projectContractFile);
  if (Object.keys(errors).length > 0) return undefined;
  const file = join(directory, 'sample-contract.json');
  mkdirSync(directory, { recursive: true });
  writeFileSync(
    file,
    JSON.stringify({ extends: resolve(projectFolder, projectContractFile), errors: sampleErrors }),
  );
  return file;
}
