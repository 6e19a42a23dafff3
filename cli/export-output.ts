import { access, open, rename, unlink } from 'node:fs/promises';
import type { Terminal } from './context.ts';
import { CommandFailure } from './failures.ts';

/** Takes a part of an export. False where nobody reads on, so that there is no use in more. */
export type Write = (text: string) => Promise<boolean>;

/**
 * Lets an export write to stdout, or to a new file that only its owner may read. Until it is complete its name ends in
 * `.part`; one that was not written to its end is removed, where the process lives to do it.
 *
 * @param path of the file; undefined for stdout
 * @throws CommandFailure where the file exists, or cannot be written
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
  const file = await explained(part, () => open(part, 'wx', 0o600));
  let isComplete = false;
  try {
    await produce(async (text) => {
      await explained(part, () => file.appendFile(text));
      return true;
    });
    await refuseExisting(path);
    await explained(path, () => rename(part, path));
    isComplete = true;
  } finally {
    await file.close();
    if (!isComplete) await unlink(part);
  }
}

async function refuseExisting(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  if (exists) throw new CommandFailure(existing(path));
}

function existing(path: string): string {
  return `${path} exists, and an export overwrites nothing: remove it, or name another file with --out.`;
}

async function explained<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
    throw new CommandFailure(
      error.code === 'EEXIST'
        ? existing(path)
        : `${path} cannot be written (${error.code}); --out names another file.`,
    );
  }
}
