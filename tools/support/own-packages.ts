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

/** npm notes in `node_modules/.package-lock.json` what it has installed: packages of other systems are not there. */
function areInstalled(folder: string): boolean {
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const wanted = new Set(versionsIn(join(folder, 'package-lock.json')));
  return versionsIn(installed).every((one) => wanted.has(one));
}

function versionsIn(lockfile: string): string[] {
  const { packages }: { packages: Record<string, { version?: string }> } = JSON.parse(
    readFileSync(lockfile, 'utf8'),
  );
  return Object.entries(packages).flatMap(([path, { version }]) =>
    path === '' ? [] : [`${path} ${version}`],
  );
}
