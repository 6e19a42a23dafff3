import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { completePreset, readExtended, samplesInheritedFrom } from '../../contract/document/extend.ts';
import { ContractError, parseContract } from '../../contract/document/parse.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { UserError } from '../terminal/terminal.ts';

const files = {
  presets: fileURLToPath(new URL('../../contract/presets', import.meta.url)),
  read: (path: string) => readFileSync(path, 'utf8'),
  list: (folder: string) => readdirSync(folder),
};

/**
 * Reads the contract that the sandbox of the SMS service keeps to, together with what it extends. A preset, which says nothing of
 * the service's own API, takes that of the project's contract.
 *
 * @param isReading told of each file that is looked for, those that are not there included; absolute
 * @throws UserError when the file can't be read or is not a contract; the message lists each wrong path
 */
export function readContract(
  projectDirectory: string,
  file: string,
  isReading: (path: string) => void = () => {},
): Contract {
  const told = {
    ...files,
    read: (path: string) => {
      isReading(path);
      return files.read(path);
    },
  };
  const path = resolve(projectDirectory, file);
  const project = resolve(projectDirectory, 'contract.json');
  try {
    return parseContract(
      completePreset(readExtended(path, told), () => readExtended(project, told)),
      samplesInheritedFrom(path, files),
    );
  } catch (error) {
    if (error instanceof ContractError) throw new UserError(`${file}: ${error.message}`);
    throw new UserError(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
