import { existsSync } from 'node:fs';
import {
  ContractFileError,
  contractFiles,
  loadContract,
  pathOfContract,
  shippedContract,
} from '../../contract/document/contract-file-store.ts';
import { readExtended } from '../../contract/document/extend.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { CommandFailure } from '../target/errors.ts';

type LoadOptions = Omit<Parameters<typeof loadContract>[1], 'namedBy'>;

/**
 * Reads the contract that the pipeline works by, together with what it extends.
 *
 * @throws CommandFailure naming the file and what is wrong with it
 */
export async function readContract(path: string): Promise<Contract> {
  return load(path, { isServiceOptional: true });
}

/**
 * Reads the contract as readContract does, unless there is no file by the usual name: an app may have its contract in its code.
 *
 * @param isNamed whether the user named the file
 */
export async function readContractIfAny(path: string, isNamed: boolean): Promise<Contract | undefined> {
  return isNamed || existsSync(path) ? readContract(path) : undefined;
}

/**
 * Reads a contract to test it: its samples may fail, and the contract that ships completes a preset.
 *
 * @throws CommandFailure as readContract
 */
export async function readContractToTest(path: string): Promise<Contract> {
  return load(path, { presetsCompletedBy: shippedContract, acceptsFailingSamples: true });
}

/** Names the preset or file that a contract inherits its samples from; undefined where the samples are its own. */
export function originOfSamples(path: string): string | undefined {
  return readExtended(pathOfContract(path), contractFiles).samplesFrom;
}

function load(path: string, options: LoadOptions): Contract {
  try {
    const namedBy = '--contract, which also takes the name of a preset,';
    return loadContract(pathOfContract(path), { ...options, name: path, namedBy });
  } catch (error) {
    if (error instanceof ContractFileError) throw new CommandFailure(error.message);
    throw error;
  }
}
