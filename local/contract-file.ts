import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../functions/core/contract/contract.ts';
import { readExtended } from '../functions/core/contract/extend.ts';
import { ContractError, parseContract } from '../functions/core/contract/parse.ts';
import { UserError } from './user-error.ts';

const files = {
  presets: fileURLToPath(new URL('../contracts', import.meta.url)),
  read: (path: string) => readFileSync(path, 'utf8'),
  list: (folder: string) => readdirSync(folder),
};

/**
 * Reads the contract that the sandbox of the SMS service keeps to, together with what it extends.
 * @throws UserError when the file can't be read or is not a contract; the message lists each wrong path
 */
export function readContract(projectDirectory: string, file: string): Contract {
  const path = resolve(projectDirectory, file);
  try {
    return parseContract(readExtended(path, files));
  } catch (error) {
    if (error instanceof ContractError) throw new UserError(`${file}: ${error.message}`);
    throw new UserError(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
