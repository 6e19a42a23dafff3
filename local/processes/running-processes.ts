import type { Reaper } from './reaper.ts';
import { type RunRecord, writeRunRecord } from './run-record.ts';

/** The processes of this run: each one is ended with it, and recorded in its `processes.json`. */
export class RunningProcesses {
  readonly #file: string;
  readonly #runId: string;
  readonly #reaper: Reaper;
  readonly #running = new Set<RunRecord['processes'][number]>();

  constructor(file: string, runId: string, reaper: Reaper) {
    this.#file = file;
    this.#runId = runId;
    this.#reaper = reaper;
  }

  /** Adds a process that has started. Returns how to take it off again, once it has ended. */
  add(name: string, pid: number): () => void {
    // One that could not be started has no id, and to end process 0 would end ourselves.
    if (pid <= 0) return () => {};
    const added = { name, pid };
    const unwatch = this.#reaper.watch(pid);
    this.#running.add(added);
    this.#write();
    return () => {
      unwatch();
      this.#running.delete(added);
      this.#write();
    };
  }

  #write(): void {
    writeRunRecord(this.#file, { run: this.#runId, pid: process.pid, processes: [...this.#running] });
  }
}
