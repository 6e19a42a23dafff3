import { constants } from 'node:fs';
import { access, type FileHandle, open, rename, unlink } from 'node:fs/promises';
import * as z from 'zod';
import { readOwnFile, requireOwner } from '../../contract/document/own-file-store.ts';
import { CommandFailure } from '../target/errors.ts';
import { parseJson } from '../text/format.ts';
import { replaceFile } from './replace-file.ts';
import { refuseExisting, withPath } from './write-export.ts';

/**
 * A file that is written in parts, which another run can continue after an interruption at any point. Until it is complete its
 * name ends in `.part`. Beside it `.part.json` has the last checkpoint: how many bytes belong to it, and the state of the work
 * after them. What was written after the checkpoint is cut off when the work is resumed.
 */
export interface ResumableFile<S> {
  /** The state of the last checkpoint. */
  readonly state: S;
  append(text: string): Promise<void>;
  /** Makes what was appended so far permanent, with the state after it. */
  checkpoint(state: S): Promise<void>;
  /** Gives the file its name. */
  complete(): Promise<void>;
  /** Closes the file; an incomplete one stays. */
  close(): Promise<void>;
}

/** Begins a file that only its owner may read. @throws CommandFailure if the file exists, or a part of it */
export async function beginFile<S>(path: string, state: S): Promise<ResumableFile<S>> {
  await refuseExisting(path);
  const { part, sidecar } = namesOf(path);
  if ((await exists(part)) && (await exists(sidecar)))
    throw new CommandFailure(
      `${part} is an interrupted export: --resume continues it. To begin again, remove it and ${sidecar}.`,
    );
  const file = resumable(path, await withPath(part, () => open(part, 'wx', 0o600)), 0, state);
  await file.checkpoint(state);
  return file;
}

/** Continues a file at its last checkpoint. @throws CommandFailure if there is none to continue */
export async function resumeFile<S>(path: string, stateSchema: z.ZodType<S>): Promise<ResumableFile<S>> {
  await refuseExisting(path);
  const { part, sidecar } = namesOf(path);
  if (!(await exists(part)) || !(await exists(sidecar)))
    throw new CommandFailure(
      `There is no interrupted export to continue: it needs ${part} and ${sidecar}. Without --resume a new one begins.`,
    );
  const text = await withPath(sidecar, async () => readOwnFile(sidecar));
  const checkpoint = z.object({ bytes: z.int(), state: stateSchema }).safeParse(parseJson(text));
  const file = await withPath(part, () =>
    open(part, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW),
  );
  const found = await file.stat();
  // Another user of the folder could read what is written to a file of his.
  await withPath(part, async () => requireOwner(part, found)).catch(async (error: unknown) => {
    await file.close();
    throw error;
  });
  if (!checkpoint.success || found.size < checkpoint.data.bytes) {
    await file.close();
    throw new CommandFailure(
      `${sidecar} does not fit ${part}, so the export cannot be continued: remove both and begin again without --resume.`,
    );
  }
  const { bytes, state } = checkpoint.data;
  await withPath(part, () => file.truncate(bytes));
  return resumable(path, file, bytes, state);
}

function resumable<S>(path: string, file: FileHandle, begun: number, begunState: S): ResumableFile<S> {
  const { part, sidecar } = namesOf(path);
  let bytes = begun;
  let state = begunState;

  /** @throws CommandFailure if another process writes the same file */
  async function refuseOthers(): Promise<void> {
    if ((await file.stat()).size !== bytes)
      throw new CommandFailure(`Another process writes ${part}: let it end, and do not run two at once.`);
  }

  return {
    get state() {
      return state;
    },
    async append(text) {
      await refuseOthers();
      const written = Buffer.from(text);
      await withPath(part, () => file.appendFile(written));
      bytes += written.length;
    },
    async checkpoint(next) {
      await refuseOthers();
      // A checkpoint must not count bytes that a power failure can still lose.
      await withPath(part, () => file.datasync());
      await withPath(sidecar, () => replaceFile(sidecar, JSON.stringify({ bytes, state: next })));
      state = next;
    },
    async complete() {
      await refuseOthers();
      await refuseExisting(path);
      // What has its final name must not lose bytes by a power failure: nothing would resume it.
      await withPath(part, () => file.datasync());
      await withPath(path, () => rename(part, path));
      await unlink(sidecar);
    },
    close: () => file.close(),
  };
}

function namesOf(path: string) {
  return { part: `${path}.part`, sidecar: `${path}.part.json` };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
