import { readFile } from 'node:fs/promises';
import type { Contract } from '../functions/core/contract/contract.ts';
import { ContractError, parseContract } from '../functions/core/contract/parse.ts';
import { CommandFailure } from './failures.ts';

/**
 * Reads the contract that the pipeline works by.
 *
 * @throws CommandFailure naming the file and what is wrong with it
 */
export async function readContract(path: string): Promise<Contract> {
  try {
    return parseContract(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof ContractError) throw new CommandFailure(`${path}: ${error.message}`);
    if (error instanceof SyntaxError) throw new CommandFailure(`${path}: not JSON: ${error.message}`);
    if (error instanceof Error && 'code' in error && typeof error.code === 'string')
      throw new CommandFailure(
        `${path}: cannot be read (${error.code}); --contract names the contract's file`,
      );
    throw error;
  }
}
