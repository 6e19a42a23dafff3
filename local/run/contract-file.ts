import { resolve } from 'node:path';
import {
  ContractFileError,
  contractFiles,
  loadContract,
} from '../../contract/document/contract-file-store.ts';
import { projectContract } from '../../contract/document/project-store.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { UserError } from '../terminal/terminal.ts';

/**
 * Reads the contract that the sandbox of the SMS service follows, together with what it extends. A preset, which does not describe
 * the service's own API, takes that part from the project's contract.
 *
 * @param isReading called with the absolute path of each file that is looked for, missing files included
 * @throws UserError when the file cannot be read or is not a contract; the message lists each wrong path
 */
export function readContract(
  projectDirectory: string,
  file: string,
  isReading: (path: string) => void = () => {},
): Contract {
  const read = (path: string) => {
    isReading(path);
    return contractFiles.read(path);
  };
  return userErrors(() =>
    loadContract(resolve(projectDirectory, file), {
      name: file,
      namedBy: 'the setting sms:contractFile or local:serviceContract',
      presetsCompletedBy: projectContract(projectDirectory),
      files: { ...contractFiles, read },
    }),
  );
}

/** Makes the error of a contract file one that the user reads. */
export function userErrors<T>(load: () => T): T {
  try {
    return load();
  } catch (error) {
    if (error instanceof ContractFileError) throw new UserError(error.message);
    throw error;
  }
}
