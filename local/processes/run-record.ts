import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { readOwnFile } from '../../contract/document/own-file-store.ts';
import { UserError } from '../terminal/terminal.ts';
import type { Reaper } from './reaper.ts';

const END_DEADLINE_MS = 5000;

const schema = z.object({
  /** Random, and part of the command line of every process of the run. */
  run: z.uuid(),
  /** The process that started the run. */
  pid: z.number().int().positive(),
  /** The command line of that process, which distinguishes it from a later one with the same id. */
  command: z.string(),
  processes: z.array(z.object({ name: z.string(), pid: z.number().int().positive() })),
});

/**
 * The processes of a run by name, functions' hosts included. `processes.json` contains them, so that a later run finds leftover processes, and users
 * and tests find the process of a function.
 */
export type RunRecord = z.infer<typeof schema>;

export function writeRunRecord(file: string, record: RunRecord): void {
  // The file is renamed into place, so that a reader never sees a part of it.
  writeFileSync(`${file}.new`, `${JSON.stringify(record, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

export function removeRunRecord(file: string): void {
  rmSync(file, { force: true });
}

/**
 * Ends the leftover processes of a run that has ended: those whose command line contains the run's random id. Returns their names.
 * @throws UserError if the recorded run is still alive
 */
export async function endLeftovers(file: string): Promise<string[]> {
  const record = readRunRecord(file);
  if (!record) return [];
  if (record.pid !== process.pid && record.command !== '' && commandLine(record.pid) === record.command) {
    throw new UserError(
      `already running from this folder as process ${record.pid}: stop it, or give this one its own folder with --dir`,
    );
  }
  const ended: string[] = [];
  for (const { name, pid } of record.processes) {
    if (!commandLine(pid).includes(record.run)) continue;
    process.kill(pid, 'SIGKILL');
    const deadline = Date.now() + END_DEADLINE_MS;
    while (commandLine(pid).includes(record.run) && Date.now() < deadline) await delay(20);
    ended.push(name);
  }
  removeRunRecord(file);
  return ended;
}

function readRunRecord(file: string): RunRecord | undefined {
  try {
    return schema.parse(JSON.parse(readOwnFile(file)));
  } catch {
    return undefined;
  }
}

/** Returns the command line of a process; empty if the process does not exist. */
function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** The processes of this run. Each ends with the run and is recorded in its `processes.json`. */
export class RunningProcesses {
  readonly #file: string;
  readonly #runId: string;
  readonly #reaper: Reaper;
  readonly #command = commandLine(process.pid);
  readonly #running = new Set<RunRecord['processes'][number]>();

  constructor(file: string, runId: string, reaper: Reaper) {
    this.#file = file;
    this.#runId = runId;
    this.#reaper = reaper;
  }

  /** Adds a process. Returns a function that removes it after its end. */
  add(name: string, pid: number): () => void {
    // A process that could not be started has no id, and a signal to process 0 would end this process.
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
    const processes = [...this.#running];
    writeRunRecord(this.#file, { run: this.#runId, pid: process.pid, command: this.#command, processes });
  }
}
