import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from './package-store.ts';

/** Where the page of the console is built: in the repository, and in the package. */
const folders = ['build/console', 'dist/console'];

/** Returns the folder with the built page; undefined where it was not built. */
export function pageFolder(root = packageFolder): string | undefined {
  return folders.map((folder) => join(root, folder)).find((folder) => existsSync(join(folder, 'index.html')));
}
