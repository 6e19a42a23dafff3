import { rmSync, type StatsListener, unwatchFile, watchFile } from 'node:fs';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { replaceCode } from '../cloudformation/replace-code.ts';
import type { FunctionRegistry } from '../services/lambda/functions.ts';
import { type Progress, UserError } from '../terminal/terminal.ts';
import type { Shutdown } from './shutdown.ts';

/** How often a file is looked at, in milliseconds. */
const intervalMs = 500;

export interface ContractFollowing {
  /** The contract's file, absolute. */
  readonly path: string;
  /** What the functions have when following begins. */
  readonly deployed: Contract;
  /**
   * Reads the contract together with what it extends.
   *
   * @param isReading told of each file that is looked for
   * @throws UserError where it is no contract
   */
  readonly read: (isReading: (path: string) => void) => Contract;
  /** Synthesizes the stacks once more. @throws UserError */
  readonly synthesize: (outputDirectory: string) => Promise<void>;
  /** Where the running stacks were synthesized to. */
  readonly assemblyDirectory: string;
  readonly functions: FunctionRegistry;
  /** Told of each contract that the functions have from now on. */
  readonly changed: (contract: Contract) => void;
}

/** Calls back when a file is another, appears or goes. @returns what ends it */
export type WatchFile = (path: string, changed: () => void) => () => void;

/**
 * Gives the functions a contract that was changed, in its file or in one that it extends, as a deployment would: what waits in
 * queues and tables stays. What is no contract changes nothing. It begins with what was changed while the stacks came up.
 */
export function followContract(
  following: ContractFollowing,
  progress: Pick<Progress, 'step' | 'note'>,
  shutdown: Pick<Shutdown, 'add'>,
  watch: WatchFile = watchByTime,
): void {
  const { path, assemblyDirectory, functions } = following;
  const watched = new Map<string, () => void>();
  let inForce: string | undefined = JSON.stringify(following.deployed);
  let running = Promise.resolve();

  function follow(file: string): void {
    if (!watched.has(file)) watched.set(file, watch(file, look));
  }

  /** One after the other: the last one read is the last one written. */
  function look(): void {
    running = running.then(takeOver).catch((error: unknown) => {
      // A defect must not end the run, which holds what somebody works with.
      const reason = error instanceof UserError ? error.message : String(error);
      progress.note(`${reason}\nThe functions go on with the contract they have.`);
    });
  }

  async function takeOver(): Promise<void> {
    const contract = following.read(follow);
    const text = JSON.stringify(contract);
    if (text === inForce) return;
    const nextDirectory = `${assemblyDirectory}.next`;
    try {
      await following.synthesize(nextDirectory);
      // Half of the code may be in place when this fails: then whatever is read next is another.
      inForce = undefined;
      replaceCode(assemblyDirectory, nextDirectory);
      for (const { pool } of functions.all()) pool.replaceHosts();
      following.changed(contract);
      inForce = text;
      progress.step(`the functions run with the changed ${path}`);
    } finally {
      rmSync(nextDirectory, { recursive: true, force: true });
    }
  }

  follow(path);
  look();
  shutdown.add(() => {
    for (const end of watched.values()) end();
  });
}

const watchByTime: WatchFile = (path, changed) => {
  const listener: StatsListener = (now, before) => {
    if (now.mtimeMs !== before.mtimeMs) changed();
  };
  watchFile(path, { interval: intervalMs }, listener);
  return () => unwatchFile(path, listener);
};
