import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  contractFiles,
  hasService,
  loadContract,
  pathOfContract,
  shippedContract,
} from '../../contract/document/contract-file-store.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { completedContractName, userErrors } from './contract-file.ts';

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
 * Writes a contract with what the project's contract lacks and a local run needs: the API of the service, which the sandbox takes from
 * the contract that ships, and for the sample error codes.
 *
 * @param projectContractFile a file, or the name of a preset
 * @param setting the setting that names it
 * @returns its file; undefined if nothing is missing
 * @throws UserError when the project's contract cannot be used
 */
export function completeContract(
  { folder, directory, sample }: { folder: string; directory: string; sample: boolean },
  projectContractFile: string,
  setting = 'sms:contractFile',
): string | undefined {
  const path = resolve(folder, pathOfContract(projectContractFile));
  const contract = userErrors(() =>
    loadContract(path, {
      name: projectContractFile,
      namedBy: `the setting ${setting}`,
      isServiceOptional: true,
    }),
  );
  const missing = {
    // The sandbox has the API of the document, whichever API registers the webhook of the real service.
    ...(contract.registration !== null && { registration: null }),
    ...(!hasService(contract) && { service: JSON.parse(contractFiles.read(shippedContract)).service }),
    ...(sample && Object.keys(contract.errors).length === 0 && { errors: sampleErrors }),
  };
  if (Object.keys(missing).length === 0) return undefined;
  const file = join(directory, completedContractName);
  mkdirSync(directory, { recursive: true });
  writeFileSync(file, JSON.stringify({ extends: path, ...missing }));
  return file;
}
