import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../contract/document/package-store.ts';

/**
 * The folder of the functions that the package was shipped with.
 *
 * @throws Error in a clone of the repository where they were not built yet
 */
export function shippedFunctions(): string {
  const folder = join(packageFolder, 'dist');
  if (!existsSync(join(folder, 'functions')))
    throw new Error(`${folder} holds no functions: run "npm run build" in the clone of the repository.`);
  return folder;
}
