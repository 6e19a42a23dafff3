import { open, rename, rm } from 'node:fs/promises';

/**
 * Replaces a file by one that is complete at every moment.
 *
 * @param mode of the file: by default only its owner may read it
 */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  const fresh = `${path}.new`;
  // A file that a killed run left is removed, and a link that another user put there is not followed.
  await rm(fresh, { force: true });
  const file = await open(fresh, 'wx', mode);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(fresh, path).catch(async (error: unknown) => {
    await rm(fresh, { force: true });
    throw error;
  });
}
