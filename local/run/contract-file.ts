import { basename, resolve } from 'node:path';
import {
  ContractFileError,
  contractFiles,
  loadContract,
  pathOfContract,
} from '../../contract/document/contract-file-store.ts';
import { inheritedSamplesHint } from '../../contract/document/parse.ts';
import { projectContract } from '../../contract/document/project-store.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { isObject, parseJson } from '../../contract/text/json.ts';
import { UserError } from '../terminal/terminal.ts';

/** The name of the file that extends the project's contract by what it lacks for a local run. */
export const completedContractName = 'completed-contract.json';

/**
 * Reads the contract that the sandbox of the SMS service follows, together with what it extends. A preset, which does not describe
 * the service's own API, takes that part from the project's contract.
 *
 * @param file a file, or the name of a preset
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
  const path = resolve(projectDirectory, pathOfContract(file));
  return userErrors(
    () =>
      loadContract(path, {
        name: file,
        namedBy: 'the setting sms:contractFile or local:serviceContract',
        presetsCompletedBy: projectContract(projectDirectory),
        files: { ...contractFiles, read },
      }),
    (message) => (basename(path) === completedContractName ? withoutOwnSamplesHint(message, path) : message),
  );
}

/** Removes the hint on inherited samples if these are the samples of the project's own contract. */
function withoutOwnSamplesHint(message: string, completedPath: string): string {
  const completed = parseJson(contractFiles.read(completedPath));
  const own = isObject(completed) ? String(completed.extends) : '';
  return message.replace(`\n  ${inheritedSamplesHint(own)}`, '');
}

/** Makes the error of a contract file one that the user reads. */
export function userErrors<T>(load: () => T, explain = (message: string) => message): T {
  try {
    return load();
  } catch (error) {
    if (error instanceof ContractFileError) throw new UserError(explain(error.message));
    throw error;
  }
}
