import { fork } from 'node:child_process';
import { once } from 'node:events';
import { moduleFile } from '../../contract/document/package-store.ts';

const SCRIPT = moduleFile('local/processes/reaper-process.ts');

export interface ReaperMessage {
  readonly pid: number;
  /** False after the process has ended: another process may get its id. */
  readonly watch: boolean;
}

/** Ensures that no process of a run outlives it. */
export interface Reaper {
  /** Registers a process that is to end with this one. Returns a function that unregisters it. */
  watch(pid: number): () => void;
  /** Ends all registered processes now. */
  reap(): Promise<void>;
}

/** Starts the process of reaper-process.ts. `onLost` is called if that process ends too early. */
export function startReaper(runId: string, onLost: () => void): Reaper {
  const child = fork(SCRIPT, [`--run=${runId}`], {
    detached: true,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = once(child, 'exit');
  child.once('exit', onLost);
  const send = (message: ReaperMessage): void => {
    if (child.connected) child.send(message, () => {});
  };
  return {
    watch(pid) {
      send({ pid, watch: true });
      return () => send({ pid, watch: false });
    },
    async reap() {
      child.off('exit', onLost);
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
