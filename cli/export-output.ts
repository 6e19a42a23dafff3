import { open, unlink } from 'node:fs/promises';
import type { Terminal } from './context.ts';
import { CommandFailure } from './failures.ts';

/** Takes a part of an export. */
export type Write = (text: string) => Promise<void>;

/**
 * Lets an export write to stdout, or to a new file that only its owner may read. A file that was not written to its end is
 * removed.
 *
 * @param path of the file; undefined for stdout
 * @throws CommandFailure where the file exists, or cannot be written
 */
export async function writeExport(
  path: string | undefined,
  { out }: Pick<Terminal, 'out'>,
  produce: (write: Write) => Promise<void>,
): Promise<void> {
  if (path === undefined) return produce(async (text) => out(text));
  const file = await explained(path, () => open(path, 'wx', 0o600));
  let isComplete = false;
  try {
    await produce((text) => explained(path, async () => void (await file.write(text))));
    isComplete = true;
  } finally {
    await file.close();
    if (!isComplete) await unlink(path);
  }
}

async function explained<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
    throw new CommandFailure(
      error.code === 'EEXIST'
        ? `${path} exists, and an export overwrites nothing: name another file with --out.`
        : `${path} cannot be written (${error.code}); --out names another file.`,
    );
  }
}
