import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../functions/core/contract/contract.ts';
import { readExtended, samplesInheritedFrom } from '../functions/core/contract/extend.ts';
import { ContractError, parseContract } from '../functions/core/contract/parse.ts';

/** Thrown where the contract file is missing, is not JSON or breaks a rule; the message names the file and the problem. */
class ContractFileError extends Error {
  override readonly name = 'ContractFileError';
}

const files = {
  presets: fileURLToPath(new URL('../contracts', import.meta.url)),
  read: (path: string) => readFileSync(path, 'utf8'),
  list: (folder: string) => readdirSync(folder),
};

/**
 * Reads and validates the contract, together with what it extends.
 *
 * @param path of the file, as a person wrote it
 * @throws ContractFileError naming every wrong path and what was expected there
 */
export function readContractFile(path: string): Contract {
  try {
    return parseContract(readExtended(path, files), samplesInheritedFrom(path, files));
  } catch (error) {
    throw new ContractFileError(`${path}: ${problemOf(error)}`);
  }
}

function problemOf(error: unknown): string {
  if (error instanceof ContractError) return error.message;
  if (error instanceof SyntaxError) return `expected JSON: ${error.message}`;
  if (error instanceof Error && 'code' in error)
    return `cannot be read (${error.code}); the setting sms:contractFile names this file`;
  throw error;
}
