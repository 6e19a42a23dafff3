import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The package's folder, found from one of its modules, wherever its build has put them. */
export const packageFolder = foundPackage();

function foundPackage(): string {
  const folder = nearestFolder(import.meta.dirname, isPackage);
  if (folder === undefined) throw new Error('the files of the package sms-event-pipeline are incomplete');
  return folder;
}

function isPackage(folder: string): boolean {
  const manifest = join(folder, 'package.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === 'sms-event-pipeline';
}

/** Returns the first folder that fits, from one upwards. */
export function nearestFolder(folder: string, fits: (folder: string) => boolean): string | undefined {
  if (fits(folder)) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : nearestFolder(above, fits);
}

/**
 * Returns the file that runs a module of this project: the source, or in the package what it was built to.
 *
 * @param source the path of the source from the project's folder, `bin/sms.ts`
 */
export function moduleFile(source: string): string {
  const path = join(packageFolder, source);
  return existsSync(path) ? path : join(packageFolder, 'dist/run', source.replace(/\.ts$/, '.mjs'));
}
