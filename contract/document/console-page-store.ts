import { existsSync, globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-store.ts';

/** Where the page of the console is built: in the repository, and in the package. */
const folders = ['build/console', 'dist/console'];

/** The sources of the page, which the package does not include. */
const sources = ['console/**/*.*', 'contract/schema/*.ts', 'package-lock.json'];

/** Returns the folder with the built page; undefined if it was not built, or if a source is newer, for example after an upgrade. */
export function pageFolder(root = packageFolder): string | undefined {
  const built = folders
    .map((folder) => join(root, folder))
    .filter((folder) => existsSync(join(folder, 'index.html')));
  if (built.length === 0) return undefined;
  const modifiedAt = (file: string) => statSync(file).mtimeMs;
  const changedAt = Math.max(
    0,
    ...globSync(sources, { cwd: root }).map((file) => modifiedAt(join(root, file))),
  );
  return built.find((folder) => modifiedAt(join(folder, 'index.html')) >= changedAt);
}
