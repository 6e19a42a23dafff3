import { open, readFile, rename, unlink } from 'node:fs/promises';
import type { Contract } from '../../functions/core/contract/contract.ts';
import { readExtended } from '../../functions/core/contract/extend.ts';
import { ContractError, parseContract } from '../../functions/core/contract/parse.ts';
import { contractFiles } from '../contract-file.ts';
import { CommandFailure } from '../failures.ts';
import { sections, withSections } from './overlay.ts';
import { isObject } from './scalar.ts';

/**
 * Writes sections of a contract into its file, which stays what it is where that fails: the new one is validated, samples
 * included, written beside it and then put in its place.
 *
 * @param contract what the file is to say from now on
 * @returns the names of the sections that were not as they are now
 * @throws CommandFailure where the contract does not hold, naming what is wrong, or the file cannot be written
 */
export async function writeContract(path: string, contract: Contract): Promise<void> {
  const own: unknown = await explained(path, async () => JSON.parse(await readFile(path, 'utf8')));
  if (!isObject(own)) throw new CommandFailure(`${path}: expected an object`);
  const wanted = Object.fromEntries(sections.map((name) => [name, asWritten(contract[name])]));
  const base = own.extends === undefined ? undefined : extended(path, { extends: own.extends });
  const next = withSections(own, base, wanted);
  try {
    parseContract(extended(path, next));
  } catch (error) {
    if (error instanceof ContractError)
      throw new CommandFailure(
        `Nothing was written: the contract that was found does not hold.\n${error.problems.map((problem) => `  ${problem}`).join('\n')}\nRun it on a terminal without --yes to answer for each guess, or write these places of ${path} by hand.`,
      );
    throw error;
  }
  await replaceFile(path, `${JSON.stringify(next, null, 2)}\n`);
}

/** What a file would come to, with what it extends, if it held this. @throws ContractError */
function extended(path: string, json: unknown): unknown {
  const read = (file: string) => (file === path ? JSON.stringify(json) : contractFiles.read(file));
  return readExtended(path, { ...contractFiles, read });
}

/** As JSON holds it: without what is undefined. */
function asWritten(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

async function replaceFile(path: string, text: string): Promise<void> {
  const part = `${path}.part`;
  await explained(path, async () => {
    const file = await open(part, 'w');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path).catch(async (error: unknown) => {
      await unlink(part);
      throw error;
    });
  });
}

async function explained<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
    throw new CommandFailure(`${path} cannot be written (${error.code}); --contract names another file.`);
  }
}
