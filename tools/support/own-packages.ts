import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Installs the packages of a folder that has a lockfile of its own, unless they are there in the versions of the lockfile.
 *
 * @throws Error with what npm writes, if it fails
 */
export async function installPackages(folder: string, ...options: string[]): Promise<void> {
  if (areInstalled(folder)) return;
  await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund', ...options], { cwd: folder });
}

interface LockedPackage {
  readonly version?: string;
  /** A package for another system is optional, and is not installed. */
  readonly optional?: boolean;
}

/** npm notes in `node_modules/.package-lock.json` what it has installed. */
function areInstalled(folder: string): boolean {
  const noted = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(noted)) return false;
  const installed = packagesIn(noted);
  const wanted = packagesIn(join(folder, 'package-lock.json'));
  return (
    [...installed].every(([path, { version }]) => wanted.get(path)?.version === version) &&
    [...wanted].every(([path, { optional }]) => optional === true || installed.has(path))
  );
}

/** The packages of a lockfile by their paths, without the folder's own package. */
function packagesIn(lockfile: string): Map<string, LockedPackage> {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(lockfile, 'utf8'),
  );
  return new Map(Object.entries(packages).filter(([path]) => path !== ''));
}
