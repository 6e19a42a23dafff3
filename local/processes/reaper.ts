import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./reaper-process.ts', import.meta.url));

export interface ReaperMessage {
  readonly pid: number;
  /** False: the process has ended, its id may soon be somebody else's. */
  readonly watch: boolean;
}

/** Makes sure that no process of a run outlives it. */
export interface Reaper {
  /** Registers a process to be ended with this one. Returns how to take it off again, once it has ended. */
  watch(pid: number): () => void;
  /** Ends all registered processes now. */
  reap(): Promise<void>;
}

/** Starts the process that does it: see reaper-process.ts. `onLost` is called if that process ends too early. */
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
