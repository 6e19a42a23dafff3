import { rmSync, unwatchFile, watchFile } from 'node:fs';
import type { Contract } from '../functions/core/contract/contract.ts';
import type { FunctionRegistry } from './lambda/registry.ts';
import type { Progress } from './progress.ts';
import { replaceCode } from './replace-code.ts';
import type { Shutdown } from './shutdown.ts';
import { UserError } from './user-error.ts';

/** How often the file is looked at, in milliseconds. */
const intervalMs = 500;

export interface ContractFollowing {
  /** The contract's file, absolute. */
  readonly path: string;
  /** @throws UserError where it is no contract */
  readonly read: () => Contract;
  /** Synthesizes the stacks once more. @throws UserError */
  readonly synthesize: (outputDirectory: string) => Promise<void>;
  /** Where the running stacks were synthesized to. */
  readonly assemblyDirectory: string;
  readonly functions: FunctionRegistry;
  /** Told of each contract that the functions have from now on. */
  readonly changed: (contract: Contract) => void;
}

/**
 * Gives the functions a contract that was changed, as a deployment would: what waits in queues and tables stays. A file that is no
 * contract changes nothing.
 */
export function followContract(following: ContractFollowing, progress: Progress, shutdown: Shutdown): void {
  const { path } = following;
  let running = Promise.resolve();
  watchFile(path, { interval: intervalMs }, (now, before) => {
    // One after the other: the last one read is the last one written.
    if (now.mtimeMs !== before.mtimeMs) running = running.then(() => apply(following, progress));
  });
  shutdown.add(() => unwatchFile(path));
}

async function apply(
  { path, read, synthesize, assemblyDirectory, functions, changed }: ContractFollowing,
  progress: Progress,
): Promise<void> {
  const nextDirectory = `${assemblyDirectory}.next`;
  try {
    const contract = read();
    await synthesize(nextDirectory);
    replaceCode(assemblyDirectory, nextDirectory);
    for (const { pool } of functions.all()) pool.replaceHosts();
    changed(contract);
    progress.step(`the functions run with the changed ${path}`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    progress.note(`${error.message}\nThe functions go on with the contract they have.`);
  } finally {
    rmSync(nextDirectory, { recursive: true, force: true });
  }
}
