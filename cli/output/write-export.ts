import { access, open, rename, unlink } from 'node:fs/promises';
import type { Terminal } from '../target/context.ts';
import { CommandFailure, explainFileErrors } from '../target/errors.ts';
import { sanitize } from '../text/sanitize.ts';

/** Writes a part of an export. Returns false once the reader has closed the pipe, so that the export can stop. */
type Write = (text: string) => Promise<boolean>;

/**
 * Writes an export to stdout, or to a new file that only its owner may read. The name of an incomplete file ends in `.part`; the
 * file is removed if the export fails.
 *
 * @param path of the file; undefined for stdout
 * @throws CommandFailure if the file exists or cannot be written
 */
export async function writeExport(
  path: string | undefined,
  { out, closed }: Pick<Terminal, 'out' | 'closed'>,
  produce: (write: Write) => Promise<void>,
): Promise<void> {
  if (path === undefined)
    return produce(async (text) => {
      out(text);
      return !closed();
    });
  await refuseExisting(path);
  const part = `${path}.part`;
  const file = await withPath(part, () => open(part, 'wx', 0o600));
  let isComplete = false;
  try {
    await produce(async (text) => {
      await withPath(part, () => file.appendFile(text));
      return true;
    });
    await refuseExisting(path);
    await withPath(path, () => rename(part, path));
    isComplete = true;
  } finally {
    await file.close();
    if (!isComplete) await unlink(part);
  }
}

/** Says that an export to a file is complete. @param what was written: `3 entries` */
export function wrote(what: string, path: string): string {
  return `Wrote ${what} to ${sanitize(path)}.\n`;
}

/** @throws CommandFailure if the file exists */
export async function refuseExisting(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new CommandFailure(existing(path));
}

function existing(path: string): string {
  return `${path} exists, and an export overwrites nothing: remove it, or name another file with --out.`;
}

/** Does something with a file. @throws CommandFailure that names the file */
export function withPath<T>(path: string, operation: () => Promise<T>): Promise<T> {
  return explainFileErrors(
    (code) =>
      code === 'EEXIST' ? existing(path) : `${path} cannot be written (${code}); --out names another file.`,
    operation,
  );
}
