import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  completePreset,
  presetNames,
  readExtended,
  samplesInheritedFrom,
} from '../../contract/document/extend.ts';
import { ContractError, parseContract, parseRules } from '../../contract/document/parse.ts';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { CommandFailure } from '../target/errors.ts';

const shipped = fileURLToPath(new URL('../../contract.json', import.meta.url));

/** Where presets and other contracts are read from. */
export const contractFiles = {
  presets: fileURLToPath(new URL('../../contract/presets', import.meta.url)),
  read: (path: string) => readFileSync(path, 'utf8'),
  list: (folder: string) => readdirSync(folder),
};

/**
 * Reads the contract that the pipeline works by, together with what it extends.
 *
 * @throws CommandFailure naming the file and what is wrong with it
 */
export async function readContract(path: string): Promise<Contract> {
  return explained(path, () =>
    parseContract(readExtended(path, contractFiles), samplesInheritedFrom(path, contractFiles)),
  );
}

/**
 * As {@link readContract}, for who tests it: its samples may fail. A preset says nothing of the service itself, and one of a
 * signature alone nothing of events: there it is tested as what extends it in the project's contract.
 *
 * @throws CommandFailure as readContract
 */
export async function readContractToTest(path: string): Promise<Contract> {
  return explained(path, () =>
    parseRules(completePreset(readExtended(path, contractFiles), () => readExtended(shipped, contractFiles))),
  );
}

/** What the samples of a contract that was read are inherited from, if they are. */
export function originOfSamples(path: string): string | undefined {
  return samplesInheritedFrom(path, contractFiles);
}

/** The project's contract and all presets: what ships. */
export function shippedContracts(): readonly string[] {
  return [shipped, ...presetNames(contractFiles).map((name) => join(contractFiles.presets, `${name}.json`))];
}

function explained(path: string, read: () => Contract): Contract {
  try {
    return read();
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
