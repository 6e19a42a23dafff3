import { rmSync, type StatsListener, unwatchFile, watchFile } from 'node:fs';
import type { Contract } from '../../contract/schema/contract-schema.ts';
import { replaceCode } from '../cloudformation/replace-code.ts';
import type { FunctionRegistry } from '../services/lambda/functions.ts';
import { type Progress, UserError } from '../terminal/terminal.ts';
import type { Shutdown } from './shutdown.ts';

/** The interval between checks of a file, in milliseconds. */
const intervalMs = 500;

export interface ContractFollowing {
  /** The contract's file, absolute. */
  readonly path: string;
  /** The contract of the functions at the start. */
  readonly deployed: Contract;
  /**
   * Reads the contract together with what it extends.
   *
   * @param isReading called for each file that is read, missing files included
   * @throws UserError for an invalid contract
   */
  readonly read: (isReading: (path: string) => void) => Contract;
  /** Synthesizes the stacks once more. @throws UserError */
  readonly synthesize: (outputDirectory: string) => Promise<void>;
  /** The folder of the running stacks' assembly. */
  readonly assemblyDirectory: string;
  readonly functions: FunctionRegistry;
  /** Called for each new contract of the functions. */
  readonly changed: (contract: Contract) => void;
}

/** Calls back when a file changes, appears or disappears. @returns a function that ends it */
export type WatchFile = (path: string, changed: () => void) => () => void;

/**
 * Updates the functions when the contract changes, in its file or in one that it extends, as a deployment would: the data in queues and tables stays.
 * An invalid contract changes nothing. Changes during the start are applied too.
 */
export function followContract(
  following: ContractFollowing,
  progress: Pick<Progress, 'step' | 'note'>,
  shutdown: Pick<Shutdown, 'add'>,
  watch: WatchFile = watchByTime,
): void {
  const { path, assemblyDirectory, functions } = following;
  const watched = new Map<string, () => void>();
  let applied: string | undefined = JSON.stringify(following.deployed);
  let running = Promise.resolve();

  function follow(file: string): void {
    if (!watched.has(file)) watched.set(file, watch(file, check));
  }

  /** Updates run one after the other, so that the contract that was read last is applied last. */
  function check(): void {
    running = running.then(update).catch((error: unknown) => {
      // A bug must not end the run, which contains the user's data.
      const reason = error instanceof UserError ? error.message : String(error);
      progress.note(`${reason}\nThe functions keep their contract.`);
    });
  }

  async function update(): Promise<void> {
    const contract = following.read(follow);
    const text = JSON.stringify(contract);
    if (text === applied) return;
    const nextDirectory = `${assemblyDirectory}.next`;
    try {
      await following.synthesize(nextDirectory);
      // A failure may leave a part of the code replaced: then the next contract counts as changed in any case.
      applied = undefined;
      replaceCode(assemblyDirectory, nextDirectory);
      for (const { pool } of functions.all()) pool.replaceHosts();
      following.changed(contract);
      applied = text;
      progress.step(`the functions run with the changed ${path}`);
    } finally {
      rmSync(nextDirectory, { recursive: true, force: true });
    }
  }

  follow(path);
  check();
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
